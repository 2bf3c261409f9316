// Drills: positions in which the user went wrong, asked on the board. The server judges the answers
// and keeps them. While one is asked, nothing that is known of it is here, let alone on the page.

import { byId, complain, linked, listSteps, make, sentence } from "./panel.js";
import { Position } from "./position.js";
import { about, ask } from "./server.js";

const HOW = "Click the cell, or go to it with the arrow keys and press Enter.";

export class Drills {
  // `turned()` is called when the tab was opened or left.
  constructor(grid, turned) {
    Object.assign(this, { grid, turned, on: false, asked: null, found: null, busy: false });
    this.tabs = [byId("tab-study"), byId("tab-drills")];
    byId("panel").setAttribute("role", "tabpanel");
    for (const [at, tab] of this.tabs.entries()) {
      tab.addEventListener("click", () => this.turn(at === 1));
      tab.addEventListener("keydown", (event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        event.preventDefault();
        this.tabs[1 - at].focus();
        this.turn(at === 0);
      });
    }
    byId("drill-next").addEventListener("click", () => this.next());
    this.#mark();
  }

  turn(on) {
    if (on !== this.on) {
      this.on = on;
      this.#mark();
      this.turned();
    }
    if (on) this.next();
  }

  // Ask what is due: the first such drill, or the same one again while it is not answered.
  async next() {
    const told = await this.#told(() => ask("drill", ""));
    if (told === undefined) return;
    const onBoard = this.grid.element.contains(document.activeElement);
    const focused = onBoard || document.activeElement === byId("drill-next");
    this.asked = told?.asked ? Position.from(told.asked) : null;
    this.found = null;
    byId("drill-text").textContent = sentence(told?.text ?? "");
    this.#show(told?.missed ?? []);
    if (this.asked && this.on) this.grid.select(0, { focus: focused });
    else if (onBoard) byId("drill-next").focus();
  }

  async answer(square) {
    const { asked } = this;
    if (!asked || this.found) return;
    const found = await this.#told(() => about("answer", asked, { square }));
    if (!found) return;
    this.found = { ...found, square, reasons: found.reasons.map((reason) => asked.reason(reason)) };
    this.#show(found.missed);
    if (this.on && !found.right && found.answers.length) this.grid.reveal(this.#shown ?? found.answers[0]);
  }

  // The right cell whose proof is shown, if any.
  get #shown() {
    return this.found.answers.find((square) => square === this.#proof?.square);
  }

  // What was to be seen: the last reason that is a proof.
  get #proof() {
    return this.found.reasons.findLast(({ clues }) => clues.size);
  }

  // Enter on a cell: it is the answer, or there is one and the next drill may come.
  press(square) {
    return this.found ? this.next() : this.answer(square);
  }

  draw() {
    const { asked, found } = this;
    document.body.dataset.drill = !asked ? "none" : found ? "answered" : "asked";
    if (!asked) return;
    this.grid.draw(asked, !found ? {} : { judgement: found.judgement, right: new Set(found.answers),
      played: found.square, clues: this.#proof?.clues, proven: this.#proof?.square });
  }

  // The server's answer; null if it refuses, and then the page says why; undefined while it is busy.
  async #told(question) {
    if (this.busy) return undefined;
    this.busy = true;
    complain();
    try {
      return await question();
    } catch (error) {
      if (this.on) complain(error.message);
      return null;
    } finally {
      this.busy = false;
    }
  }

  #mark() {
    for (const [at, tab] of this.tabs.entries()) {
      const shown = this.on === (at === 1);
      tab.setAttribute("aria-selected", shown);
      tab.setAttribute("tabindex", shown ? "0" : "-1");
      if (shown) byId("panel").setAttribute("aria-labelledby", tab.id);
    }
    document.body.dataset.tab = this.on ? "drills" : "study";
  }

  // What there is to say beside the board, and the board.
  #show(missed) {
    const { asked, found } = this;
    const said = [];
    if (found) {
      said.push(make("p", sentence(found.text), `headline ${found.right ? "fine" : "mistake"}`));
      for (const { text, steps } of found.reasons) {
        const list = make("ol", [], "steps");
        listSteps(list, steps);
        said.push(make("p", linked(sentence(text))), list);
      }
      said.push(make("p", `${sentence(found.again)}.`, "quiet"));
    } else if (asked) said.push(make("p", HOW, "quiet"));
    byId("drill-said").replaceChildren(...said);
    byId("drill-next").hidden = Boolean(asked && !found);
    byId("drill-next").textContent = asked ? "Next drill" : "Look again";
    byId("kinds").replaceChildren(...missed.map((text) => make("li", sentence(text))));
    byId("no-kinds").hidden = missed.length > 0;
    if (!this.on) return;
    this.draw();
    this.grid.resize();
  }
}
