// Offers to keep what the user said that the tiles of a picture show, as a profile.

import { sentence } from "./panel.js";
import { ask } from "./server.js";

export class Keeping {
  #picture = null;
  #named = null;
  #adds = ""; // the name of the profile that the tiles may be added to

  constructor(element) {
    this.element = element;
    this.form = element.querySelector("form");
    this.input = element.querySelector("input");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#keep(this.#picture, this.input.value.trim());
    });
    this.input.addEventListener("input", () => this.#tell(""));
  }

  // Offer it once some tiles were named and none is asked about.
  show(position, asking) {
    this.#named = asking ? null : position.named;
    this.element.hidden = !this.#named;
    if (!this.#named || this.#picture === position.picture) return;
    this.#picture = position.picture;
    this.form.hidden = false;
    this.#tell("");
  }

  #tell(line, adds = "") {
    this.#adds = adds;
    this.element.querySelector("[role=status]").textContent = line;
    this.form.querySelector("button").textContent = adds ? "Add them" : "Keep these tiles";
  }

  async #keep(picture, name) {
    const asked = JSON.stringify({ name, tiles: this.#named, add: this.#adds === name });
    const answer = await ask("keep", asked).catch((error) => ({ said: sentence(error.message) }));
    if (picture !== this.#picture) return;
    this.form.hidden = answer.kept ?? false;
    this.#tell(answer.said, answer.kept === false ? name : "");
  }
}
