//! Clicks of invented users for the demo: an A/B test over two weeks, and searches whose results were interleaved.

use std::collections::BTreeMap;
use std::fmt::Write;

use karat_sim::clicks::{ClickError, ClickWorld};
use karat_stats::seed::Seed;

/// What is true of the A/B test: B raises every user's rate by a tenth.
pub const WORLD: ClickWorld = ClickWorld { rate: 0.4, spread: 0.8, searches: 6.0, users: 4000, lift: 0.1 };
const DAYS: u64 = 14;
/// Users and mean chance that a search is won by b, of those that are won; a third is not clicked and a tenth is tied.
const USERS: u64 = 400;

/// A row for every user and day with searches. Users come one after another over the days, and come back.
pub fn clicks(seed: Seed) -> Result<Vec<u8>, ClickError> {
    WORLD.check()?;
    let mut stream = seed.stream("demo clicks", 0);
    let searches = WORLD.searches(&mut stream);
    let mut rows: BTreeMap<(u64, u32), (bool, u32, u32)> = BTreeMap::new();
    let (mut user, mut day) = (u32::MAX, 0);
    for search in searches {
        if search.user != user {
            user = search.user;
            day = u64::from(user) * DAYS / u64::from(WORLD.users);
        } else if stream.unit() < 0.3 {
            day = (day + 1 + stream.below(3)).min(DAYS - 1);
        }
        let row = rows.entry((day, user)).or_insert((search.treated, 0, 0));
        row.1 += 1;
        row.2 += u32::from(search.clicked);
    }
    let mut out = String::from("day,user,arm,searches,clicks\n");
    for ((day, user), (treated, searches, clicks)) in rows {
        let arm = if treated { "B" } else { "A" };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "2026-03-{:02},u{user},{arm},{searches},{clicks}", day + 1);
    }
    Ok(out.into_bytes())
}

/// A row for every search; some users like a better and some b, more of them b.
pub fn interleaving(seed: Seed) -> Vec<u8> {
    let mut stream = seed.stream("demo interleaving", 0);
    let mut out = String::from("search,user,winner,length_a,length_b\n");
    let mut search = 0;
    for user in 0..USERS {
        let liking = 0.35 + 0.4 * stream.unit();
        loop {
            search += 1;
            let chance = stream.unit();
            let winner = match chance {
                low if low < 0.33 => "",
                low if low < 0.43 => "tie",
                _ if stream.unit() < liking => "b",
                _ => "a",
            };
            let length = if stream.unit() < 0.1 { 7 } else { 10 };
            let _ = writeln!(out, "s{search},u{user},{winner},10,{length}");
            if stream.unit() < 0.4 {
                break;
            }
        }
    }
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_have_one_arm_and_rates_are_as_they_should_be() {
        let text = String::from_utf8(clicks(Seed(4)).unwrap()).unwrap();
        let (mut arms, mut sums) = (BTreeMap::new(), BTreeMap::new());
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let [_, user, arm, searches, clicks] = fields[..] else { panic!("{line}") };
            assert_eq!(*arms.entry(user.to_owned()).or_insert(arm.to_owned()), arm);
            let sum: &mut (f64, f64) = sums.entry(arm.to_owned()).or_default();
            *sum = (sum.0 + clicks.parse::<f64>().unwrap(), sum.1 + searches.parse::<f64>().unwrap());
        }
        assert_eq!(arms.len(), WORLD.users as usize);
        for (arm, rate) in [("A", 0.4), ("B", 0.44)] {
            // About 2000 users an arm, whose rates have a standard deviation of .18: a standard error of about .007.
            assert!((sums[arm].0 / sums[arm].1 - rate).abs() < 0.03, "{sums:?}");
        }
        let outcomes = String::from_utf8(interleaving(Seed(4))).unwrap();
        let won = |by: &str| outcomes.lines().filter(|line| line.contains(&format!(",{by},10"))).count() as f64;
        // .55 of those won: 1000 searches, .57 of them won.
        assert!((won("b") / (won("a") + won("b")) - 0.55).abs() < 0.09);
    }
}
