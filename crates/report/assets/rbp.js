// RBP at any p from the judgements at the ranks, as crates/measures/src/rbp.rs and linear.rs have it (binary gain, cut at the depth that
// the page carries). A test compares it with `karat eval -m 'RBP(p=...)@depth'`.

/**
 * Score, bounds and variance (from the unjudged documents) of one list. `chance` is that of an
 * unjudged document being relevant; then the value is the expected one.
 * @param {Evidence} evidence
 * @param {TopicLists} topic
 * @param {number} run
 * @param {number} p
 * @param {number} chance
 * @returns {[number, number, number, number] | null}
 */
function rbpOfTopic(evidence, topic, run, p, chance) {
  const { depth, relevance_level, greatest_gain, missing_is_zero } = evidence.raw;
  const list = topic.lists[run];
  if (!list && !missing_is_zero) return null;
  const documents = list ? list.documents : new Int32Array(0);
  let value = 0, open = 0, squares = 0, weight = 1 - p;
  for (let rank = 0; rank < documents.length && rank < depth; rank += 1) {
    const grade = evidence.grade(topic.judged[documents[rank]]);
    if (grade === null) {
      open += weight;
      squares += weight * weight;
    } else if (grade >= relevance_level) value += weight;
    weight *= p;
  }
  // A list that ends leaves the attention below its end unspent, down to the depth.
  const seen = Math.min(documents.length, depth);
  const residual = open + (p ** seen - p ** depth);
  // A list without any document is expected to gain nothing.
  if (documents.length === 0) return [value, value, value + residual * greatest_gain, 0];
  // Squares of the weights below the end, which add up as the weights do.
  squares += ((1 - p) ** 2 * (p ** (2 * seen) - p ** (2 * depth))) / (1 - p * p);
  return [value + chance * residual, value, value + residual * greatest_gain, chance * (1 - chance) * squares];
}

/**
 * Means over topics of one run, with the interval over topics and, where unjudged documents have a chance, over those too.
 * @param {Evidence} evidence
 * @param {TopicLists[]} topics
 * @param {number} run
 * @param {number} p
 * @param {number} chance
 */
function rbpOfRun(evidence, topics, run, p, chance) {
  /** @type {number[]} */
  const values = [];
  let low = 0, high = 0, unjudged = 0;
  for (const topic of topics) {
    const found = rbpOfTopic(evidence, topic, run, p, chance);
    if (!found) continue;
    values.push(found[0]);
    low += found[1];
    high += found[2];
    unjudged += found[3];
  }
  const n = values.length;
  if (n === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const quantile = evidence.raw.quantiles[run];
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  // Each source by its own distribution, as karat eval adds them up.
  const reach = quantile === null ? 0 : quantile ** 2 * (squares / (n - 1) / n) + evidence.raw.normal_quantile ** 2 * (unjudged / n / n);
  const half = reach > 0 ? Math.sqrt(reach) : null;
  /** @type {Ends} */
  const interval = half === null ? null : [mean - half, mean + half];
  return { mean, low: low / n, high: high / n, interval, topics: n };
}
