// Figures of two chosen runs, as crates/analysis/src/figures/topic_differences.rs and scatter.rs build them.

/**
 * Difference and bounds of two runs on every topic that both have a score for.
 * @param {Evidence} evidence
 * @param {number} measure
 * @param {number} a
 * @param {number} b
 */
function topicDifferences(evidence, measure, a, b) {
  const pair = evidence.pair(measure, a, b);
  const turned = pair && pair[8] && pair[8].turned;
  /** @type {{ topic: number, difference: number, bounds: Ends }[]} */
  const rows = [];
  if (pair && pair[8]) {
    for (const [topic, difference, low, high] of pair[8].rows) {
      /** @type {Ends} */
      const bounds = low === null || high === null ? null : turned ? [-high, -low] : [low, high];
      rows.push({ topic, difference: turned ? 0 - difference : difference, bounds });
    }
    return rows;
  }
  evidence.raw.topics.forEach((_, topic) => {
    const difference = evidence.score(0, measure, a, topic) - evidence.score(0, measure, b, topic);
    if (Number.isFinite(difference)) rows.push({ topic, difference, bounds: null });
  });
  return rows;
}

/**
 * @param {string} text
 * @param {number} most
 */
function begin(text, most) {
  return [...text].slice(0, most).join("");
}

/**
 * Names of topics next to the ends of their bars.
 * @param {{ name: string, difference: number, bounds: Ends }[]} rows
 * @param {number} unit
 * @param {(at: number) => number} placeOf
 * @param {1 | -1} side
 */
function namesOf(rows, unit, placeOf, side) {
  /** @type {Mark[]} */
  const marks = [];
  const heights = rows.map((row) => {
    const end = (row.bounds ? row.bounds[side > 0 ? 1 : 0] : row.difference) * side;
    return (Number.isFinite(end) ? end : 0) + (unit * 14) / 2;
  });
  for (let at = heights.length - 2; at >= 0; at -= 1) heights[at] = Math.max(heights[at], heights[at + 1] + unit * 14);
  rows.forEach((row, at) => {
    const x = placeOf(at), end = heights[at] * side;
    marks.push({ kind: "span", series: GREY, label: "", name: "", weight: 0.6, cap: 0, from: [x, row.difference], to: [x, end] });
    marks.push({
      kind: "words", at: [x, end], text: `${begin(row.name, 24)} ${three(row.difference)}`,
      anchor: side > 0 ? "start" : "end", shift: [4 * side, 0], on_colour: false,
    });
  });
  return marks;
}

/**
 * @param {Evidence} evidence
 * @param {number} measure
 * @param {number} a
 * @param {number} b
 * @param {string} reading
 * @returns {Figure}
 */
function differencesFigure(evidence, measure, a, b, reading) {
  const { measures, runs, topics } = evidence.raw;
  const name = measures[measure], first = runs[a], second = runs[b];
  const rows = topicDifferences(evidence, measure, a, b).map((row) => ({ ...row, name: topics[row.topic] }));
  /** @type {Figure} */
  const figure = {
    id: "topic_differences", title: `${name} by topic: ${first} − ${second}`, subtitle: "", reading, columns: 1,
    panels: [], empty: null, table: null,
  };
  if (rows.length === 0) return { ...figure, empty: "no topic has a score of both runs" };
  rows.sort((one, other) => other.difference - one.difference || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
  let down = 0, up = 0;
  for (const { difference, bounds } of rows) {
    for (const end of bounds ? [...bounds, difference] : [difference]) {
      down = Math.max(down, 0 - end);
      up = Math.max(up, end);
    }
  }
  const unit = Math.max(up + down, 1e-6) / (320 - 2 * 14 * 5), room = unit * 14 * 5, last = rows.length - 0.5;
  /** @type {Mark[]} */
  const marks = [];
  rows.forEach((row, at) => {
    const better = row.difference >= 0;
    marks.push({
      kind: "bar", series: better ? 0 : 1, label: row.difference === 0 ? "" : `${better ? first : second} better`,
      name: `topic ${row.name}: ${three(row.difference)}`, shade: 1, x: [at - 0.42, at + 0.42], y: [0, row.difference],
    });
    if (row.bounds && row.bounds[1] - row.bounds[0] > 1e-12) {
      marks.push({
        kind: "span", series: INK, label: "bounds",
        name: `topic ${row.name}: from ${three(row.bounds[0])} to ${three(row.bounds[1])}`, weight: 1, cap: 0,
        from: [at, row.bounds[0]], to: [at, row.bounds[1]],
      });
    }
  });
  marks.push({ kind: "span", series: INK, label: "", name: "", weight: 1, cap: 0, from: [-0.5, 0], to: [last, 0] });
  const winners = rows.slice(0, 5).filter((row) => row.difference > 0);
  const losers = [...rows].reverse().slice(0, 5).filter((row) => row.difference < 0);
  marks.push(...namesOf(winners, unit, (at) => at, 1));
  marks.push(...namesOf(losers, unit, (at) => rows.length - 1 - at, -1));
  const won = rows.filter((row) => row.difference > 0).length, lost = rows.filter((row) => row.difference < 0).length;
  const mean = rows.reduce((sum, row) => sum + row.difference, 0) / rows.length;
  const pair = evidence.pair(measure, a, b);
  const sampled = pair && pair[10] ? ` as judged, ${three(pair[2])} from the sample` : "";
  const x = {
    label: `${count(rows.length, "topic")}, sorted from best for ${first} to best for ${second}`, low: -0.5,
    high: last, ticks: /** @type {[number, string][]} */ ([[-0.5, ""]]), grid: false,
  };
  const y = { label: `difference in ${name}`, low: 0 - down - room, high: up + room, ticks: [], grid: true };
  return {
    ...figure,
    subtitle: `mean ${three(mean)}${sampled}; ${first} is better on ${count(won, "topic")}, ${second} on ${lost}, equal on ${rows.length - won - lost}`,
    panels: [{ title: "", x, y, right: null, width: 0, height: 320, marks }],
    table: {
      title: "", headings: ["topic", `${first} − ${second}`, "bounds"],
      rows: rows.map((row) => [row.name, score(row.difference), range(row.bounds)]),
    },
  };
}

/**
 * @param {Evidence} evidence
 * @param {number} measure
 * @param {number} a
 * @param {number} b
 * @param {string} reading
 * @returns {Figure}
 */
function scatterFigure(evidence, measure, a, b, reading) {
  const { measures, runs, topics } = evidence.raw;
  const name = measures[measure], first = runs[a], second = runs[b];
  /** @type {[string, number, number][]} */
  const known = [];
  topics.forEach((topic, at) => {
    const x = evidence.score(0, measure, a, at), y = evidence.score(0, measure, b, at);
    if (Number.isFinite(x) && Number.isFinite(y)) known.push([topic, x, y]);
  });
  /** @type {Figure} */
  const figure = {
    id: "scatter", title: `${name}: ${first} against ${second}, topic by topic`, subtitle: "", reading, columns: 1,
    panels: [], empty: null, table: null,
  };
  if (known.length === 0) return { ...figure, empty: "no topic has a score of both runs" };
  let low = 0, high = 0;
  for (const [, x, y] of known) {
    low = Math.min(low, x, y);
    high = Math.max(high, x, y);
  }
  high = high <= 1 && high > 0.5 ? 1 : high > low ? high * 1.05 : 1;
  /** @param {string} run @returns {Axis} */
  const axis = (run) => ({ label: `${name} of ${run}`, low, high, ticks: [], grid: true });
  /** @type {Mark[]} */
  const marks = [{ kind: "line", series: GREY, label: "", name: "equal", dash: 1, points: [[low, low], [high, high]] }];
  for (const [topic, x, y] of known) {
    const series = x > y ? 0 : x < y ? 1 : INK;
    marks.push({
      kind: "point", series, label: x > y ? `${first} better` : x < y ? `${second} better` : "equal",
      name: `topic ${topic}: ${first} ${three(x)}, ${second} ${three(y)}`, shape: SHAPES[series % 6], size: 3.5, at: [y, x],
    });
  }
  /** @param {number} at */
  const apart = (at) => Math.abs(known[at][1] - known[at][2]);
  const order = known.map((_, at) => at).sort((one, other) => apart(other) - apart(one) || one - other);
  /** @type {Point[]} */
  const taken = [];
  for (const at of order.slice(0, 6)) {
    if (!(apart(at) > 0)) continue;
    const [topic, x, y] = known[at];
    const across = (high - low) * 0.2, down = (high - low) * 0.035;
    if (taken.some(([tx, ty]) => Math.abs(tx - y) < across && Math.abs(ty - x) < down)) continue;
    taken.push([y, x]);
    const right = y > low + 0.75 * (high - low);
    marks.push({
      kind: "words", at: [y, x], text: begin(topic, 24), anchor: right ? "end" : "start", shift: [right ? -7 : 7, x < low + 0.03 * (high - low) ? -9 : 0], on_colour: false,
    });
  }
  return {
    ...figure, subtitle: `${count(known.length, "topic")}${evidence.pair(measure, a, b)?.[10] ? " as judged" : ""}; names: topics with the largest differences`,
    panels: [{ title: "", x: axis(second), y: axis(first), right: null, width: 420, height: 420, marks }],
    table: { title: "", headings: ["topic", first, second], rows: known.map(([topic, x, y]) => [topic, score(x), score(y)]) },
  };
}
