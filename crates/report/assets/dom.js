// Elements from words: text is only ever a text node, never markup.

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number | boolean | ((event: any) => void)>} attributes
 * @param {...(Node | string)} content
 * @returns {HTMLElementTagNameMap[T]}
 */
function el(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (typeof value === "boolean") made.toggleAttribute(name, value);
    else made.setAttribute(name, String(value));
  }
  made.append(...content);
  return made;
}

/**
 * A labelled control.
 * @param {string} text
 * @param {HTMLElement} control
 */
function labelled(text, control) {
  return el("label", { class: "control" }, el("span", {}, text), control);
}

/**
 * A choice among words.
 * @param {string[]} options
 * @param {number} chosen
 * @param {(place: number) => void} change
 */
function choice(options, chosen, change) {
  const select = el("select", { change: () => change(select.selectedIndex) });
  options.forEach((text, at) => select.append(el("option", { value: at, selected: at === chosen }, text)));
  return select;
}

/** @param {string} name */
function widget(name) {
  return /** @type {HTMLElement | null} */ (document.querySelector(`[data-widget="${name}"]`));
}

/**
 * Puts a drawing where one is. What is drawn was escaped text by text; it is read as an image's own language, in which nothing runs, and
 * its elements are then moved over one by one.
 * @param {Element} into
 * @param {string} svg
 */
function put(into, svg) {
  const read = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  into.replaceChildren(document.importNode(read, true));
}

/**
 * A table of words.
 * @param {string[]} headings
 * @param {string[][]} rows
 */
function plainTable(headings, rows) {
  const body = el("tbody");
  for (const row of rows) {
    const line = el("tr");
    row.forEach((cell, at) => {
      const number = at > 0 && /^[<>]?-?[0-9—]/.test(cell);
      line.append(at === 0 ? el("th", { scope: "row" }, cell) : el("td", number ? { class: "n" } : {}, cell));
    });
    body.append(line);
  }
  const head = el("tr");
  headings.forEach((heading) => head.append(el("th", { scope: "col" }, heading)));
  return el("table", {}, el("thead", {}, head), body);
}
