// Some runs of a figure: rows and columns that are runs, and curves named after runs.

/**
 * The figure with the runs in `kept` only; `runs` are all runs. Rows close up, axes keep their scales.
 * @param {Figure} figure
 * @param {string[]} runs
 * @param {Set<string>} kept
 * @returns {Figure}
 */
function selected(figure, runs, kept) {
  if (kept.size === runs.length) return figure;
  const all = new Set(runs);
  const panels = figure.panels.map((panel) => ofPanel(panel, all, kept));
  const table = figure.table && {
    ...figure.table,
    rows: figure.table.rows.filter((row) => row.every((cell, at) => at > 1 || !all.has(cell) || kept.has(cell))),
  };
  return { ...figure, panels, table };
}

/**
 * The run that a tick names, by itself or with its number as in a matrix; null where it names none.
 * @param {string} text
 * @param {Set<string>} all
 */
function runOf(text, all) {
  if (all.has(text)) return text;
  const numbered = /^(.*?) +[0-9]+$/s.exec(text);
  return numbered && all.has(numbered[1]) ? numbered[1] : null;
}

/**
 * Whether the axis has a name at each whole number, and all of them are runs.
 * @param {Axis | null} axis
 * @param {Set<string>} all
 */
function ofRuns(axis, all) {
  return axis !== null && axis.ticks.length > 0 && axis.ticks.every(([at, name]) => Number.isInteger(at) && runOf(name, all) !== null);
}

/**
 * Whether the columns are the rows, by their numbers.
 * @param {Panel} panel
 */
function ofNumbers({ x, y }) {
  return x !== null && y !== null && x.ticks.length > 0 && x.ticks.every(([at, name]) => name === "" || name === String(at + 1)) && y.ticks.every(([at, name]) => name.endsWith(` ${at + 1}`));
}

/**
 * Where the rows of an axis go; null for those that are left out.
 * @param {Axis} axis
 * @param {Set<string>} all
 * @param {Set<string>} kept
 */
function moves(axis, all, kept) {
  /** @type {Map<number, number>} */
  const to = new Map();
  for (const [at, name] of axis.ticks) if (kept.has(runOf(name, all) ?? "")) to.set(at, to.size);
  return to;
}

/**
 * @param {Axis} axis
 * @param {Map<number, number>} to
 * @returns {Axis}
 */
function closedUp(axis, to) {
  const last = Math.max(1, to.size) - 0.5;
  /** @type {[number, string][]} */
  const kept = [];
  for (const [at, name] of axis.ticks) {
    const place = to.get(at);
    if (place !== undefined) kept.push([place, name]);
  }
  return axis.low > axis.high ? { ...axis, low: last, high: -0.5, ticks: kept } : { ...axis, low: -0.5, high: last, ticks: kept };
}

/**
 * @param {Panel} panel
 * @param {Set<string>} all
 * @param {Set<string>} kept
 * @returns {Panel}
 */
function ofPanel(panel, all, kept) {
  const rows = panel.y && ofRuns(panel.y, all) ? moves(panel.y, all, kept) : null;
  const columns = rows && ofNumbers(panel) ? rows : panel.x && ofRuns(panel.x, all) ? moves(panel.x, all, kept) : null;
  /** @param {Map<number, number> | null} to @param {number} value */
  const moved = (to, value) => {
    if (!to) return value;
    const row = Math.round(value);
    const place = to.get(row);
    return place === undefined ? NaN : place + (value - row);
  };
  /** @param {Point} at @returns {Point} */
  const both = ([x, y]) => [moved(columns, x), moved(rows, y)];
  /** @type {Mark[]} */
  const marks = [];
  for (const mark of panel.marks) {
    const found = ofMark(mark, all, kept, both);
    if (found) marks.push(found);
  }
  const was = panel.y ? panel.y.ticks.length : 1, wasAcross = panel.x ? panel.x.ticks.length : 1;
  const right = panel.right && rows
    ? { ...panel.right, ticks: /** @type {[number, string][]} */ (panel.right.ticks.filter(([at]) => rows.has(at)).map(([at, text]) => [rows.get(at), text])) }
    : panel.right;
  const height = rows && rows.size < was ? Math.max(40, (panel.height * rows.size) / was) : panel.height;
  const width = columns && columns.size < wasAcross && panel.width > 0 ? Math.max(60, (panel.width * columns.size) / wasAcross) : panel.width;
  return {
    ...panel, marks, right, height, width,
    x: panel.x && columns ? closedUp(panel.x, columns) : panel.x,
    y: panel.y && rows ? closedUp(panel.y, rows) : panel.y,
  };
}

/**
 * @param {Mark} mark
 * @param {Set<string>} all
 * @param {Set<string>} kept
 * @param {(at: Point) => Point} both
 * @returns {Mark | null}
 */
function ofMark(mark, all, kept, both) {
  /** @param {Point} at */
  const known = (at) => Number.isFinite(at[0]) && Number.isFinite(at[1]);
  switch (mark.kind) {
    case "line":
      return all.has(mark.name) && !kept.has(mark.name) ? null : mark;
    case "band":
      return all.has(mark.label) && !kept.has(mark.label) ? null : mark;
    case "point": {
      const at = both(mark.at);
      return known(at) ? { ...mark, at } : null;
    }
    case "words": {
      const at = both(mark.at);
      return known(at) ? { ...mark, at } : null;
    }
    case "bar": {
      // The sides of a bar may lie on the border of two rows: its middle says whose it is.
      const middle = both([(mark.x[0] + mark.x[1]) / 2, (mark.y[0] + mark.y[1]) / 2]);
      if (!known(middle)) return null;
      const dx = middle[0] - (mark.x[0] + mark.x[1]) / 2, dy = middle[1] - (mark.y[0] + mark.y[1]) / 2;
      return { ...mark, x: [mark.x[0] + dx, mark.x[1] + dx], y: [mark.y[0] + dy, mark.y[1] + dy] };
    }
    default: {
      const middle = both([(mark.from[0] + mark.to[0]) / 2, (mark.from[1] + mark.to[1]) / 2]);
      if (!known(middle)) return null;
      const dx = middle[0] - (mark.from[0] + mark.to[0]) / 2, dy = middle[1] - (mark.from[1] + mark.to[1]) / 2;
      return { ...mark, from: [mark.from[0] + dx, mark.from[1] + dy], to: [mark.to[0] + dx, mark.to[1] + dy] };
    }
  }
}
