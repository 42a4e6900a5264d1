//! What `eval` has to say about unjudged documents that are taken for probably relevant.

use karat_report::{Column, NumberStyle, Table};

use crate::scores::Setting;
use crate::unjudged::Belief;

/// What the reader must know to believe the values.
pub(super) fn notes(setting: &Setting<'_>) -> Vec<String> {
    let Some(belief) = setting.belief else { return Vec::new() };
    let mut notes = Vec::new();
    if !setting.measures.iter().any(|measure| Belief::concerns(measure.as_ref())) {
        return vec!["all measures asked for are about what was judged: no chances were put in its place".into()];
    }
    let source = match belief.compared.iter().find(|model| model.used) {
        Some(model) => format!("the {} model ({})", model.name, model.assumes),
        None => "the probability given".into(),
    };
    notes.push(format!(
        "values are expected values: unjudged documents are relevant with the chances of {source}. \"Probably\" is where the \
         value would lie, were everything judged for these topics; the interval at the end adds chance over the topics"
    ));
    if !belief.compared.is_empty() {
        notes.push(
            "chances were fitted to the judged documents of all runs given (with other runs beside it a run has other values). A \
             pool chose them: unjudged ones of the same rank are less often relevant, most of all in runs that were not in \
             the pool, so values are rather too high"
                .into(),
        );
    }
    let read_on = |names: &[&str]| -> String {
        let found = setting.measures.iter().filter(|measure| names.contains(&measure.info().name));
        found.map(|measure| measure.spec().to_string()).collect::<Vec<_>>().join(", ")
    };
    let linear = read_on(&["RBP", "INSQ"]);
    if !linear.is_empty() {
        notes.push(format!(
            "{linear}: ranks below the end of a list count as unjudged ones, with the chances of such ranks; an empty list has none"
        ));
    }
    let drawn = read_on(&["INST", "NERR10", "NERR11"]);
    if !drawn.is_empty() {
        notes.push(format!("{drawn}: lists are taken to end where they end; the bounds let them go on"));
    }
    let as_is: Vec<String> = setting
        .measures
        .iter()
        .filter(|measure| !Belief::concerns(measure.as_ref()))
        .map(|measure| measure.spec().to_string())
        .collect();
    if !as_is.is_empty() {
        notes.push(format!("{}: about what was judged, so left as they are", as_is.join(", ")));
    }
    notes
}

/// How the models did.
pub(super) fn table(belief: &Belief) -> Table {
    let chance = |key, rank: u32| Column::new(key, format!("at rank {rank}")).style(NumberStyle::Decimals(4));
    let mut table = Table::new("models", "Chances of unjudged documents")
        .column("model", "model")
        .with(Column::new("log_loss", "log loss on other topics").style(NumberStyle::Decimals(4)))
        .column("judged", "judged")
        .with(chance("rank_1", 1))
        .with(chance("rank_10", 10))
        .with(chance("rank_100", 100))
        .column("parameters", "parameters")
        .column("used", "used");
    for model in &belief.compared {
        let [first, tenth, hundredth] = model.chances;
        table.push(vec![
            model.name.into(),
            model.log_loss.into(),
            model.judged.into(),
            first.into(),
            tenth.into(),
            hundredth.into(),
            model.parameters.as_str().into(),
            model.used.into(),
        ]);
    }
    table
}
