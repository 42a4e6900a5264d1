// RBP at the reader's own p and treatment of unjudged documents.

class PersistenceView {
  /**
   * @param {Evidence} evidence
   * @param {State} state
   */
  constructor(evidence, state) {
    this.evidence = evidence;
    this.state = state;
    this.p = 0.8;
    this.chance = 0.1;
    /** @type {"bounds" | "nonrelevant" | "chance"} */
    this.treatment = "bounds";
    this.place = widget("persistence");
    this.drawing = el("div", { class: "drawing", tabindex: "0" });
    this.command = el("code");
    this.rows = el("div", { class: "table", tabindex: "0" });
    if (this.place) this.build(this.place);
  }

  /** @param {HTMLElement} place */
  build(place) {
    const number = el("input", { type: "number", min: 0.01, max: 0.999, step: "any", value: this.p, "aria-label": "p as a number" });
    const slider = el("input", { type: "range", min: 0.05, max: 0.99, step: 0.01, value: this.p, id: "p-slider" });
    const wrong = el("span", { role: "status", class: "quiet", hidden: true }, "p must be between 0 and 1; the last valid value is shown");
    /** @param {string} text */
    const change = (text) => {
      const p = Number(text);
      const right = text.trim() !== "" && p > 0 && p < 1;
      wrong.hidden = right;
      if (!right) return;
      this.p = p;
      slider.value = String(p);
      this.show();
    };
    slider.addEventListener("input", () => {
      number.value = slider.value;
      change(slider.value);
    });
    number.addEventListener("input", () => change(number.value));
    const chance = el("input", { type: "range", min: 0, max: 1, step: 0.01, value: this.chance, disabled: true, id: "q-slider" });
    const shown = el("output", {}, decimals(this.chance, 2));
    chance.addEventListener("input", () => {
      this.chance = Number(chance.value);
      shown.textContent = decimals(this.chance, 2);
      this.show();
    });
    /** @type {[PersistenceView["treatment"], string][]} */
    const kinds = [["bounds", "unknown (bounds)"], ["nonrelevant", "not relevant"], ["chance", "relevant with probability q"]];
    const radios = kinds.map(([kind, text]) => el("label", { class: "option" }, el("input", {
      type: "radio", name: "treatment", value: kind, checked: kind === this.treatment, change: () => {
        this.treatment = kind;
        chance.disabled = kind !== "chance";
        this.show();
      },
    }), text));
    place.replaceChildren(
      el("div", { class: "controls" },
        el("div", { class: "control wide" }, el("label", { for: "p-slider" }, "p, the probability of going on to the next document"), el("div", { class: "pair" }, slider, number, wrong)),
        el("fieldset", {}, el("legend", {}, "Unjudged documents are"), ...radios,
          el("div", { class: "pair" }, el("label", { for: "q-slider" }, "q"), chance, shown))),
      this.drawing,
      el("details", { class: "behind" }, el("summary", {}, "Data"), this.rows),
      el("p", { class: "quiet" }, `Binary relevance from grade ${this.evidence.raw.relevance_level} on, ranks down to ${this.evidence.raw.depth}. The same from the command line: `, this.command));
  }

  async show() {
    if (!this.place) return;
    const topics = await this.evidence.rankings();
    const { runs, depth, level } = this.evidence.raw;
    const chance = this.treatment === "chance" ? this.chance : 0;
    const found = runs.map((name, run) => ({ name, run, of: rbpOfRun(this.evidence, topics, run, this.p, chance) }))
      .filter(({ run, of }) => of && this.state.runs[run])
      .sort((one, other) => (other.of?.mean ?? 0) - (one.of?.mean ?? 0));
    /** @type {Mark[]} */
    const marks = [];
    /** @type {[number, string][]} */
    const words = [];
    /** @type {string[][]} */
    const rows = [];
    found.forEach(({ name, of }, at) => {
      if (!of) return;
      /** @param {Ends} ends @param {number} row @param {number} series @param {number} weight @param {number} cap @param {string} label */
      const span = (ends, row, series, weight, cap, label) => {
        if (!ends) return;
        marks.push({
          kind: "span", series, label, name: `${name}, ${label}: ${three(ends[0])} to ${three(ends[1])}`, weight, cap,
          from: [ends[0], row], to: [ends[1], row],
        });
      };
      const open = this.treatment !== "nonrelevant" && of.high - of.low > 1e-12;
      // Bounds stand below intervals, as in the leaderboard.
      if (open) span([of.low, of.high], at + 0.36, GREY, 1.4, 2.5, "bounds");
      span(of.interval, at, 0, 9, 0, "topic sampling");
      marks.push({ kind: "point", series: INK, label: this.treatment === "chance" ? "expected value" : "value", name: `${name}: ${three(of.mean)}`, shape: "disc", size: 3.5, at: [of.mean, at] });
      words.push([at, three(of.mean)]);
      rows.push([name, score(of.mean), open ? range([of.low, of.high]) : "—", range(of.interval), String(of.topics)]);
    });
    const p = String(this.p);
    const title = `RBP(p=${p})@${depth}`;
    const height = Math.max(40, found.length * (found.length <= 30 ? 24 : found.length <= 80 ? 19 : 15));
    const last = Math.max(1, found.length) - 0.5;
    put(this.drawing, draw({
      id: "persistence", title, subtitle: `${count(found.length, "run")}, ${Math.round(level * 1e4) / 100}% intervals`, reading: "", columns: 1, empty: null, table: null,
      panels: [{
        title: "", width: 0, height, marks,
        x: { label: title, low: 0, high: 1, ticks: [], grid: true },
        y: { label: "", low: last, high: -0.5, ticks: found.map(({ name }, at) => [at, name]), grid: false },
        right: { label: "value", low: 0, high: 0, ticks: words, grid: false },
      }],
    }, this.drawing.clientWidth || undefined));
    const table = plainTable(["run", "value", "bounds", "interval", "topics"], rows);
    table.id = "persistence-table";
    found.forEach(({ of }, at) => {
      const row = table.tBodies[0].rows[at];
      // Every digit, for whoever wants to check.
      if (!of) return;
      const whole = { value: of.mean, low: of.low, high: of.high, ...(of.interval ? { from: of.interval[0], to: of.interval[1] } : {}) };
      for (const [key, value] of Object.entries(whole)) row.dataset[key] = String(value);
    });
    this.rows.replaceChildren(table);
    const unjudged = this.treatment === "bounds" ? "" : this.treatment === "nonrelevant" ? " --unjudged nonrelevant" : ` --unjudged q=${this.chance}`;
    this.command.textContent = `karat eval QRELS RUN... -m 'RBP(p=${p})@${depth}'${unjudged}`;
  }
}
