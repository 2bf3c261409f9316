// A game again: a slider over its moves, what each was worth, a graph over time.

import { byId, linked, make } from "./panel.js";
import { Position } from "./position.js";

const PAUSE = 150; // milliseconds a move is shown while the game plays by itself
const [WIDE, HIGH, STRIP] = [1000, 120, 10]; // of the graph, in its own units
const DONE = { open: "opened", flag: "flagged", unflag: "took the flag off", chord: "chorded on" };

export class Review {
  // `show(position, judgement, square)` draws a moment; `explain(why)` what was to be seen there.
  // A game that was `brought` to the page is not there when its address is opened anew.
  constructor(game, show, explain, brought = false) {
    Object.assign(this, { game, show, explain, brought, at: 0, timer: null });
    this.gone = new AbortController();
    this.moves = game.moves;
    this.#figures();
    this.#moments();
    this.#graph();
    this.#listen();
    byId("review").hidden = byId("bar").hidden = false;
  }

  get last() {
    return this.moves.length;
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.last, at));
    const move = this.moves[this.at];
    const { width, height, mines, final } = this.game;
    const position = new Position(width, height, move ? move.board : final, mines);
    const square = move ? move.y * width + move.x : undefined;
    const said = this.#said(move, position, square);
    byId("slider").value = this.at;
    byId("slider").setAttribute("aria-valuetext", said);
    byId("played").replaceChildren(...linked(said));
    byId("played").className = move ? tone(move) : "";
    this.now.setAttribute("x1", this.#place(this.at));
    this.now.setAttribute("x2", this.#place(this.at));
    this.show(position, move ? judgement(position, move.risks) : null, square);
  }

  #said(move, position, square) {
    if (!move) return `The end: ${this.game.outcome} after ${this.game.seconds.toFixed(2)} s`;
    const risk = move.risk === null ? "" : `, mine risk ${percent(mille(move.risk))}\u00a0%`;
    const late = move.paused ? `, ${move.paused.toFixed(1)} s late` : "";
    return `Move ${this.at + 1} of ${this.last}, ${move.seconds.toFixed(2)} s: ${DONE[move.action]} `
      + `${position.place(square)}: ${move.mark}${risk}${late}`;
  }

  #figures() {
    byId("figures").replaceChildren(...this.game.figures.map(([name, value]) =>
      make("div", [make("dt", name), make("dd", value)])));
  }

  // Where it is worth looking first.
  begin() {
    if (this.game.moments.length) this.#recall(this.game.moments[0]);
    else this.go(0);
  }

  #moments() {
    const items = this.game.moments.map((moment) => {
      const button = make("button", `Move ${moment.move + 1}`);
      button.addEventListener("click", () => this.#recall(moment));
      return make("li", [button, make("span", linked(moment.text))]);
    });
    if (!items.length) items.push(make("li", "No mistake, no hesitation."));
    byId("moments").replaceChildren(...items);
  }

  #recall(moment) {
    this.go(moment.move);
    if (moment.why) this.explain(moment.why);
  }

  #place(at) {
    const seconds = at < this.last ? this.moves[at].seconds : this.game.seconds;
    return this.game.seconds > 0 ? WIDE * Math.min(1, seconds / this.game.seconds) : 0;
  }

  // The share of cells that are open, a tick for every move, a dot for each guess by its risk.
  #graph() {
    const { width, height, final } = this.game;
    const opened = (board) => board.replace(/[^0-8]/g, "").length / (width * height);
    const level = (share) => HIGH - STRIP - (HIGH - STRIP) * share;
    const points = this.moves.map((move, at) => `${this.#place(at)},${level(opened(move.board))}`);
    points.push(`${WIDE},${level(opened(final))}`);
    const base = level(0);
    const nodes = [svg("polygon", { class: "area", points: `0,${base} ${points.join(" ")} ${WIDE},${base}` }),
      svg("polyline", { class: "line", points: points.join(" ") })];
    for (const [at, move] of this.moves.entries()) {
      const x = this.#place(at);
      const kind = `tick ${tone(move)}`;
      nodes.push(svg("line", { class: kind, x1: x, x2: x, y1: HIGH - STRIP + 2, y2: HIGH }));
      if (move.risk === null && !move.mistake) continue;
      const stem = svg("line", { class: `stem ${tone(move)}`, x1: x, x2: x,
        y1: base, y2: level(Math.max(0.04, move.risk ?? 0)) });
      stem.addEventListener("click", () => this.go(at));
      nodes.push(stem);
    }
    this.now = svg("line", { class: "now", x1: 0, x2: 0, y1: 0, y2: HIGH });
    byId("graph").setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
    byId("graph").replaceChildren(...nodes, this.now);
  }

  #listen() {
    const { signal } = this.gone;
    const on = (name, event, act) => byId(name).addEventListener(event, act, { signal });
    byId("slider").max = this.last;
    on("slider", "input", (event) => this.go(Number(event.target.value)));
    on("back", "click", () => this.step(-1));
    on("next", "click", () => this.step(1));
    on("play", "click", () => (this.timer ? this.stop() : this.play()));
  }

  // Another game takes its place.
  end() {
    this.stop();
    this.gone.abort();
  }

  step(by) {
    this.go(this.at + by);
  }

  play() {
    if (this.at === this.last) this.go(0);
    byId("play").textContent = "Pause";
    this.timer = setInterval(() => {
      this.step(1);
      if (this.at === this.last) this.stop();
    }, PAUSE);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    byId("play").textContent = "Play";
  }
}

function tone(move) {
  return move.mistake ? "mistake" : move.risk === null ? "fine" : "guessed";
}

function svg(name, facts) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(facts)) node.setAttribute(key, value);
  return node;
}

// Chances in per mille, in which 0 and 1000 stand for certainty alone.
function mille(chance) {
  return chance <= 0 ? 0 : chance >= 1 ? 1000 : Math.min(999, Math.max(1, Math.round(1000 * chance)));
}

function percent(milles) {
  if (milles === 0 || milles === 1000) return String(milles / 10);
  return milles === 1 ? "<0.2" : milles === 999 ? ">99.8" : (milles / 10).toFixed(1);
}

// What the player saw, in the form in which the server judges positions.
function judgement(position, risks) {
  const found = { risk: [], percent: [], safe: [], mines: [] };
  let covered = 0;
  for (const [square, sign] of [...position.cells].entries()) {
    const milles = sign === "?" || sign === "F" ? risks[covered++] : undefined;
    found.risk.push(milles === undefined ? null : milles / 1000);
    found.percent.push(milles === undefined ? null : percent(milles));
    if (milles === 0) found.safe.push(square);
    if (milles === 1000) found.mines.push(square);
  }
  return found;
}
