// The ways in which a board comes to the page: pasted, dropped, opened, typed.

import { ask } from "./server.js";
import { CELLS, Position } from "./position.js";

const PICTURE = 48 * 1024 * 1024; // bytes, as the server has it
const TEXT = 64 * 1024;

// Each `take(position, facts)` gets what was brought, `complain` why it cannot be used.
export function listen(take, complain) {
  const bring = async (work) => {
    try {
      await work();
    } catch (error) {
      complain(error.message);
    }
  };
  const file = (one) => bring(() => read(one, take));
  const text = (one) => bring(() => parse(one, take));
  const area = document.getElementById("text");
  const chooser = document.getElementById("file");
  const drop = document.getElementById("drop");

  document.getElementById("read-text").addEventListener("click", () => text(area.value));
  document.getElementById("choose-file").addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", () => {
    if (chooser.files.length) file(chooser.files[0]);
    chooser.value = "";
  });
  document.addEventListener("paste", (event) => {
    if (event.target === area || event.target.matches?.("input")) return;
    const pasted = event.clipboardData;
    if (pasted.files.length) file(pasted.files[0]);
    else if (pasted.getData("text")) text(pasted.getData("text"));
    else return;
    event.preventDefault();
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.hidden = false;
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) drop.hidden = true;
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.hidden = true;
    const dropped = event.dataTransfer;
    if (dropped.files.length) file(dropped.files[0]);
    else if (dropped.getData("text")) text(dropped.getData("text"));
  });
}

async function read(file, take) {
  const picture = file.type.startsWith("image/");
  if (file.size > (picture ? PICTURE : TEXT)) {
    throw new Error(`${file.name || "the file"} is too large to be a ${picture ? "screenshot" : "board"}`);
  }
  if (!picture) return parse(await file.text(), take);
  const answer = await ask("picture", file);
  return take(Position.from(answer), answer);
}

async function parse(text, take) {
  const shared = Position.fromAddress(text.trim().replace(/^[^#]*#/, ""));
  if (shared) return take(shared, { source: "a shared address", notes: [] });
  if (text.length > TEXT) throw new Error(`a board has at most ${CELLS} cells`);
  const answer = await ask("position", JSON.stringify({ text }));
  return take(Position.from(answer), answer);
}
