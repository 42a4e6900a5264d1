//! Why there is no relevance model of unjudged documents, in words.

use karat_analysis::unjudged::ModelError;

/// What is wrong, and what to do.
pub fn reason(error: &ModelError) -> String {
    match error {
        ModelError::Runs(problems) => problems.to_string(),
        ModelError::Chance(found) => {
            format!("--unjudged q={found}: expected a probability of relevance from 0 to 1, such as q=0.1")
        }
        ModelError::NothingJudged => "--unjudged: no retrieved document is judged, so there is nothing to fit a model to; check that runs and \
                                    judgements belong together, or give the probability yourself (--unjudged q=0.1)"
            .into(),
        ModelError::OneTopic => "--unjudged: judged documents were retrieved for one topic only; a model needs at least two, to be fitted to \
                               some and checked on others. Give the probability yourself (--unjudged q=0.1)"
            .into(),
        ModelError::OnlyRelevant => "--unjudged: every judged document that was retrieved is relevant, so the judgements do not say how often \
                                   unjudged ones are. Use --unjudged nonrelevant, or give the probability yourself (--unjudged q=0.1)"
            .into(),
        ModelError::NoGrade { level, largest } => format!(
            "--unjudged: the minimum relevant grade is {level} (-l), but the largest grade is {largest}; lower -l, or set --max-grade if \
             higher grades are possible"
        ),
        ModelError::Urn(why) => format!("--unjudged urn: {why}; or use --unjudged fit"),
    }
}
