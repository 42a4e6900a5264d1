// Two rankings of a topic side by side: grades, unjudged documents, ties, and lines between the same documents.

/** Rows shown before "more" is asked for. */
const SHOWN = 20;

class RankingsView {
  /**
   * @param {Evidence} evidence
   * @param {State} state
   */
  constructor(evidence, state) {
    this.evidence = evidence;
    this.state = state;
    this.dialog = /** @type {HTMLDialogElement} */ (document.getElementById("rankings-dialog"));
    this.topic = 0;
    this.shown = SHOWN;
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    this.dialog.addEventListener("keydown", (event) => {
      if (event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement) return;
      if (event.key === "ArrowRight") this.open(this.topic + 1);
      if (event.key === "ArrowLeft") this.open(this.topic - 1);
    });
  }

  /** @param {number} topic */
  async open(topic) {
    const { topics } = this.evidence.raw;
    this.topic = (topic + topics.length) % topics.length;
    await this.show();
    if (!this.dialog.open) this.dialog.showModal();
  }

  async show() {
    const [all, texts] = await Promise.all([this.evidence.rankings(), this.evidence.documentTexts()]);
    const { topics, queries, runs, depth } = this.evidence.raw;
    const lists = all[this.topic];
    const query = queries ? queries[this.topic] : null;
    const again = () => this.show();
    /** @param {"a" | "b"} side */
    const chooser = (side) => choice(runs, this.state[side], (run) => {
      this.state[side] = run;
      document.dispatchEvent(new CustomEvent("choice"));
      again();
    });
    /** @param {number} step @param {string} text */
    const mover = (step, text) => el("button", { type: "button", click: () => this.open(this.topic + step) }, text);
    const columns = el("div", { class: "rankings" });
    const two = [this.state.a, this.state.b].map((run) => lists.lists[run]);
    const longest = Math.max(...two.map((list) => (list ? list.documents.length : 0)));
    const rows = Math.min(this.shown, longest);
    const step = texts.size > 0 ? 62 : 32;
    columns.append(
      this.list(lists, two[0], rows, texts, step, runs[this.state.a]),
      this.lines(two[0], two[1], rows, step),
      this.list(lists, two[1], rows, texts, step, runs[this.state.b]),
    );
    const more = rows < longest
      ? [el("button", { type: "button", class: "more", click: () => { this.shown = longest; again(); } }, `Show all ${longest}`)]
      : [];
    const measure = this.state.measure;
    /** @param {number} run */
    const value = (run) => score(this.evidence.score(0, measure, run, this.topic));
    const words = `${this.evidence.raw.measures[measure]}: ${runs[this.state.a]} ${value(this.state.a)}, ${runs[this.state.b]} ${value(this.state.b)}`;
    this.dialog.replaceChildren(
      el("div", { class: "bar" },
        el("h2", {}, `Topic ${topics[this.topic]}`),
        mover(-1, "‹ Previous"), mover(1, "Next ›"),
        el("button", { type: "button", autofocus: true, click: () => this.dialog.close() }, "Close")),
      ...(query ? [el("p", { class: "query" }, query)] : []),
      el("p", { class: "quiet" }, words),
      el("div", { class: "choosers" }, labelled("Left", chooser("a")), labelled("Right", chooser("b"))),
      columns, ...more,
      el("p", { class: "quiet key" },
        this.chip(2 + Math.max(0, this.evidence.raw.grades.length - 1)), " judged, with its grade; ",
        this.chip(1), " in the judgement file, not judged; ", this.chip(0), " not in the judgement file; = same score as the document above. ",
        `Rankings go down to rank ${depth}.`),
    );
  }

  /**
   * @param {TopicLists} lists
   * @param {List | null} list
   * @param {number} rows
   * @param {Map<string, string>} texts
   * @param {number} step
   * @param {string} run
   */
  list(lists, list, rows, texts, step, run) {
    const out = el("ol", { "aria-label": run });
    if (!list) {
      out.append(el("li", { class: "none" }, "no documents for this topic"));
      return out;
    }
    for (let rank = 0; rank < Math.min(rows, list.documents.length); rank += 1) {
      const document = list.documents[rank];
      const name = lists.documents[document];
      const text = texts.get(name);
      const row = el("li", { title: name },
        el("span", { class: "rank" }, `${list.tied[rank] ? "=" : ""}${rank + 1}`),
        this.chip(lists.judged[document]),
        el("span", { class: "document" }, el("bdi", {}, name), ...(text ? [el("small", {}, text)] : [])));
      row.style.height = `${step}px`;
      out.append(row);
    }
    return out;
  }

  /** @param {number} code */
  chip(code) {
    const grade = this.evidence.grade(code);
    if (grade === null) {
      return el("span", { class: code === 1 ? "chip unjudged" : "chip unpooled", "aria-label": code === 1 ? "not judged" : "not in the judgement file" }, code === 1 ? "?" : "–");
    }
    const relevant = grade >= this.evidence.raw.relevance_level;
    return el("span", { class: relevant ? "chip relevant" : "chip nonrelevant", "aria-label": `grade ${grade}` }, String(grade));
  }

  /**
   * Lines between the places of the same documents.
   * @param {List | null} left
   * @param {List | null} right
   * @param {number} rows
   * @param {number} step
   */
  lines(left, right, rows, step) {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", `0 0 60 ${Math.max(1, rows * step)}`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("height", String(rows * step));
    if (!left || !right) return svg;
    /** @type {Map<number, number>} */
    const places = new Map();
    right.documents.forEach((document, rank) => places.set(document, rank));
    left.documents.forEach((document, rank) => {
      const other = places.get(document);
      if (other === undefined || rank >= rows || other >= rows) return;
      const line = document_line(space, rank, other, step);
      svg.append(line);
    });
    return svg;
  }
}

/**
 * @param {"http://www.w3.org/2000/svg"} space
 * @param {number} from
 * @param {number} to
 * @param {number} step
 */
function document_line(space, from, to, step) {
  const line = document.createElementNS(space, "path");
  const y = (from + 0.5) * step, z = (to + 0.5) * step;
  line.setAttribute("d", `M0 ${y}C30 ${y} 30 ${z} 60 ${z}`);
  line.setAttribute("class", from === to ? "same" : to < from ? "up" : "down");
  return line;
}
