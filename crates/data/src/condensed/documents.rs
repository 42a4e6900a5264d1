//! Which documents the runs of a topic share, without their names.

use super::wire::{Reader, Writer};
use crate::documents::TopicDocuments;
use crate::hash;
use crate::judgement::Judgement;
use crate::qrels::Qrels;

/// The same without the names of documents that are not in the judgements; their numbers still follow the order of names.
pub fn forget(topic: &TopicDocuments, qrels: &Qrels) -> TopicDocuments {
    let Some(index) = qrels.find(&topic.name) else { return topic.clone() };
    let (mut docnos, mut ends) = (Vec::new(), Vec::with_capacity(topic.len()));
    for document in 0..topic.len() as u32 {
        let docno = topic.docno(document);
        if qrels.judgement(index, docno, hash::of(docno)) != Judgement::Unpooled {
            docnos.extend_from_slice(docno);
        }
        ends.push(docnos.len() as u32);
    }
    TopicDocuments { docnos, ends, name: topic.name.clone(), lists: topic.lists.clone() }
}

/// Writes a topic.
pub fn write(out: &mut Writer, topic: &TopicDocuments) {
    out.bytes(&topic.name);
    out.count(topic.len());
    for document in 0..topic.len() as u32 {
        out.bytes(topic.docno(document));
    }
    for list in &topic.lists {
        // 0 where the run has no row for the topic, which is not an empty list.
        out.count(list.as_ref().map_or(0, |list| list.len() + 1));
        list.iter().flatten().for_each(|&document| out.whole(u64::from(document)));
    }
}

/// Reads a topic of so many runs.
pub fn read(from: &mut Reader<'_>, runs: usize) -> Option<TopicDocuments> {
    let mut topic = TopicDocuments { name: from.bytes()?.to_vec(), ..TopicDocuments::default() };
    for _ in 0..from.things()? {
        topic.docnos.extend_from_slice(from.bytes()?);
        topic.ends.push(topic.docnos.len() as u32);
    }
    for _ in 0..runs {
        let length = from.count()?;
        let mut list = Vec::with_capacity(length.min(topic.len() + 1));
        for _ in 1..length {
            list.push(u32::try_from(from.whole()?).ok().filter(|&document| (document as usize) < topic.len())?);
        }
        topic.lists.push((length > 0).then_some(list));
    }
    Some(topic)
}

impl TopicDocuments {
    /// The same among more runs: each list goes to its place, or is forgotten where it has none.
    pub(super) fn among(self, places: impl Iterator<Item = Option<usize>>, runs: usize) -> TopicDocuments {
        let mut lists = vec![None; runs];
        for (list, place) in self.lists.into_iter().zip(places) {
            if let Some(own) = place.and_then(|place| lists.get_mut(place)) {
                *own = list;
            }
        }
        TopicDocuments { lists, ..self }
    }
}
