// What can be put on the board: a button for each sign of the text form.

import { make } from "./panel.js";

const NAMES = { "?": "covered", 0: "empty", F: "flag", "*": "mine", "!": "the mine that was hit" };
const LOOKS = { "?": "□", 0: "·", F: "⚑", "*": "✹", "!": "✸" };

// `chosen(sign)` is told of each press.
export function offerSigns(palette, chosen) {
  for (const sign of "?012345678F*!") {
    const button = make("button", LOOKS[sign] ?? sign, `n${sign}`);
    button.dataset.sign = sign;
    button.title = NAMES[sign] ?? sign;
    button.setAttribute("aria-label", NAMES[sign] ?? sign);
    button.addEventListener("click", () => chosen(sign));
    palette.append(button);
  }
}
