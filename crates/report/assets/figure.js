// Draws a figure by the same rules as crates/report/src/figure: a test holds the two to the same characters.

const WIDTH = 720, EDGE = 10, TITLE = 15, TEXT = 12, SMALL = 11, LINE = 17, NAME = 220, SWATCH = 32;
/** A screen with less room than this gets figures of its own. */
const NARROW = 560;
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "currentColor", "#8a8a8a"];
const INK = 6, GREY = 7;
const DASHES = ["", "6 4", "2 3", "8 3 2 3"];
const FAINT = 'fill="none" stroke="currentColor" stroke-opacity="0.55"';
const GRID = 'fill="none" stroke="currentColor" stroke-opacity="0.13"';
/** @type {Shape[]} */
const SHAPES = ["disc", "square", "triangle", "diamond", "cross", "ring"];

/** @param {number} value */
function tenths(value) {
  return Number.isFinite(value) ? Math.floor(value * 10 + 0.5) / 10 + 0 : 0;
}

/** @param {string} text */
function escaped(text) {
  /** @type {Record<string, string>} */
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (c) => names[c]);
}

/** @param {string} c one character */
function thousandths(c) {
  if (" !'(),-./:;I[]`fijlrt{|}".includes(c)) return 380;
  if ("%@MWmw".includes(c)) return 960;
  if (c >= "A" && c <= "Z") return 720;
  return (c.codePointAt(0) ?? 0) >= 0x1100 ? 1050 : 630;
}

/**
 * @param {string} text
 * @param {number} size
 */
function textWidth(text, size) {
  let sum = 0;
  for (const c of text) sum += thousandths(c);
  return (sum * size) / 1000;
}

/**
 * The text, cut where it is wider than the room, and whether it was.
 * @param {string} text
 * @param {number} size
 * @param {number} room
 * @returns {[string, boolean]}
 */
function fit(text, size, room) {
  if (textWidth(text, size) <= room) return [text, false];
  let kept = "";
  let used = (thousandths("…") * size) / 1000;
  for (const c of text) {
    used += (thousandths(c) * size) / 1000;
    if (used > room) break;
    kept += c;
  }
  return [kept + "…", true];
}

/**
 * @param {string} text
 * @param {number} size
 * @param {number} room
 */
function wrap(text, size, room) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    if (word === "") continue;
    const last = lines[lines.length - 1];
    if (last !== undefined && textWidth(`${last} ${word}`, size) <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(fit(word, size, room)[0]);
  }
  return lines;
}

/**
 * @param {Axis | null} axis
 * @param {number} value
 */
function share(axis, value) {
  let place = value;
  if (axis) place = axis.high !== axis.low ? (value - axis.low) / (axis.high - axis.low) : 0.5;
  return Math.min(1, Math.max(0, place));
}

/**
 * @param {Frame} frame
 * @param {Panel} panel
 * @param {Point} at
 * @returns {Point}
 */
function place(frame, panel, [x, y]) {
  return [frame.left + share(panel.x, x) * frame.width, frame.top + (1 - share(panel.y, y)) * frame.height];
}

/**
 * Values of an axis that have words.
 * @param {Axis} axis
 * @param {number} length
 * @param {number} room
 * @returns {[number, string][]}
 */
function ticks(axis, length, room) {
  if (axis.ticks.length > 0) return axis.ticks;
  const low = Math.min(axis.low, axis.high), high = Math.max(axis.low, axis.high);
  const span = high - low;
  const raw = span / Math.max(2, Math.floor(length / room));
  if (!(raw > 1e-9 && span < 1e12)) return [];
  let magnitude = 1, digits = 0;
  while (magnitude * 10 <= raw) magnitude *= 10;
  while (magnitude > raw) {
    magnitude /= 10;
    digits += 1;
  }
  const times = [1, 2, 5, 10].find((by) => by * magnitude >= raw * 0.999) ?? 10;
  if (times >= 10 && digits > 0) digits -= 1;
  const step = times * magnitude;
  /** @type {[number, string][]} */
  const all = [];
  const last = Math.floor(high / step + 1e-9);
  for (let at = Math.ceil(low / step - 1e-9); at <= last; at += 1) all.push([at * step, decimals(at * step, digits)]);
  return all;
}

/**
 * @param {Panel} panel
 * @param {number} height
 */
function leftOf(panel, height) {
  if (!panel.y) return 4;
  let words = 0;
  for (const [, text] of ticks(panel.y, height, 40)) words = Math.max(words, Math.min(textWidth(text, SMALL), NAME));
  return Math.ceil((panel.y.label === "" ? 0 : 18) + words + 10);
}

/** @param {Panel} panel */
function rightOf(panel) {
  if (!panel.right) return 18;
  let words = 0;
  for (const [, text] of panel.right.ticks) words = Math.max(words, textWidth(text, SMALL));
  return Math.ceil(Math.min(Math.max(words, textWidth(panel.right.label, SMALL)), 2 * NAME) + 14);
}

/** @param {Panel} panel */
function topOf(panel) {
  return panel.title !== "" || (panel.right && panel.right.label !== "") ? 26 : 8;
}

/** @param {Panel} panel */
function bottomOf(panel) {
  return panel.x ? (panel.x.label === "" ? 28 : 44) : 8;
}

/** @param {Figure} figure */
function whyEmpty(figure) {
  if (figure.empty !== null) return figure.empty;
  return figure.panels.every((panel) => panel.marks.length === 0) ? "no values" : null;
}

/**
 * @param {Mark} mark
 * @returns {[Swatch, string] | null}
 */
function swatchOf(mark) {
  switch (mark.kind) {
    case "line": return [{ kind: "line", series: mark.series, dash: mark.dash }, mark.label];
    case "band": return [{ kind: "area", series: mark.series }, mark.label];
    case "point": return [{ kind: "point", series: mark.series, shape: mark.shape }, mark.label];
    case "bar": return [{ kind: "bar", series: mark.series, shade: mark.shade }, mark.label];
    case "span": return [{ kind: "span", series: mark.series, weight: mark.weight, cap: mark.cap }, mark.label];
    default: return null;
  }
}

/**
 * What the legend names. Thick pieces are drawn last, upon thin ones, and named first.
 * @param {Figure} figure
 * @param {number} width
 * @returns {[Swatch, string][]}
 */
function named(figure, width) {
  /** @type {[Swatch, string][]} */
  const all = [];
  /** @type {Set<string>} */
  const seen = new Set();
  for (const panel of figure.panels) {
    for (const mark of panel.marks) {
      const found = swatchOf(mark);
      if (!found || found[1] === "") continue;
      const [label] = fit(found[1], TEXT, width - 2 * EDGE - SWATCH);
      const key = JSON.stringify([found[0], label]);
      if (seen.has(key)) continue;
      seen.add(key);
      all.push([found[0], label]);
    }
  }
  /** @param {[Swatch, string]} entry */
  const weight = ([swatch]) => (swatch.kind === "span" ? swatch.weight : 0);
  const pieces = all.filter(([swatch]) => swatch.kind === "span").sort((a, b) => weight(b) - weight(a));
  let next = 0;
  return all.map((entry) => (entry[0].kind === "span" ? pieces[next++] : entry));
}

/**
 * @param {Figure} figure
 * @param {number} width
 * @param {number} top
 */
function legend(figure, width, top) {
  /** @type {Entry[]} */
  const entries = [];
  let x = EDGE, y = top;
  for (const [swatch, label] of named(figure, width)) {
    const wide = SWATCH + textWidth(label, TEXT);
    if (x > EDGE && x + wide > width - EDGE) {
      x = EDGE;
      y += LINE + 2;
    }
    entries.push({ swatch, label, at: [x, y] });
    x += wide + 18;
  }
  return entries;
}

/**
 * The figure for a narrow screen: one panel below the other, without the words at the right, which its table has. Only
 * matrices keep their width, because their cells hold words.
 * @param {Figure} figure
 * @param {number} room
 * @returns {Figure}
 */
function narrowed(figure, room) {
  /** @param {Axis | null} axis @returns {Axis | null} */
  const shorter = (axis) => axis && { ...axis, ticks: axis.ticks.map(([value, text]) => [value, fit(text, SMALL, room / 3)[0]]) };
  const panels = figure.panels.map((panel) => {
    const matrix = panel.x && panel.y && panel.x.ticks.length > 0 && panel.y.ticks.length > 0;
    const square = panel.width > 0 && panel.width === panel.height;
    return {
      ...panel, right: null, y: shorter(panel.y), width: matrix ? panel.width : 0,
      height: square && !matrix ? Math.min(panel.height, room - 80) : panel.height,
    };
  });
  return { ...figure, columns: 1, panels };
}

/**
 * @param {Figure} figure
 * @param {number} least the width of a figure whose panels ask for no more
 */
function layout(figure, least) {
  const columns = Math.min(Math.max(1, figure.columns), Math.max(1, figure.panels.length));
  const slot = (least - 2 * EDGE) / columns;
  /** @param {Panel} panel */
  const heightOf = (panel) => (panel.height > 0 ? panel.height : columns === 1 ? 300 : Math.floor(slot * 0.75));
  /** @param {(panel: Panel) => number} of */
  const most = (of) => figure.panels.reduce((sum, panel) => Math.max(sum, of(panel)), 0);
  const left = most((panel) => leftOf(panel, heightOf(panel))), right = most(rightOf);
  const top = most(topOf), bottom = most(bottomOf);
  const asked = most((panel) => panel.width);
  const across = asked > 0 ? asked : Math.max(60, slot - left - right);
  const width = Math.max(least, 2 * EDGE + columns * (left + across + right));
  const title = wrap(figure.title, TITLE, width - 2 * EDGE - 20);
  const subtitle = wrap(figure.subtitle, TEXT, width - 2 * EDGE);
  let down = EDGE + 19 * title.length + LINE * subtitle.length + 4;
  /** @type {Frame[]} */
  const frames = [];
  for (let start = 0; start < figure.panels.length; start += columns) {
    const row = figure.panels.slice(start, start + columns);
    row.forEach((panel, column) => {
      const begin = EDGE + column * (left + across + right) + left;
      frames.push({ left: begin, top: down + top, width: across, height: heightOf(panel) });
    });
    down += top + row.reduce((tallest, panel) => Math.max(tallest, heightOf(panel)), 0) + bottom;
  }
  if (figure.panels.length === 0 || whyEmpty(figure) !== null) down += 3 * LINE;
  const entries = legend(figure, width, down + 14);
  const height = (entries.length > 0 ? entries[entries.length - 1].at[1] + 12 : down) + EDGE;
  return { width, height, title, subtitle, frames, entries };
}

/** @param {number} series */
function colour(series) {
  const at = series % COLOURS.length;
  return at === INK ? COLOURS[at] : `var(--figure-${at},${COLOURS[at]})`;
}

/** @param {number} dash */
function dashes(dash) {
  const lengths = DASHES[dash % DASHES.length];
  return lengths === "" ? "" : ` stroke-dasharray="${lengths}"`;
}

/**
 * An element, with a title where it has a name.
 * @param {string} tag
 * @param {string} attributes
 * @param {string} name
 */
function element(tag, attributes, name) {
  return name === "" ? `<${tag} ${attributes}/>\n` : `<${tag} ${attributes}><title>${escaped(name)}</title></${tag}>\n`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} attributes
 * @param {string} text
 */
function words(x, y, attributes, text) {
  return `<text x="${tenths(x)}" y="${tenths(y)}"${attributes === "" ? "" : " "}${attributes}>${escaped(text)}</text>\n`;
}

/**
 * Words cut to their room; the whole of them is in the title.
 * @param {Point} at
 * @param {string} attributes
 * @param {string} text
 * @param {number} size
 * @param {number} room
 */
function cutWords(at, attributes, text, size, room) {
  const [shown, cut] = fit(text, size, room);
  const title = cut ? `<title>${escaped(text)}</title>` : "";
  return `<text x="${tenths(at[0])}" y="${tenths(at[1])}" ${attributes}>${escaped(shown)}${title}</text>\n`;
}

/**
 * @param {number} series
 * @param {Shape} shape
 * @param {number} r
 * @param {Point} at
 * @param {string} name
 */
function drawPoint(series, shape, r, [x, y], name) {
  const filled = `fill="${colour(series)}"`;
  const stroked = `fill="none" stroke="${colour(series)}" stroke-width="1.6"`;
  const disc = `cx="${tenths(x)}" cy="${tenths(y)}" r="${tenths(r)}"`;
  /** @param {Point[]} corners */
  const polygon = (corners) => `d="M${corners.map(([x, y]) => `${tenths(x)} ${tenths(y)}`).join("L")}Z" ${filled}`;
  const s = tenths(2 * r);
  switch (shape) {
    case "disc": return element("circle", `${disc} ${filled}`, name);
    case "ring": return element("circle", `${disc} ${stroked}`, name);
    case "square": return element("path", `d="M${tenths(x - r)} ${tenths(y - r)}h${s}v${s}h-${s}Z" ${filled}`, name);
    case "diamond": {
      const q = r * 1.3;
      return element("path", polygon([[x, y - q], [x + q, y], [x, y + q], [x - q, y]]), name);
    }
    case "triangle": {
      const q = r * 1.2;
      return element("path", polygon([[x, y - q], [x + q, y + q], [x - q, y + q]]), name);
    }
    default: {
      const back = tenths(x - r);
      const strokes = `d="M${back} ${tenths(y - r)}l${s} ${s}M${back} ${tenths(y + r)}l${s} -${s}"`;
      return element("path", `${strokes} ${stroked}`, name);
    }
  }
}

/**
 * @param {number} series
 * @param {number} shade
 * @param {Point} a
 * @param {Point} b
 * @param {string} name
 */
function drawBar(series, shade, a, b, name) {
  const left = tenths(Math.min(a[0], b[0])), right = tenths(Math.max(a[0], b[0]));
  const top = tenths(Math.min(a[1], b[1])), bottom = tenths(Math.max(a[1], b[1]));
  const opacity = shade < 1 ? ` fill-opacity="${Math.floor(shade * 100 + 0.5) / 100}"` : "";
  const size = `x="${left}" y="${top}" width="${tenths(right - left)}" height="${tenths(bottom - top)}"`;
  return element("rect", `${size} fill="${colour(series)}"${opacity}`, name);
}

/**
 * @param {number} series
 * @param {number} weight
 * @param {number} cap
 * @param {Point} from
 * @param {Point} to
 * @param {string} name
 */
function drawSpan(series, weight, cap, from, to, name) {
  let path = `M${tenths(from[0])} ${tenths(from[1])}L${tenths(to[0])} ${tenths(to[1])}`;
  if (cap > 0) {
    for (const end of [from, to]) {
      path += tenths(from[1]) === tenths(to[1])
        ? `M${tenths(end[0])} ${tenths(end[1] - cap)}v${tenths(2 * cap)}`
        : `M${tenths(end[0] - cap)} ${tenths(end[1])}h${tenths(2 * cap)}`;
    }
  }
  return element("path", `d="${path}" fill="none" stroke="${colour(series)}" stroke-width="${tenths(weight)}"`, name);
}

/**
 * @param {Panel} panel
 * @param {Frame} frame
 * @param {Point[]} points
 */
function pathOf(panel, frame, points) {
  let path = "";
  for (const point of points) {
    const [x, y] = place(frame, panel, point);
    path += `${path === "" ? "M" : "L"}${tenths(x)} ${tenths(y)}`;
  }
  return path;
}

/**
 * @param {Panel} panel
 * @param {Frame} frame
 * @param {Mark} mark
 */
function drawMark(panel, frame, mark) {
  switch (mark.kind) {
    case "band": {
      /** @type {Point[]} */
      const around = mark.points.map(([x, , upper]) => [x, upper]);
      for (const [x, lower] of [...mark.points].reverse()) around.push([x, lower]);
      return `<path d="${pathOf(panel, frame, around)}Z" fill="${colour(mark.series)}" fill-opacity="0.2"/>\n`;
    }
    case "line": {
      const width = mark.series % COLOURS.length === GREY ? "1" : "1.8";
      const look = `fill="none" stroke="${colour(mark.series)}" stroke-width="${width}" stroke-linejoin="round"${dashes(mark.dash)}`;
      return element("path", `d="${pathOf(panel, frame, mark.points)}" ${look}`, mark.name);
    }
    case "point": return drawPoint(mark.series, mark.shape, mark.size, place(frame, panel, mark.at), mark.name);
    case "bar": {
      const a = place(frame, panel, [mark.x[0], mark.y[0]]), b = place(frame, panel, [mark.x[1], mark.y[1]]);
      return drawBar(mark.series, mark.shade, a, b, mark.name);
    }
    case "span": {
      const from = place(frame, panel, mark.from), to = place(frame, panel, mark.to);
      return drawSpan(mark.series, mark.weight, mark.cap, from, to, mark.name);
    }
    default: {
      const [x, y] = place(frame, panel, mark.at);
      const side = mark.anchor === "start" ? "" : ` text-anchor="${mark.anchor}"`;
      const fill = mark.on_colour ? ' fill="var(--figure-on,#fff)"' : "";
      return words(x + mark.shift[0], y + 4 + mark.shift[1], `font-size="${SMALL}"${side}${fill}`, mark.text);
    }
  }
}

/**
 * @param {Panel} panel
 * @param {Frame} frame
 */
function drawAxes(panel, frame) {
  const left = frame.left, right = frame.left + frame.width, bottom = frame.top + frame.height;
  let out = "";
  if (panel.x) {
    const all = ticks(panel.x, frame.width, 60);
    const room = Math.max(20, frame.width / Math.max(1, all.length) - 4);
    for (const [value, label] of all) {
      const [x] = place(frame, panel, [value, 0]);
      if (panel.x.grid) out += `<path d="M${tenths(x)} ${tenths(frame.top)}V${tenths(bottom)}" ${GRID}/>\n`;
      out += cutWords([x, bottom + 16], `font-size="${SMALL}" text-anchor="middle"`, label, SMALL, room);
    }
    out += `<path d="M${tenths(left)} ${tenths(bottom)}H${tenths(right)}" ${FAINT}/>\n`;
    if (panel.x.label !== "") {
      out += cutWords([left + frame.width / 2, bottom + 34], 'text-anchor="middle"', panel.x.label, TEXT, frame.width + 40);
    }
  }
  if (panel.y) {
    for (const [value, label] of ticks(panel.y, frame.height, 40)) {
      const [, y] = place(frame, panel, [0, value]);
      if (panel.y.grid) out += `<path d="M${tenths(left)} ${tenths(y)}H${tenths(right)}" ${GRID}/>\n`;
      out += cutWords([left - 6, y + 4], `font-size="${SMALL}" text-anchor="end"`, label, SMALL, NAME);
    }
    out += `<path d="M${tenths(left)} ${tenths(frame.top)}V${tenths(bottom)}" ${FAINT}/>\n`;
    if (panel.y.label !== "") {
      const x = left - leftOf(panel, frame.height) + 10, y = frame.top + frame.height / 2;
      const turned = `text-anchor="middle" transform="rotate(-90 ${tenths(x)} ${tenths(y)})"`;
      out += cutWords([x, y], turned, panel.y.label, TEXT, frame.height + 30);
    }
  }
  if (panel.right) {
    const attributes = `font-size="${SMALL}"`;
    for (const [value, label] of panel.right.ticks) {
      const [, y] = place(frame, panel, [0, value]);
      out += cutWords([right + 8, y + 4], attributes, label, SMALL, 2 * NAME);
    }
    out += cutWords([right + 8, frame.top - 10], `${attributes} font-weight="bold"`, panel.right.label, SMALL, 2 * NAME);
  }
  return out;
}

/** @param {Entry} entry */
function drawEntry({ swatch, label, at: [x, y] }) {
  let out = "";
  switch (swatch.kind) {
    case "line":
      out = element("path", `d="M${tenths(x)} ${tenths(y)}h24" fill="none" stroke="${colour(swatch.series)}" stroke-width="1.8"${dashes(swatch.dash)}`, "");
      break;
    case "area":
      out = element("rect", `x="${tenths(x)}" y="${tenths(y - 5)}" width="24" height="10" fill="${colour(swatch.series)}" fill-opacity="0.2"`, "");
      break;
    case "point": out = drawPoint(swatch.series, swatch.shape, 4, [x + 12, y], ""); break;
    case "bar": out = drawBar(swatch.series, swatch.shade, [x + 5, y - 6], [x + 19, y + 6], ""); break;
    default: out = drawSpan(swatch.series, swatch.weight, swatch.cap, [x, y], [x + 24, y], "");
  }
  return out + words(x + SWATCH, y + 4, "", label);
}

/**
 * The figure as an SVG element of a page, for a screen that has less room than a figure wants where that is so.
 * @param {Figure} whole
 * @param {number} room
 */
function draw(whole, room = WIDTH) {
  const narrow = room < NARROW;
  const figure = narrow ? narrowed(whole, room) : whole;
  const plan = layout(figure, narrow ? room : WIDTH);
  const width = tenths(plan.width), height = tenths(plan.height), title = escaped(figure.title);
  let out = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}" font-family="'DejaVu Sans',Verdana,sans-serif" font-size="${TEXT}" fill="currentColor">\n`;
  out += `<title>${title}</title>\n`;
  if (figure.reading !== "") out += `<desc>${escaped(figure.reading)}</desc>\n`;
  let down = EDGE;
  for (const line of plan.title) {
    out += words(EDGE, down + 14, `font-size="${TITLE}" font-weight="bold"`, line);
    down += 19;
  }
  for (const line of plan.subtitle) {
    out += words(EDGE, down + 12, 'fill-opacity="0.75"', line);
    down += LINE;
  }
  const why = whyEmpty(figure);
  if (why !== null) out += words(EDGE, down + LINE, `font-size="${TEXT}"`, `nothing to draw: ${why}`);
  else {
    figure.panels.forEach((panel, at) => {
      const frame = plan.frames[at];
      if (panel.title !== "") {
        out += cutWords([frame.left, frame.top - 10], 'font-weight="bold"', panel.title, TEXT * 1.05, frame.width);
      }
      out += drawAxes(panel, frame);
      for (const mark of panel.marks) out += drawMark(panel, frame, mark);
    });
  }
  for (const entry of plan.entries) out += drawEntry(entry);
  return out + "</svg>\n";
}
