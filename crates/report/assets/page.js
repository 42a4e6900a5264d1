// The page: what is chosen, and who draws it again.

/** Figures of a measure, of all measures, and of two runs. */
const BY_MEASURE = ["leaderboard", "pairwise", "distribution"];

class ReportPage {
  /** @param {Evidence} evidence */
  constructor(evidence) {
    this.evidence = evidence;
    const { raw } = evidence;
    /** @type {State} */
    this.state = { measure: raw.first, runs: raw.runs.map(() => true), a: raw.pair[0], b: raw.pair[1] };
    this.rankings = new RankingsView(evidence, this.state);
    this.topics = new TopicsTable(evidence, this.state, this.rankings);
    this.persistence = new PersistenceView(evidence, this.state);
    this.tip = el("div", { class: "tip", role: "status", hidden: true });
    document.body.append(this.tip);
    this.controls();
    document.addEventListener("choice", () => {
      this.controls();
      this.show();
    });
    for (const drawing of document.querySelectorAll(".drawing")) this.explain(/** @type {HTMLElement} */ (drawing));
    this.topics.show();
    this.pairWords();
    // A narrow screen gets narrow figures, also when it is turned.
    const narrow = matchMedia("(max-width: 640px)");
    narrow.addEventListener("change", () => this.show());
    if (narrow.matches) this.show();
    // After the first view is there.
    requestAnimationFrame(() => setTimeout(() => this.persistence.show(), 0));
  }

  controls() {
    const place = widget("choice");
    if (!place) return;
    const { measures, runs } = this.evidence.raw;
    const open = place.querySelector("details")?.open ?? false;
    /** @param {Partial<State>} change */
    const set = (change) => {
      Object.assign(this.state, change);
      document.dispatchEvent(new CustomEvent("choice"));
    };
    const measure = choice(measures, this.state.measure, (chosen) => set({ measure: chosen }));
    measure.id = "choose-measure";
    const a = choice(runs, this.state.a, (chosen) => set({ a: chosen })), b = choice(runs, this.state.b, (chosen) => set({ b: chosen }));
    a.id = "choose-a";
    b.id = "choose-b";
    const boxes = runs.map((name, run) => el("label", { class: "option" }, el("input", {
      type: "checkbox", checked: this.state.runs[run], "data-run": run, change: (/** @type {any} */ event) => {
        this.state.runs[run] = event.target.checked;
        set({});
      },
    }), el("bdi", {}, name)));
    const order = runs.map((_, run) => run).sort((one, other) => this.value(other) - this.value(one));
    /** @param {number} most @param {string} text */
    const best = (most, text) => el("button", { type: "button", click: () => set({ runs: runs.map((_, run) => order.indexOf(run) < most) }) }, text);
    const chosen = this.state.runs.filter(Boolean).length;
    const picked = el("details", { class: "runs", open },
      el("summary", {}, `Runs: ${chosen === runs.length ? "all" : chosen} of ${runs.length}`),
      el("div", { class: "buttons" }, best(runs.length, "all"), ...(runs.length > 10 ? [best(10, "best 10")] : []), best(2, "best 2")),
      el("div", { class: "boxes" }, ...boxes));
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    const key = focused?.id || (focused?.dataset.run !== undefined ? `run ${focused.dataset.run}` : "");
    place.replaceChildren(
      labelled("Measure", measure), ...(runs.length > 1 ? [labelled("Compare", a), labelled("with", b), picked] : []));
    // What was being used stays in use.
    if (key.startsWith("run ")) /** @type {HTMLElement | null} */ (place.querySelector(`[data-run="${key.slice(4)}"]`))?.focus();
    else if (key !== "") /** @type {HTMLElement | null} */ (place.querySelector(`#${CSS.escape(key)}`))?.focus();
  }

  /** @param {number} run */
  value(run) {
    return this.evidence.raw.standings[this.state.measure][run][0] ?? -Infinity;
  }

  show() {
    const { raw, figures } = this.evidence;
    const { measure, a, b } = this.state;
    const kept = new Set(raw.runs.filter((_, run) => this.state.runs[run]));
    let next = 0;
    for (const place of document.querySelectorAll("figure[data-figure]")) {
      const drawing = place.querySelector(".drawing");
      const room = drawing?.clientWidth || undefined;
      const id = /** @type {HTMLElement} */ (place).dataset.figure ?? "";
      const models = figures.get(id);
      if (!models || models.length === 0) {
        // Nothing to choose in it, but the screen may be narrow.
        const still = this.evidence.still[next++];
        if (still && drawing) put(drawing, draw(still, room));
        continue;
      }
      /** @type {Figure} */
      let figure;
      if (id === "topic_differences") figure = differencesFigure(this.evidence, measure, a, b, models[0].reading);
      else if (id === "scatter") figure = scatterFigure(this.evidence, measure, a, b, models[0].reading);
      else figure = selected(BY_MEASURE.includes(id) ? models[measure] ?? models[0] : models[0], raw.runs, kept);
      if (drawing) put(drawing, draw(figure, room));
      const behind = place.querySelector("details.behind .table");
      if (behind && figure.table) behind.replaceChildren(plainTable(figure.table.headings, figure.table.rows));
    }
    this.pairWords();
    this.topics.show();
    this.persistence.show();
  }

  /** The verdict on the two chosen runs. */
  pairWords() {
    const place = widget("pair");
    if (!place) return;
    const { runs, measures } = this.evidence.raw;
    const { measure, a, b } = this.state;
    const pair = this.evidence.pair(measure, a, b);
    const sample = pair && pair[10];
    const of = `${measures[measure]}, ${runs[a]} − ${runs[b]}`;
    const text = a === b ? "Choose two different runs." : !pair
      ? `${runs[a]} and ${runs[b]} were not compared by ${measures[measure]}.`
      : sample
      ? `${of}: ${score(pair[2])} from ${count(sample[0], "sampled judgement")} (${score(sample[4])} as judged without them), interval ${range(pair[3])}, bounds ${range(pair[4])}, p ${probability(pair[5])}. ${pair[7]}.`
      : `${of}: ${score(pair[2])}, interval ${range(pair[3])}, bounds ${range(pair[4])}, adjusted p ${probability(pair[5])}. ${pair[7]}.`;
    place.replaceChildren(el("p", {}, text));
  }

  /**
   * Numbers under the pointer, and by arrow keys under the focus; a topic opens its rankings.
   * @param {HTMLElement} drawing
   */
  explain(drawing) {
    /** @param {Element | null} mark */
    const tell = (mark) => {
      drawing.querySelectorAll(".told").forEach((other) => other.classList.remove("told"));
      const text = mark?.querySelector(":scope > title")?.textContent;
      this.tip.hidden = !text;
      if (!mark || !text) return;
      mark.classList.add("told");
      this.tip.textContent = text;
      const box = mark.getBoundingClientRect(), wide = document.documentElement.clientWidth;
      const left = Math.max(8, Math.min(wide - this.tip.offsetWidth - 8, box.left + box.width / 2 - this.tip.offsetWidth / 2));
      this.tip.style.left = `${left + scrollX}px`;
      this.tip.style.top = `${Math.max(4, box.top - this.tip.offsetHeight - 6) + scrollY}px`;
    };
    const marks = () => [...drawing.querySelectorAll("svg > :not(title):not(desc)")].filter((mark) => mark.querySelector(":scope > title"));
    /** @param {Element | null} mark */
    const act = (mark) => {
      const text = mark?.querySelector(":scope > title")?.textContent ?? "";
      const { topics } = this.evidence.raw;
      let found = -1;
      topics.forEach((topic, at) => {
        if (text.includes(`topic ${topic}: `) && (found < 0 || topic.length > topics[found].length)) found = at;
      });
      if (found >= 0) this.rankings.open(found);
    };
    /** @param {Event} event */
    const under = (event) => (event.target instanceof Element ? event.target.closest("svg > *") : null);
    drawing.addEventListener("pointerover", (event) => tell(under(event)));
    drawing.addEventListener("pointerleave", () => tell(null));
    drawing.addEventListener("blur", () => tell(null));
    drawing.addEventListener("click", (event) => act(under(event)));
    drawing.addEventListener("keydown", (event) => {
      const all = marks();
      const here = all.findIndex((mark) => mark.classList.contains("told"));
      const steps = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });
      if (event.key in steps && all.length > 0) {
        event.preventDefault();
        tell(all[(here + steps[event.key] + all.length + (here < 0 && steps[event.key] < 0 ? 1 : 0)) % all.length]);
      } else if (event.key === "Enter" && here >= 0) {
        // Else the same key press goes on to the button that the panel puts the focus on.
        event.preventDefault();
        act(all[here]);
      }
      else if (event.key === "Escape") tell(null);
    });
  }
}

/** Dark and light: as the system is set until the reader chooses. */
function theme() {
  const button = document.getElementById("theme");
  if (!button) return;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const tell = () => {
    button.textContent = dark() ? "Light" : "Dark";
    button.setAttribute("aria-pressed", String(dark()));
  };
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    tell();
  });
  system.addEventListener("change", tell);
  tell();
}

/** BibTeX of all measures to copy. */
function bibliography() {
  const place = widget("bibtex");
  const all = [...document.querySelectorAll("pre.bibtex")].map((entry) => entry.textContent ?? "");
  if (!place || all.length === 0) return;
  const text = [...new Set(all)].join("\n\n");
  const said = el("span", { role: "status", class: "quiet" });
  const copy = el("button", {
    type: "button", click: async () => {
      try {
        await navigator.clipboard.writeText(text);
        said.textContent = " copied";
      } catch {
        // Not allowed here: selected, so that the reader can.
        field.hidden = false;
        field.select();
        said.textContent = " selected: copy it with your keyboard";
      }
    },
  }, "Copy BibTeX of all measures");
  const field = el("textarea", { readonly: true, rows: 8, hidden: true, "aria-label": "BibTeX of all measures" });
  field.value = text;
  place.replaceChildren(copy, said, field);
}

document.documentElement.classList.add("scripted");
theme();
bibliography();
Evidence.read().then((evidence) => {
  if (evidence) Object.assign(globalThis, { karat: { page: new ReportPage(evidence), draw, evidence, differencesFigure, scatterFigure } });
  document.documentElement.dataset.ready = "yes";
});
