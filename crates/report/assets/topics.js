// The table of topics: sorts by any column, filters by words, opens rankings.

/** Columns of runs at most. */
const MOST_RUNS = 8;

class TopicsTable {
  /**
   * @param {Evidence} evidence
   * @param {State} state
   * @param {RankingsView} rankings
   */
  constructor(evidence, state, rankings) {
    this.evidence = evidence;
    this.state = state;
    this.rankings = rankings;
    this.place = widget("topics");
    /** @type {{ column: string, down: boolean }} */
    this.sorted = { column: "difference", down: true };
    this.words = "";
    this.body = el("div", { class: "table", tabindex: "0" });
    this.status = el("p", { class: "quiet", role: "status" });
    const filter = el("input", {
      type: "search", placeholder: "a topic's name or words", input: () => {
        this.words = filter.value.toLowerCase();
        this.show();
      },
    });
    if (this.place) this.place.replaceChildren(el("div", { class: "controls" }, labelled("Filter", filter), this.status), this.body);
  }

  show() {
    const { topics, queries, runs, measures } = this.evidence.raw;
    const { measure, a, b } = this.state;
    const others = runs.map((_, run) => run).filter((run) => this.state.runs[run] && run !== a && run !== b);
    const shown = (a === b ? [a] : [a, b]).concat(others.slice(0, MOST_RUNS - 2));
    const differences = new Map(topicDifferences(this.evidence, measure, a, b).map((row) => [row.topic, row]));
    /** @type {{ key: string, heading: string, value: (topic: number) => number | string, show: (topic: number) => string }[]} */
    const columns = shown.map((run) => ({
      key: `run ${run}`, heading: runs[run],
      value: (/** @type {number} */ topic) => this.evidence.score(0, measure, run, topic),
      show: (/** @type {number} */ topic) => score(this.evidence.score(0, measure, run, topic)),
    }));
    if (a !== b) {
      /** @param {number} topic */
      const difference = (topic) => differences.get(topic)?.difference ?? NaN;
      columns.push({ key: "difference", heading: `${runs[a]} − ${runs[b]}`, value: difference, show: (topic) => score(difference(topic)) });
      columns.push({
        key: "open", heading: "bounds", value: (topic) => {
          const bounds = differences.get(topic)?.bounds;
          return bounds ? bounds[1] - bounds[0] : NaN;
        }, show: (topic) => range(differences.get(topic)?.bounds ?? null),
      });
    } else {
      columns.push({
        key: "open", heading: "bounds", value: (topic) => this.evidence.score(2, measure, a, topic) - this.evidence.score(1, measure, a, topic),
        show: (topic) => {
          const low = this.evidence.score(1, measure, a, topic);
          return Number.isFinite(low) ? range([low, this.evidence.score(2, measure, a, topic)]) : "—";
        },
      });
    }
    const kept = topics.map((_, at) => at).filter((at) => {
      const text = `${topics[at]} ${queries ? queries[at] ?? "" : ""}`.toLowerCase();
      return this.words === "" || text.includes(this.words);
    });
    const by = columns.find((column) => column.key === this.sorted.column);
    const sign = this.sorted.down ? -1 : 1;
    kept.sort((one, other) => {
      if (!by) return sign * compareNames(topics[one], topics[other]);
      const x = Number(by.value(one)), y = Number(by.value(other));
      // What has no value comes last whichever way is up.
      if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || one - other;
      return sign * (x - y) || one - other;
    });
    const head = el("tr", {}, this.heading("topic", "topic", false), ...(queries ? [el("th", { scope: "col" }, "text")] : []),
      ...columns.map((column) => this.heading(column.key, column.heading, true)));
    const body = el("tbody");
    for (const at of kept) {
      const button = el("button", { type: "button", class: "link", click: () => this.rankings.open(at) }, topics[at]);
      body.append(el("tr", {}, el("th", { scope: "row" }, button), ...(queries ? [el("td", { class: "query" }, queries[at] ?? "")] : []),
        ...columns.map((column) => el("td", { class: "n" }, column.show(at)))));
    }
    const left = others.length - Math.max(0, MOST_RUNS - 2);
    this.status.textContent = `${count(kept.length, "topic")}, ${measures[measure]}${left > 0 ? `; ${left} more runs are chosen than the table has columns for` : ""}`;
    this.body.replaceChildren(el("table", { id: "topics-table" }, el("thead", {}, head), body));
  }

  /**
   * @param {string} key
   * @param {string} text
   * @param {boolean} number
   */
  heading(key, text, number) {
    const here = this.sorted.column === key;
    const button = el("button", {
      type: "button", class: "link", click: () => {
        this.sorted = { column: key, down: here ? !this.sorted.down : key !== "topic" };
        this.show();
        /** @type {HTMLElement | null} */ (this.body.querySelector("th[aria-sort] button"))?.focus();
      },
    }, text);
    const mark = here ? (this.sorted.down ? " ↓" : " ↑") : "";
    return el("th", {
      scope: "col", ...(number ? { class: "n" } : {}), ...(here ? { "aria-sort": this.sorted.down ? "descending" : "ascending" } : {}),
    }, button, mark);
  }
}

/**
 * Names that are numbers by their size, others by their letters.
 * @param {string} one
 * @param {string} other
 */
function compareNames(one, other) {
  return one.localeCompare(other, "en", { numeric: true });
}
