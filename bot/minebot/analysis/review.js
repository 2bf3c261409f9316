"use strict";
const game = JSON.parse(document.getElementById("game").textContent);
const by = (id) => document.getElementById(id);
const make = (name, text, kind) => {
  const node = document.createElement(name);
  if (text !== undefined) node.textContent = text;
  if (kind) node.className = kind;
  return node;
};
const percent = (mille) => mille <= 0 ? "0" : mille >= 1000 ? "100"
  : mille === 1 ? "<0.2" : mille === 999 ? ">99.8" : (mille / 10).toFixed(1);
const share = (chance) => percent(chance <= 0 ? 0 : chance >= 1 ? 1000
  : Math.min(999, Math.max(1, Math.round(1000 * chance))));
const moves = game.moves, last = moves.length;
const tone = (move) => move.mistake ? "mistake" : move.risk === null ? "fine" : "guess";

const cells = [];
for (let at = 0; at < game.width * game.height; at++) {
  const cell = make("span");
  cells.push(cell);
  by("board").append(cell);
}
by("board").style.gridTemplateColumns = `repeat(${game.width}, 30px)`;

const colour = (mille) => `hsl(${Math.round(130 * (1 - Math.sqrt(mille / 1000)))} 65% ${60 + Math.abs(mille - 500) / 50}%)`;

const shown = { at: 0, why: null };
const show = (at, why) => {
  shown.at = Math.max(0, Math.min(last, at));
  shown.why = why || null;
  const move = moves[shown.at];
  const board = move ? move.board : game.final;
  const risks = move ? move.risks : [];
  let covered = 0;
  cells.forEach((cell, square) => {
    const sign = board[square];
    cell.className = "";
    cell.style.background = "";
    cell.removeAttribute("title");
    if (sign === "?" || sign === "F") {
      const mille = risks[covered++];
      cell.className = "covered";
      if (mille !== undefined) {
        cell.style.background = colour(mille);
        cell.title = `mine risk ${percent(mille)} %`;
      } else cell.style.background = "var(--soft)";
      cell.textContent = sign === "F" ? "⚑" : mille === undefined ? "" : percent(mille);
    } else {
      cell.textContent = sign === "0" ? "" : sign === "*" || sign === "!" ? "✹" : sign;
      cell.className = sign === "!" ? "hit" : `n${sign}`;
    }
  });
  const square = (one) => cells[one[1] * game.width + one[0]];
  if (move) square([move.x, move.y]).classList.add("chosen");
  if (why) {
    why.clues.forEach((clue) => square(clue).classList.add("clue"));
    square([why.x, why.y]).classList.add("proven");
  }
  by("slider").value = shown.at;
  const said = by("said");
  said.className = move ? tone(move) : "";
  said.textContent = move
    ? `${shown.at + 1} of ${last}, ${move.seconds.toFixed(2)} s: ${move.action} (${move.y + 1},${move.x + 1}), ${move.mark}`
      + (move.risk === null ? "" : `, mine risk ${share(move.risk)} %`)
      + (move.paused ? `, ${move.paused.toFixed(1)} s late` : "")
    : `the end: ${game.outcome} after ${game.seconds.toFixed(2)} s`;
  by("slider").setAttribute("aria-valuetext", said.textContent);
  by("now").setAttribute("x1", place(shown.at));
  by("now").setAttribute("x2", place(shown.at));
};

const wide = 1000, high = 150;
const place = (at) => {
  const seconds = at < last ? moves[at].seconds : game.seconds;
  return game.seconds > 0 ? wide * Math.min(1, seconds / game.seconds) : 0;
};
const draw = (name, facts) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(facts)) node.setAttribute(key, value);
  by("graph").append(node);
  return node;
};
const area = game.width * game.height;
const opened = (board) => { let open = 0; for (const sign of board) if (sign >= "0" && sign <= "8") open++; return open; };
const points = moves.map((move, at) => `${place(at)},${high - high * opened(move.board) / area}`);
points.push(`${wide},${high - high * opened(game.final) / area}`);
draw("polyline", { points: points.join(" "), fill: "none", stroke: "currentColor", "stroke-width": 2 });
moves.forEach((move, at) => {
  if (move.risk !== null || move.mistake) {
    const dot = draw("circle", { cx: place(at), cy: high - high * Math.max(0.02, move.risk || 0),
      r: 6, class: tone(move), fill: "currentColor" });
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = `${move.mark}${move.risk === null ? "" : `, ${share(move.risk)} %`}`;
    dot.append(title);
    dot.addEventListener("click", () => show(at));
  }
});
draw("line", { id: "now", x1: 0, x2: 0, y1: 0, y2: high, stroke: "var(--accent)", "stroke-width": 3 });

by("slider").max = last;
by("slider").addEventListener("input", (event) => show(Number(event.target.value)));
let timer = null;
const stop = () => { clearInterval(timer); timer = null; by("play").textContent = "Play"; };
by("play").addEventListener("click", () => {
  if (timer) return stop();
  if (shown.at === last) show(0);
  by("play").textContent = "Pause";
  timer = setInterval(() => { show(shown.at + 1); if (shown.at === last) stop(); }, 150);
});
by("back").addEventListener("click", () => show(shown.at - 1));
by("next").addEventListener("click", () => show(shown.at + 1));
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT") return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) { event.preventDefault(); show(shown.at + step); }
});

game.moments.forEach((moment) => {
  const item = make("li");
  const button = make("button", `Move ${moment.move + 1}`);
  button.addEventListener("click", () => { show(moment.move, moment.why); by("scroll").scrollIntoView({ block: "nearest" }); });
  item.append(button, make("span", moment.text));
  if (moment.why && moment.why.steps.length) {
    const steps = make("ol");
    moment.why.steps.forEach((step) => steps.append(make("li", step.text)));
    item.append(steps);
  }
  by("moments").append(item);
});
if (!game.moments.length) by("moments").append(make("li", "Nothing: no mistake, no hesitation."));
show(0);
