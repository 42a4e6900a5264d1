//! Drawing things with known probabilities: documents of a pool, documents or topics that settle a comparison.

use karat_stats::seed::Stream;

/// `size` of `count` things, each as likely as any other: which are drawn.
pub fn evenly(count: usize, size: usize, stream: &mut Stream) -> Vec<bool> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut drawn = vec![false; count];
    for at in 0..size.min(count) {
        order.swap(at, at + stream.below((count - at) as u64) as usize);
        drawn[order[at]] = true;
    }
    drawn
}

/// Probabilities proportional to the weights, none above 1, so that the expected cost is `total`, or all costs where that is less: what would be
/// above 1 is drawn surely, and the rest shares what is left.
pub fn proportional(weights: &[f64], costs: &[f64], total: f64) -> Vec<f64> {
    if costs.iter().sum::<f64>() <= total {
        return vec![1.0; weights.len()];
    }
    // Largest first: once none is sure with what is left, none after it is.
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    let product = |at: usize| weights[at] * costs[at];
    let (mut rest, mut left) = ((0..weights.len()).map(product).sum::<f64>(), total);
    let mut sure = vec![false; weights.len()];
    for &at in &order {
        if rest <= 0.0 || left * weights[at] < rest {
            break;
        }
        sure[at] = true;
        left -= costs[at];
        rest -= product(at);
    }
    // Added up anew, because differences are rounded.
    let rest: f64 = (0..weights.len()).filter(|&at| !sure[at]).map(product).sum();
    let share = |weight: f64| if rest > 0.0 { (left * weight / rest).clamp(0.0, 1.0) } else { 0.0 };
    weights.iter().zip(&sure).map(|(&weight, &sure)| if sure { 1.0 } else { share(weight) }).collect()
}

/// Draws each thing with its probability, and as many as they add up to: systematic sampling after Madow (1949), the things
/// in random order.
pub(crate) fn systematic(probabilities: &[f64], stream: &mut Stream) -> Vec<bool> {
    let order = shuffled(probabilities.len(), stream);
    marked(&order, probabilities, stream)
}

/// The same where things of a block stay together, in random order, and the blocks are in random order: the sample is spread over the blocks.
/// `starts` are the first things of the blocks.
pub(crate) fn systematic_by_block(probabilities: &[f64], starts: &[usize], stream: &mut Stream) -> Vec<bool> {
    let mut order = Vec::with_capacity(probabilities.len());
    for block in shuffled(starts.len(), stream) {
        let (first, end) = (starts[block], starts.get(block + 1).copied().unwrap_or(probabilities.len()));
        order.extend(shuffled(end - first, stream).into_iter().map(|place| first + place));
    }
    marked(&order, probabilities, stream)
}

fn shuffled(count: usize, stream: &mut Stream) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        order.swap(at, stream.below(at as u64 + 1) as usize);
    }
    order
}

fn marked(order: &[usize], probabilities: &[f64], stream: &mut Stream) -> Vec<bool> {
    let start = stream.unit();
    let mut drawn = vec![false; probabilities.len()];
    let mut passed = 0.0;
    for &at in order {
        // Marks stand at start, start + 1, ...; what holds one is drawn. What is sure is, whatever rounding says.
        let next: f64 = passed + probabilities[at];
        drawn[at] = probabilities[at] >= 1.0 || (next - start).ceil().max(0.0) > (passed - start).ceil().max(0.0);
        passed = next;
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_stats::Seed;

    #[test]
    fn probabilities_by_hand() {
        // 2 of weights 6, 3, 1: 2 * 6 / 10 is above 1, so the first is sure; the others share 1: 3/4 and 1/4.
        assert_eq!(proportional(&[6.0, 3.0, 1.0], &[1.0; 3], 2.0), [1.0, 0.75, 0.25]);
        assert_eq!(proportional(&[1.0, 1.0, 0.0], &[1.0; 3], 2.0), [1.0, 1.0, 0.0]);
        assert_eq!(proportional(&[2.0, 2.0], &[1.0; 2], 1.0), [0.5, 0.5]);
        assert_eq!(proportional(&[0.0, 0.0], &[1.0; 2], 1.0), [0.0, 0.0]);
        // Costs 2 and 4, weights 1 and 1, a total of 3: 3/6 each.
        assert_eq!(proportional(&[1.0, 1.0], &[2.0, 4.0], 3.0), [0.5, 0.5]);
        assert_eq!(proportional(&[1.0, 2.0], &[1.0, 1.0], 5.0), [1.0, 1.0]);
        // Of costs 2 and 4 a total of 4, weights 9 and 1: 4 · 9 is above 9 · 2 + 1 · 4 = 22, so the first is sure, and 2 of 4 are left.
        assert_eq!(proportional(&[9.0, 1.0], &[2.0, 4.0], 4.0), [1.0, 0.5]);
    }

    #[test]
    fn things_are_drawn_as_often_as_their_probabilities_say() {
        let chances = [1.0, 0.75, 0.25, 0.6, 0.4];
        let (mut counts, mut even) = ([0u32; 5], [0u32; 5]);
        for draw in 0..10_000 {
            let mut stream = Seed(3).stream("test", draw);
            let drawn = systematic(&chances, &mut stream);
            assert_eq!(drawn.iter().filter(|&&drawn| drawn).count(), 3);
            drawn.iter().zip(&mut counts).for_each(|(&drawn, count)| *count += u32::from(drawn));
            let drawn = evenly(5, 2, &mut stream);
            assert_eq!(drawn.iter().filter(|&&drawn| drawn).count(), 2);
            drawn.iter().zip(&mut even).for_each(|(&drawn, count)| *count += u32::from(drawn));
        }
        // The standard deviation of a count is at most sqrt(10000/4) = 50; five of them.
        for (count, chance) in counts.iter().zip(chances) {
            assert!((f64::from(*count) - 10_000.0 * chance).abs() < 250.0, "{counts:?}");
        }
        assert!(even.iter().all(|&count| count.abs_diff(4000) < 250), "{even:?}");
    }
}
