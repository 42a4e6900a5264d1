//! Fleiss' kappa.

use super::{Coefficient, Example, Of, Tally, Undefined, beyond_chance};

pub(super) const ROW: Coefficient = Coefficient {
    name: "fleiss",
    title: "Fleiss' kappa",
    formula: "(Po - Pe) / (1 - Pe), Po mean over items of equal pairs, Pe = sum over grades of (mean share over items)^2",
    reading: "Scott's pi for any number of judges, who need not be the same for every item. If items have different \
              numbers of labels, each item has the same weight (Gwet's generalisation); items with one label count \
              only for the shares.",
    citation: "Fleiss (1971), Measuring nominal scale agreement among many raters, Psychological Bulletin 76(5)",
    beyond_chance: true,
    of: Of::AnyJudges(fleiss),
    example: Example {
        table: &[&[70, 10], &[20, 300]],
        value: 0.2596875 / 0.3346875,
        derivation: "for two judges it is Scott's pi: Po = .925, Pe = .6653125",
    },
};

fn fleiss(tally: &Tally) -> Result<f64, Undefined> {
    let observed = tally.agreement().ok_or(Undefined::NoOverlap)?;
    let shares = tally.mean_shares().ok_or(Undefined::NoOverlap)?;
    beyond_chance(observed, shares.iter().map(|share| share * share).sum())
}

#[cfg(test)]
mod tests {
    use super::super::{Counted, Labels};
    use super::*;

    #[test]
    fn three_judges_by_hand() {
        // Items 000, 011, 111: equal pairs 1, 1/3, 1, mean 7/9. Shares of 0: 1, 1/3, 0, mean 4/9; Pe = 16/81 + 25/81 = 41/81.
        // (63 - 41)/81 over (81 - 41)/81 = 22/40.
        let mut labels = Labels::new(&[0.0, 1.0], 3).unwrap();
        for grades in [[0.0, 0.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]] {
            labels.push(grades.into_iter().enumerate()).unwrap();
        }
        assert!((Counted::new(&labels).value(&ROW).unwrap() - 0.55).abs() < 1e-12);
    }
}
