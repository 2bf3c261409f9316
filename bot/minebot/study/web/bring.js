// The ways in which a board, or a game, comes to the page: pasted, dropped, opened, typed.

import { byId } from "./panel.js";
import { ask, count } from "./server.js";
import { CELLS, Position } from "./position.js";
import { textsOf, walk } from "./recording.js";

const PICTURE = 48 * 1024 * 1024; // bytes, as the server has it
const REPLAY = 4 * 1024 * 1024;
const TEXT = 64 * 1024;
const SOON = 900; // milliseconds after which a picture that is still looked at is told of
const LOOKING = "no board is found in this picture yet: looking on, for ten seconds or so";
const REPLAYS = /\.(avf|evf|mvf|rmv)$/i;

// `take(position, facts)` gets each board that was brought, `play(review, again)` each game, of
// which `again(number)` asks for another one; `complain` gets why something cannot be used.
export function listen({ take, play, complain }) {
  const bring = async (work) => {
    count(1);
    try {
      await work();
    } catch (error) {
      complain(error.message);
    } finally {
      count(-1);
    }
  };
  const file = (one) => bring(() => read(one, { take, play, complain }));
  const folder = (name, files) => bring(() => record(name, files, play));
  const text = (one) => bring(() => parse(one, take));
  const [area, chooser, folders, drop] = ["text", "file", "folder", "drop"].map(byId);

  byId("read-text").addEventListener("click", () => text(area.value));
  byId("choose-file").addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", () => {
    if (chooser.files.length) file(chooser.files[0]);
    chooser.value = "";
  });
  byId("choose-folder").addEventListener("click", () => folders.click());
  folders.addEventListener("change", () => {
    const files = [...folders.files];
    if (files.length) folder(files[0].webkitRelativePath.split("/")[0], files);
    folders.value = "";
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
    const entry = dropped.items?.[0]?.webkitGetAsEntry?.();
    if (entry?.isDirectory) folder(entry.name, walk(entry));
    else if (dropped.files.length) file(dropped.files[0]);
    else if (dropped.getData("text")) text(dropped.getData("text"));
  });
}

async function read(file, { take, play, complain }) {
  const replay = REPLAYS.exec(file.name);
  if (replay) {
    if (file.size > REPLAY) throw new Error(`${file.name} is too large to be a replay`);
    return play(await reviewed(file.name, replay[1].toLowerCase(), file), null);
  }
  const picture = file.type.startsWith("image/");
  if (file.size > (picture ? PICTURE : TEXT)) {
    throw new Error(`${file.name || "the file"} is too large to be a ${picture ? "screenshot" : "board"}`);
  }
  if (!picture) return parse(await file.text(), take);
  const slow = setTimeout(complain, SOON, LOOKING);
  const answer = await ask("picture", file).finally(() => clearTimeout(slow));
  return take(Position.from(answer), { ...answer, picture: file });
}

async function record(name, files, play) {
  const texts = await textsOf(await files);
  const again = async (number) =>
    play(await reviewed(name, "recording", JSON.stringify({ ...texts, number })), again);
  return again(1);
}

// The review of a game that was brought; the answer, or the refusal, names where it is from.
async function reviewed(name, question, body) {
  const answer = await ask(question, body).catch((error) => {
    throw new Error(`${name}: ${error.message}`);
  });
  return { ...answer, source: `${name}: ${answer.source}` };
}

async function parse(text, take) {
  const shared = Position.fromAddress(text.trim().replace(/^[^#]*#/, ""));
  if (shared) return take(shared, { source: "a shared address", notes: [] });
  if (text.length > TEXT) throw new Error(`a board has at most ${CELLS} cells`);
  const answer = await ask("position", JSON.stringify({ text }));
  return take(Position.from(answer), answer);
}
