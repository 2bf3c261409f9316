// What is said beside the board: the move, the selected cell, the board as a whole.

export const byId = (id) => document.getElementById(id);
const ACTIONS = { open: "Open", flag: "Flag", unflag: "Take the flag off" };
const PLACE = /\brow (\d+), columns? (\d+)|(?<=\bcolumns \d[\d, ]*(?: and )?)\d+/gi;

// A text in which every coordinate is a button that leads to its cell: see `listenToPlaces`.
export function linked(text) {
  const parts = [];
  let from = 0, row = "";
  for (const found of text.matchAll(PLACE)) {
    row = found[1] ?? row;
    const button = make("button", found[0], "place");
    Object.assign(button.dataset, { row, column: found[2] ?? found[0] });
    parts.push(text.slice(from, found.index), button);
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)];
}

export function sentence(text) {
  return text && text[0].toUpperCase() + text.slice(1);
}

function say(id, text) {
  if (byId(id).textContent !== text) byId(id).replaceChildren(...linked(text));
}

// An element with a text in it, an element, or several of these.
export function make(name, content = [], className = "") {
  const element = Object.assign(document.createElement(name), { className });
  element.replaceChildren(...[content].flat());
  return element;
}

// Tell where the coordinates lead that the pointer, or the focus, is on; `select` gets those pressed.
export function listenToPlaces(grid, select) {
  const square = (event) => {
    const { row, column } = event.target.closest?.(".place")?.dataset ?? {};
    const [y, x] = [row - 1, column - 1];
    return x >= 0 && x < grid.width && y >= 0 && y < grid.height ? y * grid.width + x : null;
  };
  for (const name of ["pointerover", "focusin", "pointerout", "focusout"]) {
    document.addEventListener(name, (event) => grid.point(/out$/.test(name) ? null : square(event)));
  }
  document.addEventListener("click", (event) => {
    if (square(event) !== null) select(square(event), { focus: false });
  });
}

export function showMove(position, suggestion, { done }) {
  const options = byId("options");
  options.replaceChildren();
  say("move-decided", "");
  say("move-why", "");
  if (!suggestion) {
    say("move-what", done);
    return;
  }
  const where = position.place(suggestion.square);
  const chosen = suggestion.options[0];
  const how = suggestion.certain ? "certain" : chosen ? `a guess, mine risk ${chosen.risk}\u00a0%` : "first click";
  say("move-what", `${ACTIONS[suggestion.action]} ${where}: ${how}`);
  if (!chosen) {
    say("move-why", suggestion.certain ? "" : suggestion.why);
    return;
  }
  say("move-decided", `What decided: ${suggestion.decided}.`);
  options.append(table(position, suggestion));
}

function table(position, { options, estimated }) {
  const wins = options.some((option) => option.wins !== null);
  const element = make("table");
  element.createCaption().textContent = "The choice and its runners-up";
  element.caption.className = "unseen";
  const head = element.createTHead().insertRow();
  for (const name of ["Cell", "Risk", "Progress", ...(wins ? [estimated ? "Wins \u2248" : "Wins"] : [])]) {
    head.append(Object.assign(make("th", name), { scope: "col" }));
  }
  const body = element.createTBody();
  for (const [rank, option] of options.entries()) {
    const row = body.insertRow();
    row.className = rank ? "" : "best";
    row.insertCell().append(rank < 3 ? `${rank + 1}\u2002` : "\u2003", ...linked(position.place(option.square)));
    const rest = [option.risk, option.progress, ...(wins ? [option.wins] : [])];
    for (const value of rest) row.insertCell().textContent = value === null ? "–" : `${value}\u00a0%`;
  }
  return element;
}

// The one number for the position.
export function showWin(win) {
  say("win", !win ? "" : win.games === null ? `Chance to win: ${win.chance}\u00a0% (exact)`
    : `Chance to win: about ${win.chance}\u00a0% (${win.low} to ${win.high}\u00a0%, estimated by playing ${win.games} games)`);
}

export function showCell(position, square, { judgement, why }) {
  const sign = position.cells[square];
  const percent = judgement?.percent[square];
  let what = `${sentence(position.place(square))}: `;
  if (position.unsure.has(square)) what += "could not be read";
  else if (sign >= "0" && sign <= "8") what += sign === "0" ? "empty" : `a ${sign}`;
  else if (sign === "*" || sign === "!") what += "a mine";
  else if (percent === undefined || percent === null) what += "covered";
  else if (percent === "0") what += "safe";
  else if (percent === "100") what += "a mine";
  else what += `mine risk ${percent}\u00a0%`;
  if (byId("cell-what").textContent !== what) byId("cell-what").textContent = what;
  say("cell-why", why?.text ?? "");
  const steps = byId("cell-steps");
  if (steps.why === why) return;
  steps.why = why;
  listSteps(steps, why?.steps ?? []);
}

// The steps of a proof.
export function listSteps(element, steps) {
  element.replaceChildren(...steps.map(({ text, depth }) => {
    const item = make("li", linked(text));
    item.style.setProperty("--depth", depth);
    return item;
  }));
}

export function showCounts(judgement) {
  byId("count-safe").textContent = judgement ? judgement.safe.length : "–";
  byId("count-mines").textContent = judgement ? judgement.mines.length : "–";
  byId("weighed").hidden = !judgement?.weighed;
  const layouts = byId("layouts");
  layouts.textContent = "–";
  if (!judgement?.layouts) return;
  const number = judgement.layouts;
  const grouped = number.replace(/\B(?=(\d{3})+$)/g, "\u2009");
  if (number.length <= 12) {
    layouts.textContent = grouped;
    return;
  }
  const mantissa = Number(`${number[0]}.${number.slice(1, 4)}`).toFixed(1);
  const brief = make("summary", [`${mantissa} × 10`, make("sup", number.length - 1)]);
  brief.title = "All digits";
  layouts.replaceChildren(make("details", [brief, make("small", grouped)]));
}

export function showShape({ width, height, mines }) {
  byId("width").value = width;
  byId("height").value = height;
  byId("mines").value = mines ?? "";
}

export function status(judgement, suggestion, position) {
  if (!judgement) return "";
  const several = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;
  const move = suggestion ? ` ${ACTIONS[suggestion.action]} ${position.place(suggestion.square)}.` : "";
  return `${several(judgement.safe.length, "safe cell")}, ${several(judgement.mines.length, "certain mine")}.${move}`;
}

// What has gone wrong, in a line; nothing takes it away again.
export function complain(line = "") {
  const alert = byId("alert");
  alert.hidden = !line;
  alert.replaceChildren(...linked(sentence(line)));
}

// A picture in its canvas, which is hidden without one. Drawn, for the page may load nothing.
export async function showPicture(canvas, file) {
  canvas.hidden = true;
  canvas.file = file;
  const picture = file && await createImageBitmap(file).catch(() => null);
  if (!picture || canvas.file !== file) return;
  [canvas.width, canvas.height] = [picture.width, picture.height];
  canvas.getContext("2d").drawImage(picture, 0, 0);
  canvas.hidden = false;
}
