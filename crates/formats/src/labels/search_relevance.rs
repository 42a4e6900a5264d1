//! OpenSearch's Search Relevance Workbench: judgement lists as they are imported.

use super::tree::{self, Node, Wrong};
use super::{Content, LabelFormat};
use crate::records::Table;
use crate::records::label::{LabelRow, Labels};
use crate::records::refusal::Refusal;

pub(super) static FORMAT: LabelFormat = LabelFormat {
    name: "opensearch",
    about: "Judgement list of the OpenSearch Search Relevance Workbench. The judge is named after the list. Ratings are strings and read as numbers. \
            Documents under failures are unjudged.",
    layout: "{name, judgmentRatings: [{query, ratings: [{docId, rating}]}]}",
    recognise: |content| content.has(&["judgmentRatings"]),
    read: |content: &Content<'_>| read(content.bytes).map_err(|refusal| refusal.problems(content.name)),
};

fn read(bytes: &[u8]) -> Result<Table, Refusal> {
    let lists = tree::objects(bytes)?;
    let mut labels = Labels::default();
    for list in &lists {
        let judge = list.get("name").and_then(Node::text).unwrap_or_default();
        let queries = list.list("judgmentRatings").map_err(|(line, problem)| Refusal::line(line, problem))?;
        for query in queries {
            if let Err((line, problem)) = read_query(query, judge, &mut labels) {
                labels.refusal.push(line, problem);
            }
        }
    }
    labels.finish()
}

fn read_query(query: &Node<'_>, judge: &[u8], labels: &mut Labels) -> Result<(), Wrong> {
    let topic = query.needed("query")?;
    for rating in query.list("ratings")? {
        rating.needed("rating")?;
        let given =
            rating.get("rating").map_or(Ok(crate::records::label::Given::Nothing), |node| node.grade("rating"))?;
        labels.push(&LabelRow::new(rating.line, topic, rating.needed("docId")?, judge, given));
    }
    for failure in query.list("failures")? {
        let none = crate::records::label::Given::Nothing;
        labels.push(&LabelRow::new(failure.line, topic, failure.needed("docId")?, judge, none));
    }
    Ok(())
}
