// The board on the page: an ARIA grid of which one cell takes part in the order of Tab.

import { byId, make } from "./panel.js";

const SHOWN = { "?": "", F: "⚑", "*": "✹", "!": "✹", 0: "" };
const WORDS = { F: "flag", "*": "mine", "!": "the mine that was hit", 0: "empty" };
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  PageUp: [0, -5], PageDown: [0, 5] };

const [LEAST, MOST, LEAST_TOUCH] = [28, 64, 34]; // a cell's side in CSS pixels, as fitted
const [SMALLEST, LARGEST] = [12, 96]; // and as zoomed
const SPAN = Math.log(8); // a risk whose odds are eight times the average's has the last colour
const LEGIBLE = 20; // CSS pixels of a cell into which a percentage is written

export class Grid {
  constructor(element) {
    this.element = element;
    this.cells = [];
    this.looks = [];
    this.selected = 0; // and which element is marked as that
    this.marked = null;
    this.width = this.height = 0;
    this.zoom = 1;
  }

  // Draw a position with what is known of it; only what has changed is touched.
  draw(position, { judgement, ranks, clues, clash, proven, played, right, asked }) {
    if (position.width !== this.width || position.height !== this.height) this.#build(position);
    const scale = scaleOf(position, judgement);
    for (const [square, cell] of this.cells.entries()) {
      const rank = ranks?.get(square);
      const look = describe(position, square, judgement, scale, rank);
      if (asked?.has(square)) look.classes += " asked";
      if (square === played) look.classes += " played";
      if (right?.has(square)) look.classes += " right";
      if (right?.has(square)) look.label += ", right";
      if (right && square === played) look.label += ", your answer";
      if (clues?.has(square)) look.classes += " proof";
      if (square === proven) look.classes += " proven";
      if (clash?.has(square)) look.classes += " clash";
      const key = `${look.classes}|${look.text}|${look.far}|${look.label}|${look.rank}`;
      if (this.looks[square] === key) continue;
      this.looks[square] = key;
      cell.className = look.classes;
      cell.textContent = look.text;
      if (look.flag) cell.prepend(make("span", look.flag, "flag"));
      cell.style.setProperty("--far", `${look.far}%`);
      if (look.rank) cell.dataset.rank = look.rank;
      else delete cell.dataset.rank;
      cell.setAttribute("aria-label", look.label);
    }
    showLegend(scale);
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

  // Scroll the board, and not the page, so far that a cell is in the middle.
  reveal(square) {
    const { offsetLeft, offsetTop } = this.cells[square];
    const { clientWidth, clientHeight } = byId("scroller");
    byId("scroller").scrollTo(offsetLeft - clientWidth / 2, offsetTop - clientHeight / 2);
  }

  // Show which cell a text speaks of; null: none.
  point(square) {
    this.element.querySelector(".pointed")?.classList.remove("pointed");
    this.cells[square]?.classList.add("pointed");
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

  // Cells as large as there is room for, within what fingers and eyes ask for; `by`: zoomed further.
  resize(by = 1) {
    const scroller = byId("scroller");
    const least = matchMedia("(pointer: coarse)").matches ? LEAST_TOUCH : LEAST;
    const above = scroller.getBoundingClientRect().top + scrollY;
    const [across, down] = [scroller.parentElement.clientWidth - 30, innerHeight - Math.min(above, innerHeight / 3) - 80];
    const side = Math.floor(Math.min(across / this.width, down / this.height)) - 1;
    const fitted = Math.max(least, Math.min(MOST, side));
    this.zoom = by === null ? 1 : this.zoom * by;
    const zoomed = Math.round(Math.max(SMALLEST, Math.min(LARGEST, fitted * this.zoom)));
    this.zoom = zoomed / fitted;
    byId("board").style.setProperty("--side", `${zoomed}px`);
    byId("board").classList.toggle("tiny", zoomed < LEGIBLE);
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
      const row = make("div");
      row.setAttribute("role", "row");
      for (let x = 0; x < width; x++) {
        const cell = make("div");
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
    for (const [id, most] of [["columns", width], ["rows", height]]) {
      byId(id).replaceChildren(...Array.from({ length: most }, (_, at) => make("span", at + 1)));
    }
    this.marked = this.cells[this.selected];
    this.marked.setAttribute("tabindex", "0");
    this.marked.setAttribute("aria-selected", "true");
    this.element.style.setProperty("grid-template-columns", `repeat(${width}, var(--side))`);
    this.zoom = 1;
    this.resize();
    this.element.setAttribute("aria-label", `Board, ${width} columns, ${height} rows`);
  }
}

// What the colours of risks are relative to: the average of the cells that are not certain. And
// the risk of the cells away from the numbers, which is one: it is written once, in the legend.
function scaleOf(position, judgement) {
  if (scales.has(judgement)) return scales.get(judgement);
  const scale = { average: null, away: new Set(), elsewhere: null };
  if (!judgement) return scale;
  scales.set(judgement, scale);
  let [sum, count] = [0, 0];
  for (const [square, risk] of judgement.risk.entries()) {
    if (risk === null || risk === 0 || risk === 1) continue;
    [sum, count] = [sum + risk, count + 1];
    if (position.around(square).some((other) => position.cells[other] >= "0" && position.cells[other] <= "8")) continue;
    scale.elsewhere ??= judgement.percent[square];
    if (judgement.percent[square] === scale.elsewhere) scale.away.add(square);
  }
  if (count) scale.average = sum / count;
  return scale;
}

const scales = new WeakMap(); // by the judgement
const logit = (chance) => Math.log(chance / (1 - chance));

// How far a risk is from the average, from -1 to 1.
function distance(risk, average) {
  return Math.max(-1, Math.min(1, (logit(risk) - logit(average)) / SPAN));
}

function showLegend({ average, elsewhere }) {
  byId("scale").hidden = average === null;
  byId("away").hidden = elsewhere === null;
  byId("away").lastElementChild.textContent = `${elsewhere}\u00a0%`;
  if (average === null) return;
  const at = (shift) => {
    const odds = average / (1 - average) * Math.exp(shift * SPAN);
    return `${(100 * odds / (1 + odds)).toPrecision(2)}\u00a0%`;
  };
  byId("least").textContent = at(-1);
  byId("most").textContent = at(1);
  byId("average").textContent = `${at(0)} (average)`;
}

// Two digits, where they do not look like certainty.
function brief(percent) {
  const value = Number(percent);
  return value >= 9.95 && value < 98.5 ? String(Math.round(value)) : percent;
}

// How a cell looks, and what it is called.
function describe(position, square, judgement, scale, rank) {
  const sign = position.cells[square];
  const where = position.place(square);
  const risk = judgement?.risk[square] ?? null;
  const look = { classes: "cell", text: SHOWN[sign] ?? sign, far: 0, label: "", flag: "", rank: "" };
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
  look.label = `${where}: ${what}`;
  if (risk !== null) {
    const percent = judgement.percent[square];
    const certain = risk === 0 ? "safe" : risk === 1 ? "mine" : null;
    look.label += `, ${certain === "mine" ? "certainly a mine" : certain ?? `mine risk ${percent} %`}`;
    const far = certain ? 0 : distance(risk, scale.average);
    look.classes += ` ${certain ?? (far < 0 ? "risky under" : "risky over")}`;
    look.far = Math.round(100 * Math.abs(far));
    look.text = certain === "safe" ? "✓" : certain === "mine" ? "✹"
      : scale.away.has(square) && !rank ? "" : brief(percent);
    if (sign === "F") {
      look.classes += risk === 0 ? " flagged doubted" : " flagged";
      look.flag = "⚑";
      if (certain === "mine") look.text = "";
    }
  }
  if (rank) {
    look.classes += rank === 1 ? " best" : " candidate";
    look.label += rank === 1 ? ", recommended" : `, candidate ${rank}`;
    if (risk !== 0 && risk !== 1) look.rank = rank;
  }
  return look;
}
