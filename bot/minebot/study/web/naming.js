// Asks what a tile in doubt shows, once for all cells that are drawn like it, and then the next one.

import { linked, showPicture } from "./panel.js";
import { offerSigns } from "./palette.js";
import { bytesOf } from "./server.js";

export class Naming {
  #named;
  #skipped = new Set();
  #picture = null;

  // `named(squares, sign)` gets each answer; the sign is null for none.
  constructor(element, named) {
    this.element = element;
    this.#named = named;
    this.tile = null;
    this.squares = new Set();
    offerSigns(element.querySelector("[role=group]"), (sign) => this.answer(sign));
    element.querySelector("#skip").addEventListener("click", () => this.answer(null));
  }

  // Find the tile to ask about: that of the selected cell before others.
  show(position, selected) {
    const { unsure } = position;
    const waiting = [unsure.get(selected), ...unsure.values()];
    this.tile = waiting.find((tile) => tile && !this.#skipped.has(tile)) ?? null;
    this.squares = new Set([...unsure.keys()].filter((square) => unsure.get(square) === this.tile));
    this.element.hidden = !this.tile;
    if (!this.tile) return;
    const [first] = this.squares;
    const count = this.squares.size;
    const where = this.element.querySelector("#naming-where");
    where.replaceChildren(...linked(`Unknown tile at ${position.place(first)}.`
      + (count === 1 ? "" : ` All ${count} cells drawn like it get the same answer.`)));
    if (this.#picture === this.tile) return;
    this.#picture = this.tile;
    showPicture(this.element.querySelector("canvas"), new Blob([bytesOf(this.tile.png)], { type: "image/png" }));
  }

  // Ask about a tile again that was skipped.
  recall(tile) {
    this.#skipped.delete(tile);
  }

  // What the user says that the tile shows; null: nothing.
  answer(sign) {
    const inside = this.element.contains(document.activeElement);
    if (sign === null) this.#skipped.add(this.tile);
    this.#named(this.squares, sign);
    if (inside) this.focus();
  }

  // Keys answer while nothing has the focus that takes them itself.
  focus() {
    const next = this.tile ? this.element : document.querySelector("#grid [tabindex='0']");
    next.focus({ preventScroll: true });
  }
}
