// What is said beside the board: the move, the selected cell, the board as a whole.

const byId = (id) => document.getElementById(id);
const say = (id, text) => { byId(id).textContent = text; };
const ACTIONS = { open: "Open", flag: "Flag", unflag: "Take the flag off" };

export function showMove(position, suggestion, { done, select }) {
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
  options.append(table(position, suggestion.options, select));
}

function table(position, options, select) {
  const wins = options.some((option) => option.wins !== null);
  const element = document.createElement("table");
  element.createCaption().textContent = "The choice and its runners-up";
  element.caption.className = "unseen";
  const head = element.createTHead().insertRow();
  for (const name of ["Cell", "Mine risk", "Progress", ...(wins ? ["Wins"] : [])]) {
    head.append(Object.assign(document.createElement("th"), { textContent: name, scope: "col" }));
  }
  const body = element.createTBody();
  for (const [rank, option] of options.entries()) {
    const row = body.insertRow();
    row.className = rank ? "" : "best";
    const button = document.createElement("button");
    button.textContent = position.place(option.square);
    button.addEventListener("click", () => select(option.square));
    row.insertCell().append(button);
    const rest = [option.risk, option.progress, ...(wins ? [option.wins] : [])];
    for (const value of rest) row.insertCell().textContent = value === null ? "–" : `${value}\u00a0%`;
  }
  return element;
}

export function showCell(position, square, { judgement, why }) {
  const sign = position.cells[square];
  const where = position.place(square);
  const percent = judgement?.percent[square];
  let what = `${where[0].toUpperCase()}${where.slice(1)}: `;
  if (position.unsure.has(square)) what += "could not be read";
  else if (sign >= "0" && sign <= "8") what += sign === "0" ? "empty" : `a ${sign}`;
  else if (sign === "*" || sign === "!") what += "a mine";
  else if (percent === undefined || percent === null) what += "covered";
  else if (percent === "0") what += "safe";
  else if (percent === "100") what += "a mine";
  else what += `mine risk ${percent}\u00a0%`;
  say("cell-what", what);
  say("cell-why", why?.text ?? "");
  const steps = byId("cell-steps");
  if (steps.why === why) return;
  steps.why = why;
  steps.replaceChildren(...(why?.steps ?? []).map(({ text, depth }) => {
    const item = Object.assign(document.createElement("li"), { textContent: text });
    item.style.setProperty("--depth", depth);
    return item;
  }));
}

export function showCounts(judgement) {
  say("count-safe", judgement ? judgement.safe.length : "–");
  say("count-mines", judgement ? judgement.mines.length : "–");
  byId("weighed").hidden = !judgement?.weighed;
  const layouts = byId("layouts");
  layouts.textContent = "–";
  if (!judgement) return;
  const number = judgement.layouts;
  const grouped = number.replace(/\B(?=(\d{3})+$)/g, "\u2009");
  if (number.length <= 12) {
    layouts.textContent = grouped;
    return;
  }
  const exact = Object.assign(document.createElement("small"), { textContent: grouped });
  layouts.replaceChildren(`≈ ${number[0]}.${number.slice(1, 3)} × 10`, superscript(number.length - 1), exact);
}

function superscript(number) {
  return Object.assign(document.createElement("sup"), { textContent: number });
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
  alert.textContent = line && line[0].toUpperCase() + line.slice(1);
}
