// A recording that --record made, as a browser hands it over: a folder's files, of which the
// journal and the boards are read, and the pictures are not.

const JOURNAL = "journal.jsonl";
const TEXTS = 16 * 1024 * 1024; // bytes, as the server has it
const LOOKS = 100_000;

// The files in a folder that was dropped.
export async function walk(folder) {
  const reader = folder.createReader();
  const files = [];
  for (;;) {
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return files;
    const wanted = some.filter((one) => one.isFile && isText(one.name));
    files.push(...await Promise.all(wanted.map((one) => new Promise((done, fail) => one.file(done, fail)))));
    if (files.length > LOOKS) throw new Error(`${folder.name} has too many files to be a recording`);
  }
}

// Its texts.
export async function textsOf(files) {
  const journal = files.find((one) => one.name === JOURNAL);
  if (!journal) throw new Error(`this folder is no recording: it has no ${JOURNAL}`);
  const boards = files.filter((one) => isText(one.name) && one !== journal);
  if ([journal, ...boards].reduce((sum, one) => sum + one.size, 0) > TEXTS) {
    throw new Error("this recording is too large for the page: minebot study FOLDER opens it");
  }
  const texts = await Promise.all(boards.map(async (one) => [one.name, await one.text()]));
  return { journal: await journal.text(), boards: Object.fromEntries(texts) };
}

function isText(name) {
  return name === JOURNAL || name.endsWith(".txt");
}
