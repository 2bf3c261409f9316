// The page: one position, what the server knows of it, and what the user does to it.

import { listen } from "./bring.js";
import { Grid } from "./grid.js";
import { Keeping } from "./keeping.js";
import { Naming } from "./naming.js";
import { offerSigns } from "./palette.js";
import * as panel from "./panel.js";
import { History, Position, fits } from "./position.js";
import { Review } from "./review.js";
import { Latest, about, answers, ask, saved } from "./server.js";
import { listenToShare } from "./share.js";
import { offerThemes } from "./theme.js";

const { byId } = panel;
const KEYS = { h: "?", f: "F", m: "*", x: "!", " ": "?", "?": "?", Delete: "?", Backspace: "?" };
const REST = 250; // milliseconds
const PICTURE = document.querySelector("#shown canvas");
const EXAMPLE = "30x16m99:1A2h2h3hC1Dh2hB2A1A0D2h2123hC421h1A24h5Ah3h2C1Ah310A2hD1C02hB4h323hE20A124hB31C02hB5321hE1A0A1h2A321A2h1013h4hA12AhD0B12A1C01h21012C32AhE0B1h102h212A10A1h10A1h2hE0B12B3h32h21A01B0A1ChD0C1h3h2AhC321h1B0B12hC1A0A13h31hJ10C2hD31A02hM210B2hD3h102AhM1DhF212hZhZhZhZhE";
const NUMBERS = "?012345678"; // which the wheel goes through

const grid = new Grid(byId("grid"));
const naming = new Naming(byId("naming"), (squares, sign) => {
  if (sign === null) draw();
  else put(position().showing(squares, sign));
});
const keeping = new Keeping(byId("keeping"));
const questions = new Latest();
const whys = new Latest();
const outlooks = new Latest();
let history = new History(Position.blank(9, 9, 10));
let known = {}; // what the server has said of the position that is shown
let review = null; // the game that is looked at again
let visited = {}; // the moment of it that is shown, and the cell that was clicked then
let resting = 0; // a timer: what is known of that moment is asked for once the slider rests
let revealing = true; // the board has come from elsewhere: its move is scrolled to
let estimating = 0; // a timer
let draft = null; // while the mouse draws
let refusal = ""; // why what was brought last is not shown
let brush = null; // the sign that is drawn, null while cells are selected
let drills = { on: false, turn() {} }; // the other tab, which a saved page does not have
let left = 0; // the cell that was selected before that was opened

const position = () => draft ?? history.now;
// Whether what was asked about a position is of no use any more.
const stale = (asked) => asked !== history.now || drills.on;

function draw() {
  if (drills.on) {
    drills.draw();
    return;
  }
  naming.show(position(), grid.selected);
  keeping.show(position(), naming.tile);
  grid.draw(position(), {
    judgement: known.judgement,
    ranks: ranks(known.suggestion),
    clues: known.why?.clues,
    played: visited.position === position() ? visited.square : undefined,
    proven: known.why?.clues.size ? known.why.square : null,
    clash: known.clash,
    asked: naming.squares,
  });
  panel.showCell(position(), grid.selected, { judgement: known.judgement, why: known.why });
}

// The recommended cell and the two after it: the candidates of a guess.
function ranks(suggestion) {
  if (!suggestion || position().fresh) return null;
  const squares = suggestion.options.length ? suggestion.options.map(({ square }) => square) : [suggestion.square];
  return new Map(squares.slice(0, 3).map((square, at) => [square, at + 1]));
}

// The position has changed: draw it, and ask what is known of it.
function changed() {
  known = { ...known, why: null, clash: null, suggestion: null };
  refusal = "";
  settle();
  draw();
}

// All that need not keep pace with a slider.
function settle() {
  panel.showShape(history.now);
  const begins = review === null && history.now.fresh;
  if (byId("start").hidden === begins) {
    byId("start").hidden = !begins;
    grid.resize();
  }
  byId("undo").disabled = !history.past.length;
  byId("redo").disabled = !history.future.length;
  if (saved) {
    if (answers) questions.put(judge);
    return;
  }
  const isMove = visited.position === history.now && !review.brought;
  const place = isMove ? `move=${review.at + 1}` : history.now.address;
  window.history.replaceState(null, "", `#${place}`);
  questions.put(judge);
}

// Show a moment of the game, with what its player could know.
function visit(moment, judgement, square) {
  history = new History(moment);
  visited = { position: moment, square };
  known = { judgement };
  refusal = "";
  panel.showMove(moment, null, { done: "" });
  panel.showWin(null);
  panel.showCounts(judgement && { ...judgement, layouts: null });
  if (square !== undefined) grid.selected = square;
  draw();
  grid.select(grid.selected, { focus: grid.element.contains(document.activeElement) });
  clearTimeout(resting);
  resting = setTimeout(settle, REST);
}

function recall(why) {
  known.why = history.now.reason(why);
  grid.select(known.why.square, { focus: false });
  draw();
}

// The tab of drills was opened or left: what was known of the position is asked for again.
function turned() {
  if (drills.on) {
    left = grid.selected;
    review?.stop();
    setBrush(null);
  }
  draw();
  grid.resize();
  if (drills.on) return;
  grid.select(left, { focus: false });
  questions.put(judge);
}

async function judge(latest) {
  const asked = history.now;
  if (stale(asked)) return;
  let judgement;
  try {
    judgement = await about("judgement", asked);
  } catch (error) {
    if (!stale(asked)) conclude(asked, {}, error.message);
    return;
  }
  if (stale(asked)) return;
  if (judgement.reason !== undefined) {
    conclude(asked, { clash: new Set(judgement.clues) }, judgement.reason);
    return;
  }
  for (const certain of ["safe", "mines"]) {
    judgement[certain] = judgement[certain].filter((square) => !asked.unsure.has(square));
  }
  conclude(asked, { judgement, why: known.why }, unread(asked));
  whys.put(explain);
  if (latest()) await suggest(asked);
}

// Draw what is known without the move.
function conclude(asked, found, problem) {
  known = found;
  panel.complain(problem || refusal);
  panel.showCounts(known.judgement);
  panel.showWin(null);
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
  if (stale(asked)) return;
  // What is not read counts as covered: what is certain then is so whatever it shows, a guess is not.
  if (asked.unsure.size && suggestion) {
    const [safe] = known.judgement.safe;
    if (!suggestion.certain) suggestion = null;
    else if (asked.unsure.has(suggestion.square)) {
      suggestion = safe === undefined ? null : { ...suggestion, action: "open", square: safe };
    }
    if (!suggestion) done = "No guess is recommended before every cell is read";
  }
  known.suggestion = suggestion;
  panel.showMove(asked, suggestion, { done });
  panel.showWin(suggestion?.win);
  clearTimeout(estimating);
  if (suggestion && !suggestion.win && asked.mines !== null && !asked.fresh) {
    estimating = setTimeout(() => outlooks.put(() => estimate(asked, suggestion)), REST);
  }
  if (revealing && suggestion) grid.reveal(suggestion.square);
  revealing = false;
  byId("status").textContent = panel.status(known.judgement, suggestion, asked);
  draw();
}

// The chance to win, which takes a second: asked for once the board rests.
async function estimate(asked, suggestion) {
  const outlook = !stale(asked) && await about("outlook", asked).catch(() => null);
  if (stale(asked) || !outlook) return;
  const options = suggestion.options.map((option) => ({ ...option,
    wins: outlook.wins[option.square] ?? null }));
  panel.showMove(asked, { ...suggestion, options, estimated: true }, {});
  panel.showWin(outlook.win);
}

function unread({ unsure }) {
  if (!unsure.size) return "";
  const [what, counts] = unsure.size === 1 ? ["one cell", "counts"] : [`${unsure.size} cells`, "count"];
  return `${what} could not be read and ${counts} as covered: say what is striped on the board`;
}

// Why the selected cell is certain, or how it compares with the best guess.
async function explain() {
  const [asked, square] = [history.now, grid.selected];
  const { judgement } = known;
  if (draft || stale(asked) || !judgement || !answers || judgement.risk[square] === null || asked.unsure.has(square)) return;
  const reason = await about("reason", asked, { square }).catch((error) => ({ why: error.message }));
  if (stale(asked) || square !== grid.selected || !reason) return;
  known.why = { ...asked.reason(reason), square };
  draw();
}

function select(square, options) {
  known.why = null;
  naming.recall(position().unsure.get(square));
  grid.select(square, options);
  whys.put(explain);
  draw();
}

function refuse(line) {
  refusal = line;
  panel.complain(line);
}

function put(next) {
  if (!saved && !drills.on && history.add(next)) changed();
}

function set(square, sign) {
  put(position().showing([square], sign));
}

function travel(done) {
  if (done) changed();
}

// A board from elsewhere takes the place of this one; undo brings that back.
function take(next, { source = "", notes = [], picture = null } = {}) {
  drills.turn(false);
  history.add(next);
  revealing = true;
  changed();
  tell({ source, notes });
  panel.showPicture(PICTURE, picture);
  if (naming.tile) naming.focus();
}

function tell({ source, notes }) {
  byId("source").textContent = [source, ...notes].filter(Boolean).join(" · ");
}

// Look at a game that was brought; `again(number)` brings another one of the same recording.
function play(game, again) {
  drills.turn(false);
  review?.end();
  byId("source").textContent = game.source;
  review = new Review(game, visit, recall, true);
  byId("which").hidden = game.games === 1;
  byId("which").lastElementChild.textContent = `of ${game.games}`;
  Object.assign(byId("number"), { value: game.game, max: game.games });
  byId("number").onchange = () => again(Number(byId("number").value)).catch((error) => refuse(error.message));
  panel.complain("");
  panel.showPicture(PICTURE, null);
  review.begin();
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

function keyOf({ key }) {
  return key.length === 1 ? key.toLowerCase() : key;
}

// What a key says that a cell shows, undefined: nothing.
function signOf(event) {
  const key = keyOf(event);
  return /^[0-8]$/.test(key) ? key : KEYS[key];
}

function pressed(event) {
  if (drills.on) return;
  const key = keyOf(event);
  if (event.ctrlKey || event.metaKey) {
    if (key === "z" && !event.shiftKey) travel(history.undo());
    else if (key === "y" || key === "z") travel(history.redo());
    else return;
    event.preventDefault();
    return;
  }
  if (event.altKey) return;
  const sign = signOf(event);
  const takesSpace = event.target.matches("button, summary");
  if (naming.tile && (key === "Escape" || sign && !(key === " " && takesSpace))) {
    naming.answer(sign ?? null);
    event.preventDefault();
    return;
  }
  const step = { ",": -1, ".": 1, ArrowLeft: -1, ArrowRight: 1 }[key];
  if (key === "d" && !saved) setBrush(brush === null ? "?" : null);
  else if (review && step) review.step(step);
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
  if (drills.on) {
    if (event.key === "Enter" && !event.repeat) drills.press(grid.selected);
    return;
  }
  const sign = signOf(event);
  if (sign === undefined) return;
  set(grid.selected, sign);
  event.preventDefault();
}

function listenToGrid(element) {
  const paint = (square) => {
    if (square === null || position().cells[square] === brush && !position().unsure.has(square)) return;
    draft = position().showing([square], brush);
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
    if (square !== null && drills.on) drills.answer(square);
  });
  element.addEventListener("dblclick", (event) => {
    const square = grid.squareOf(event.target);
    if (square === null || brush !== null) return;
    set(square, history.now.cells[square] === "?" ? String(leastNumber(square)) : "?");
  });
  element.addEventListener("wheel", (event) => {
    const square = grid.squareOf(event.target);
    const at = NUMBERS.indexOf(history.now.cells[grid.selected]);
    // Elsewhere, and while the board has not been clicked, it scrolls the page.
    if (square !== grid.selected || document.activeElement !== event.target || at < 0 || event.ctrlKey) return;
    event.preventDefault();
    set(square, NUMBERS[(at + (event.deltaY < 0 ? 1 : NUMBERS.length - 1)) % NUMBERS.length]);
  }, { passive: false });
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

function listenToPalette() {
  offerSigns(byId("values"), (sign) => {
    if (brush === null) set(grid.selected, sign);
    else setBrush(sign);
  });
  byId("mode-select").addEventListener("click", () => setBrush(null));
  byId("mode-draw").addEventListener("click", () => setBrush(brush ?? "?"));
}

// The least number that a cell can show, as far as is known.
function leastNumber(square) {
  const { cells } = history.now;
  return history.now.around(square).filter((other) =>
    cells[other] === "*" || cells[other] === "!" || known.judgement?.risk[other] === 1).length;
}

function listenToBoards() {
  for (const button of document.querySelectorAll("[data-shape]")) {
    button.addEventListener("click", () => {
      const [width, height, mines] = button.dataset.shape.split(/[xm]/).map(Number);
      take(Position.blank(width, height, mines));
    });
  }
  byId("clear").addEventListener("click", () => {
    const { width, height, mines } = history.now;
    take(Position.blank(width, height, mines));
  });
  byId("custom").addEventListener("click", () => byId("width").focus());
  byId("start-open").addEventListener("click", () => byId("choose-file").click());
  byId("start-draw").addEventListener("click", () => setBrush("1"));
  byId("start-example").addEventListener("click", () => take(Position.fromAddress(EXAMPLE), { source: "an example" }));
  byId("smaller").addEventListener("click", () => grid.resize(1 / 1.25));
  byId("larger").addEventListener("click", () => grid.resize(1.25));
  byId("fit").addEventListener("click", () => grid.resize(null));
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

function listenToTools() {
  byId("undo").addEventListener("click", () => travel(history.undo()));
  byId("redo").addEventListener("click", () => travel(history.redo()));
  listenToShare({
    shown: () => ({ position: history.now, judgement: known.judgement, suggestion: known.suggestion,
      game: visited.position === history.now ? review.game : null }),
    tell: (line) => { byId("status").textContent = line; },
    complain: refuse,
  });
  offerThemes(byId("theme"));
}

async function begin() {
  document.body.dataset.saved = saved ? "yes" : "no";
  if (saved) document.body.dataset.busy = "no";
  listenToPalette();
  listenToBoards();
  listenToForm();
  listenToTools();
  listenToGrid(grid.element);
  panel.listenToPlaces(grid, select);
  if (!saved) {
    const { Drills } = await import("./drills.js"); // a saved page is without it
    drills = new Drills(grid, turned);
    listen({ take, play, complain: refuse });
  }
  document.addEventListener("keydown", (event) => {
    if (!event.defaultPrevented && !event.target.matches("input, textarea")) pressed(event);
  });
  window.addEventListener("resize", () => grid.resize());
  window.addEventListener("hashchange", () => {
    const there = Position.fromAddress(location.hash.slice(1));
    drills.turn(false);
    if (there) put(there);
    else refuse("this address holds no board");
  });
  const opened = await ask("opened").catch(() => null);
  begun(saved ? "" : location.hash.slice(1), opened);
  grid.select(grid.selected, { focus: false });
}

// What to begin with: a game, what the address holds, the file that was named, an empty board.
function begun(address, opened) {
  const move = /^move=(\d+)$/.exec(address);
  if (opened?.moves) {
    tell({ source: opened.source, notes: opened.games > 1 ? [`--game N opens one of ${opened.games} games`] : [] });
    review = new Review(opened, visit, recall);
    if (move || !address) {
      if (move) review.go(Number(move[1]) - 1);
      else review.begin();
      return;
    }
  }
  const there = Position.fromAddress(address);
  if (there) history = new History(there);
  else if (opened?.rows) history = new History(Position.from(opened));
  changed();
  if (address && !there) refuse("this address holds no board");
  else if (opened?.rows && !there) tell(opened);
}

begin();
