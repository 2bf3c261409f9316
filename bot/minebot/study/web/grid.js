// The board on the page: an ARIA grid of which one cell takes part in the order of Tab.

const SHOWN = { "?": "", F: "⚑", "*": "✹", "!": "✹", 0: "" };
const WORDS = { F: "flag", "*": "mine", "!": "the mine that was hit", 0: "empty" };
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  PageUp: [0, -5], PageDown: [0, 5] };

const [LEAST, MOST, LEAST_TOUCH] = [30, 44, 34]; // a cell's side in CSS pixels

export class Grid {
  constructor(element) {
    this.element = element;
    this.cells = [];
    this.looks = [];
    this.selected = 0; // and which element is marked as that
    this.marked = null;
    this.width = this.height = 0;
  }

  // Draw a position with what is known of it; only what has changed is touched.
  draw(position, { judgement, advised, clues, clash, proven, played }) {
    if (position.width !== this.width || position.height !== this.height) this.#build(position);
    for (const [square, cell] of this.cells.entries()) {
      const look = describe(position, square, judgement);
      if (square === advised) look.classes += " advised";
      if (square === played) look.classes += " played";
      if (clues?.has(square)) look.classes += " proof";
      if (square === proven) look.classes += " proven";
      if (clash?.has(square)) look.classes += " clash";
      const key = `${look.classes}|${look.text}|${look.risk}|${look.label}`;
      if (this.looks[square] === key) continue;
      this.looks[square] = key;
      cell.className = look.classes;
      cell.textContent = look.text;
      if (look.flag) cell.prepend(Object.assign(document.createElement("span"), {
        className: "flag", textContent: look.flag }));
      if (look.risk === null) cell.style.removeProperty("--risk");
      else cell.style.setProperty("--risk", look.risk);
      cell.setAttribute("aria-label", look.label);
    }
  }

  select(square, { focus = true } = {}) {
    this.marked?.setAttribute("tabindex", "-1");
    this.marked?.setAttribute("aria-selected", "false");
    this.selected = square;
    const cell = this.marked = this.cells[square];
    cell.setAttribute("tabindex", "0");
    cell.setAttribute("aria-selected", "true");
    if (focus) cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // Where a key leads from the selected cell, null where it does not lead anywhere.
  target(event) {
    const [x, y] = [this.selected % this.width, Math.floor(this.selected / this.width)];
    if (event.key === "Home") return event.ctrlKey ? 0 : y * this.width;
    if (event.key === "End") return (event.ctrlKey ? this.height : y + 1) * this.width - 1;
    const step = STEPS[event.key];
    if (!step) return null;
    const within = (value, most) => Math.max(0, Math.min(most - 1, value));
    return within(y + step[1], this.height) * this.width + within(x + step[0], this.width);
  }

  // Cells as large as there is room for, within what fingers and eyes ask for.
  resize() {
    const room = this.element.parentElement.parentElement.clientWidth - 12;
    const least = matchMedia("(pointer: coarse)").matches ? LEAST_TOUCH : LEAST;
    const side = Math.floor(room / this.width) - 1;
    const within = Math.max(least, Math.min(MOST, side));
    this.element.style.setProperty("--side", `${within}px`);
  }

  squareOf(element) {
    const cell = element?.closest?.(".cell");
    return cell && this.element.contains(cell) ? Number(cell.dataset.square) : null;
  }

  #build({ width, height }) {
    [this.width, this.height, this.looks, this.marked] = [width, height, [], null];
    if (this.selected >= width * height) this.selected = 0;
    this.cells = [];
    const rows = document.createDocumentFragment();
    for (let y = 0; y < height; y++) {
      const row = document.createElement("div");
      row.setAttribute("role", "row");
      for (let x = 0; x < width; x++) {
        const cell = document.createElement("div");
        cell.setAttribute("role", "gridcell");
        cell.setAttribute("tabindex", "-1");
        cell.setAttribute("aria-selected", "false");
        cell.dataset.square = this.cells.length;
        row.append(cell);
        this.cells.push(cell);
      }
      rows.append(row);
    }
    this.element.replaceChildren(rows);
    this.marked = this.cells[this.selected];
    this.marked.setAttribute("tabindex", "0");
    this.marked.setAttribute("aria-selected", "true");
    this.element.style.setProperty("grid-template-columns", `repeat(${width}, var(--side))`);
    this.resize();
    this.element.setAttribute("aria-label", `Board, ${width} columns, ${height} rows`);
  }
}

// How a cell looks, and what it is called.
function describe(position, square, judgement) {
  const sign = position.cells[square];
  const where = position.place(square);
  const risk = judgement?.risk[square] ?? null;
  const look = { classes: "cell", text: SHOWN[sign] ?? sign, risk: null, label: "", flag: "" };
  if (sign >= "0" && sign <= "8") {
    look.classes += ` open n${sign}`;
    look.label = `${where}: ${WORDS[sign] ?? sign}`;
    return look;
  }
  if (sign === "*" || sign === "!") {
    look.classes += sign === "!" ? " shown hit" : " shown";
    look.label = `${where}: ${WORDS[sign]}`;
    return look;
  }
  const what = sign === "F" ? "flag" : "covered";
  if (position.unsure.has(square)) {
    return { ...look, classes: "cell unsure", text: "?", label: `${where}: not read, set it` };
  }
  if (risk === null) return { ...look, label: `${where}: ${what}` };
  const percent = judgement.percent[square];
  const certain = risk === 0 ? "safe" : risk === 1 ? "mine" : null;
  look.label = `${where}: ${what}, ${certain === "mine" ? "certainly a mine" : certain ?? `mine risk ${percent} %`}`;
  if (certain) look.classes += ` ${certain}`;
  else [look.classes, look.risk] = [`${look.classes} risky`, risk];
  const text = certain === "safe" ? "✓" : certain === "mine" ? "✹" : percent;
  if (sign !== "F") return { ...look, text };
  look.classes += risk === 0 ? " flagged doubted" : " flagged";
  return { ...look, flag: "⚑", text: certain === "mine" ? "" : text };
}
