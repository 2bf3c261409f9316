// The page: one position, what the server knows of it, and what the user does to it.

import { listen } from "./bring.js";
import { Grid } from "./grid.js";
import * as panel from "./panel.js";
import { History, Position, SIGNS, fits } from "./position.js";
import { Latest, about, ask } from "./server.js";

const byId = (id) => document.getElementById(id);
const KEYS = { f: "F", m: "*", x: "!", " ": "?", "?": "?", Delete: "?", Backspace: "?" };
const NAMES = { "?": "covered", 0: "empty", F: "flag", "*": "mine", "!": "the mine that was hit" };
const LOOKS = { "?": "□", 0: "·", F: "⚑", "*": "✹", "!": "✸" };

const grid = new Grid(byId("grid"));
const questions = new Latest();
const whys = new Latest();
let history = new History(Position.blank(9, 9, 10));
let known = {}; // what the server has said of the position that is shown
let draft = null; // while the mouse draws
let refusal = ""; // why what was brought last is not shown
let brush = null; // the sign that is drawn, null while cells are selected

const position = () => draft ?? history.now;

function draw() {
  grid.draw(position(), {
    judgement: known.judgement,
    advised: known.suggestion?.square,
    clues: known.why?.clues,
    proven: known.why?.clues.size ? known.why.square : null,
    clash: known.clash,
  });
  panel.showCell(position(), grid.selected, { judgement: known.judgement, why: known.why });
}

// The position has changed: draw it, and ask what is known of it.
function changed() {
  known = { ...known, why: null, clash: null };
  refusal = "";
  panel.showShape(history.now);
  byId("undo").disabled = !history.past.length;
  byId("redo").disabled = !history.future.length;
  window.history.replaceState(null, "", `#${history.now.address}`);
  draw();
  questions.put(judge);
}

async function judge(latest) {
  const asked = history.now;
  let judgement;
  try {
    judgement = await about("judgement", asked);
  } catch (error) {
    if (asked === history.now) conclude(asked, {}, error.message);
    return;
  }
  if (asked !== history.now) return;
  if (judgement.reason !== undefined) {
    conclude(asked, { clash: new Set(judgement.clues) }, judgement.reason);
    return;
  }
  conclude(asked, { judgement }, unread(asked));
  whys.put(explain);
  if (latest()) await suggest(asked);
}

// Draw what is known without the move.
function conclude(asked, found, problem) {
  known = found;
  panel.complain(problem || refusal);
  panel.showCounts(known.judgement);
  panel.showMove(asked, null, { done: known.clash ? "No layout fits this board" : "" });
  byId("status").textContent = "";
  draw();
}

async function suggest(asked) {
  let suggestion = null;
  let done = asked.cells.includes("!") ? "A mine was hit" : "Nothing is left to do";
  try {
    suggestion = await about("suggestion", asked);
  } catch (error) {
    done = error.message;
  }
  if (asked !== history.now) return;
  known.suggestion = suggestion;
  panel.showMove(asked, suggestion, { done, select });
  byId("status").textContent = panel.status(known.judgement, suggestion, asked);
  draw();
}

function unread({ unsure }) {
  if (!unsure.size) return "";
  const what = unsure.size === 1 ? "one cell" : `${unsure.size} cells`;
  return `${what} could not be read, and is taken for covered: set it where it is striped`;
}

// Why the selected cell is certain, or how it compares with the best guess.
async function explain() {
  const [asked, square] = [history.now, grid.selected];
  const { judgement } = known;
  if (draft || !judgement || judgement.risk[square] === null || asked.unsure.has(square)) return;
  const reason = await about("reason", asked, { square }).catch((error) => ({ text: error.message }));
  if (asked !== history.now || square !== grid.selected || !reason) return;
  known.why = { ...reason, square, clues: new Set(reason.clues) };
  draw();
}

function select(square, options) {
  known.why = null;
  grid.select(square, options);
  draw();
  whys.put(explain);
}

function refuse(line) {
  refusal = line;
  panel.complain(line);
}

function put(next) {
  if (history.add(next)) changed();
}

function set(square, sign) {
  put(position().showing(square, sign));
}

function travel(done) {
  if (done) changed();
}

// A board from elsewhere takes the place of this one; undo brings that back.
function take(next, { source = "", notes = [] } = {}) {
  history.add(next);
  changed();
  byId("source").textContent = [source, ...notes].filter(Boolean).join(" · ");
}

function setBrush(sign) {
  brush = sign;
  grid.element.classList.toggle("drawing", sign !== null);
  byId("mode-select").setAttribute("aria-pressed", sign === null);
  byId("mode-draw").setAttribute("aria-pressed", sign !== null);
  for (const button of byId("values").children) {
    if (sign === null) button.removeAttribute("aria-pressed");
    else button.setAttribute("aria-pressed", button.dataset.sign === sign);
  }
}

function next() {
  const safe = known.judgement?.safe ?? [];
  const after = safe.find((square) => square > grid.selected) ?? safe[0];
  if (after !== undefined) select(after);
}

function pressed(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z" && !event.shiftKey) travel(history.undo());
    else if (key === "y" || key === "z") travel(history.redo());
    else return;
    event.preventDefault();
    return;
  }
  if (event.altKey) return;
  if (key === "d") setBrush(brush === null ? "?" : null);
  else if (key === "n") next();
  else if (key === "a" && known.suggestion) select(known.suggestion.square);
  else return;
  event.preventDefault();
}

function pressedInGrid(event) {
  const target = grid.target(event);
  if (target !== null && !event.altKey) {
    select(target);
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const sign = /^[0-8]$/.test(event.key) ? event.key : KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (sign === undefined) return;
  set(grid.selected, sign);
  event.preventDefault();
}

function listenToGrid(element) {
  const paint = (square) => {
    if (square === null || position().cells[square] === brush && !position().unsure.has(square)) return;
    draft = position().showing(square, brush);
    draw();
  };
  element.addEventListener("keydown", pressedInGrid);
  element.addEventListener("pointerdown", (event) => {
    const square = grid.squareOf(event.target);
    if (square === null || event.button !== 0) return;
    event.preventDefault();
    grid.select(square);
    if (brush === null) return;
    draft = history.now;
    paint(square);
  });
  element.addEventListener("pointermove", (event) => {
    if (draft) paint(grid.squareOf(document.elementFromPoint(event.clientX, event.clientY)));
  });
  element.addEventListener("click", (event) => {
    const square = grid.squareOf(event.target);
    if (square !== null && brush === null) select(square);
  });
  element.addEventListener("contextmenu", (event) => {
    const square = grid.squareOf(event.target);
    if (square === null) return;
    event.preventDefault();
    const sign = history.now.cells[square];
    grid.select(square);
    if (sign === "?" || sign === "F") set(square, sign === "F" ? "?" : "F");
  });
  for (const end of ["pointerup", "pointercancel"]) {
    window.addEventListener(end, () => {
      if (!draft) return;
      const drawn = draft;
      draft = null;
      put(drawn);
    });
  }
}

function fillPalette() {
  for (const sign of "?012345678F*!") {
    const button = document.createElement("button");
    button.dataset.sign = sign;
    button.textContent = LOOKS[sign] ?? sign;
    button.className = `n${sign}`;
    button.title = NAMES[sign] ?? sign;
    button.setAttribute("aria-label", NAMES[sign] ?? sign);
    button.addEventListener("click", () => {
      if (brush === null) set(grid.selected, sign);
      else setBrush(sign);
    });
    byId("values").append(button);
  }
  byId("mode-select").addEventListener("click", () => setBrush(null));
  byId("mode-draw").addEventListener("click", () => setBrush(brush ?? "?"));
}

function listenToForm() {
  byId("shape").addEventListener("submit", (event) => {
    event.preventDefault();
    const [width, height] = [Number(byId("width").value), Number(byId("height").value)];
    const mines = byId("mines").value === "" ? null : Number(byId("mines").value);
    if (!fits(width, height)) refuse(`a board of ${width}x${height} is too large`);
    else put(history.now.shaped(width, height, mines));
  });
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = `Theme: ${theme}`;
  localStorage.setItem("theme", theme);
}

function listenToTools() {
  const themes = ["auto", "light", "dark"];
  const now = () => document.documentElement.dataset.theme;
  byId("undo").addEventListener("click", () => travel(history.undo()));
  byId("redo").addEventListener("click", () => travel(history.redo()));
  byId("theme").addEventListener("click", () => setTheme(themes[(themes.indexOf(now()) + 1) % 3]));
  byId("share").addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    byId("status").textContent = "The address is copied: it holds this position.";
  });
  const kept = localStorage.getItem("theme");
  setTheme(themes.includes(kept) ? kept : "auto");
}

async function begin() {
  fillPalette();
  listenToForm();
  listenToTools();
  listenToGrid(grid.element);
  listen(take, refuse);
  document.addEventListener("keydown", (event) => {
    if (!event.target.matches("input, textarea")) pressed(event);
  });
  window.addEventListener("resize", () => grid.resize());
  window.addEventListener("hashchange", () => {
    const there = Position.fromAddress(location.hash.slice(1));
    if (there) put(there);
    else refuse("this address holds no board");
  });
  const there = Position.fromAddress(location.hash.slice(1));
  if (there) history = new History(there);
  const nonsense = location.hash.length > 1 && !there;
  changed();
  if (nonsense) refuse("this address holds no board");
  const opened = there ? null : await ask("opened").catch(() => null);
  if (opened) {
    history = new History(Position.from(opened));
    take(history.now, opened);
  }
  grid.select(grid.selected, { focus: false });
}

begin();
