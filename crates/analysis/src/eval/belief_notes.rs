//! Notes of `eval` on the relevance model of unjudged documents.

use karat_report::{Column, NumberStyle, Table};

use crate::scores::Setting;
use crate::unjudged::Belief;

/// How the expected values are made, and where they may be wrong.
pub(super) fn notes(setting: &Setting<'_>) -> Vec<String> {
    let Some(belief) = setting.belief else { return Vec::new() };
    let mut notes = Vec::new();
    if !setting.measures.iter().any(|measure| Belief::concerns(measure.as_ref())) {
        return vec!["The relevance model is not used: all measures depend on judged documents only.".into()];
    }
    let source = match belief.compared.iter().find(|model| model.used) {
        Some(model) => format!("the {} model: {}", model.name, model.assumes),
        None => "the given probability".into(),
    };
    notes.push(format!(
        "Values are expected values under {source}. \"If judged\" is the range of the value if everything were judged; \
         the last interval adds topic sampling error."
    ));
    if !belief.compared.is_empty() {
        notes.push(
            "The model is fitted to the judged documents of all given runs. Values may be too high, because pooling selects \
             documents that are more often relevant, most of all for runs outside the pool."
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
            "{linear}: ranks below the end of a list count as unjudged, with the probabilities of those ranks"
        ));
    }
    let drawn = read_on(&["INST", "NERR10", "NERR11"]);
    if !drawn.is_empty() {
        notes.push(format!(
            "{drawn}: ranks below the end of a list count as not relevant; only the bounds include them"
        ));
    }
    let as_is: Vec<String> = setting
        .measures
        .iter()
        .filter(|measure| !Belief::concerns(measure.as_ref()))
        .map(|measure| measure.spec().to_string())
        .collect();
    if !as_is.is_empty() {
        notes.push(format!(
            "{}: not affected by the model, because they describe the judged documents",
            as_is.join(", ")
        ));
    }
    notes
}

/// The models and their fit.
pub(super) fn table(belief: &Belief) -> Table {
    let chance = |key, rank: u32| Column::new(key, format!("rank {rank}")).style(NumberStyle::Decimals(4));
    let mut table = Table::new("models", "Relevance models of unjudged documents")
        .column("model", "model")
        .with(Column::new("log_loss", "log loss").style(NumberStyle::Decimals(4)))
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
