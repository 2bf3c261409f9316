// Questions to the server, which calculates. Each has one answer; a refusal is an Error of one line.
// In a page that was saved as one file the answers are there already: about one board, or a game.

const GONE = "the server does not answer: is minebot study still running?";
const packed = JSON.parse(document.getElementById("packed")?.textContent ?? "null");

export const saved = packed !== null;

const panel = document.querySelector("aside");
let open = 0; // questions without an answer, and files that are not read yet

// While answers are waited for the panel does not shrink: the page would scroll under the mouse.
export function count(change) {
  if (!open) panel.style.minHeight = `${panel.offsetHeight}px`;
  open += change;
  document.body.dataset.busy = "yes";
  setTimeout(() => { // an answer may lead to the next question
    if (open) return;
    panel.style.minHeight = "";
    document.body.dataset.busy = "no";
  });
}

export async function ask(name, body) {
  if (saved) return packed[name] ?? null;
  let answer;
  count(1);
  try {
    const options = body === undefined ? {} : { method: "POST", body };
    const response = await fetch(`api/${name}`, options);
    answer = await response.json();
  } catch {
    throw new Error(GONE);
  } finally {
    count(-1);
  }
  if (answer?.error) throw new Error(answer.error);
  return answer;
}

// Whether anything can be found out about a board that is no moment of a game.
export const answers = !saved || Boolean(packed.judgement);

// What a server's bytes are in JSON.
export function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
}

export async function about(name, position, more = {}) {
  if (saved && name === "reason") return packed.reasons[more.square] ?? null;
  return ask(name, JSON.stringify({ text: position.rows, mines: position.mines, ...more }));
}

// Works through the latest of many requests: those that were overtaken are never begun.
export class Latest {
  #waiting = null;
  #working = false;

  async put(work) {
    this.#waiting = work;
    if (this.#working) return;
    this.#working = true;
    while (this.#waiting) {
      const next = this.#waiting;
      this.#waiting = null;
      await next(() => this.#waiting === null);
    }
    this.#working = false;
  }
}
