// A board as the page holds it: values that are never changed, and the text forms of them.

const HIDDEN = "?";
export const SIDE = 200; // columns or rows, at most
export const CELLS = 10_000;

const LETTERS = { "?": "h", F: "f", "*": "m", "!": "x" }; // what an address may hold anywhere
const UNREAD = "u"; // a covered cell that was not read
const FROM_LETTER = Object.fromEntries(Object.entries(LETTERS).map(([sign, letter]) => [letter, sign]));
const ADDRESS = /^(\d{1,3})x(\d{1,3})(?:m(\d{1,5}))?:([0-8hfmxuA-Z]+)$/;
const FIRST = "A".charCodeAt(0);

// `unsure` has the squares that were not read in a picture, each with its tile: what the server
// says of the squares that are drawn alike; null where no picture is there, as from an address.
// `picture` has all tiles of the picture and how many squares were not read at first; null where
// there is none, and once another square was changed, as the board may have moved on then.
export class Position {
  constructor(width, height, cells, mines = null, unsure = new Map(), picture = null) {
    Object.assign(this, { width, height, cells, mines, unsure, picture });
    Object.freeze(this);
  }

  static blank(width, height, mines = null) {
    return new Position(width, height, HIDDEN.repeat(width * height), mines);
  }

  // What the server says that a text, a picture or a file shows.
  static from({ width, height, rows, mines, unsure, tiles }) {
    const doubts = new Map((unsure ?? []).flatMap((tile) => tile.squares.map((square) => [square, tile])));
    const picture = tiles?.length ? { tiles, doubts: doubts.size } : null;
    return new Position(width, height, rows.replaceAll("\n", ""), mines, doubts, picture);
  }

  // The position that an address holds after its #, null if it holds none.
  static fromAddress(text) {
    const found = ADDRESS.exec(text);
    if (!found) return null;
    const [width, height] = [Number(found[1]), Number(found[2])];
    if (!fits(width, height)) return null;
    const letters = found[4].replace(/(.)([A-Z])/g, (_, one, times) =>
      one.repeat(times.charCodeAt(0) - FIRST + 2));
    const cells = letters.replace(/[hfmxu]/g, (letter) => FROM_LETTER[letter] ?? HIDDEN);
    if (cells.length !== width * height || !/^[0-8?F*!]+$/.test(cells)) return null;
    const unread = [...letters].flatMap((letter, square) => letter === UNREAD ? [[square, null]] : []);
    return new Position(width, height, cells, found[3] === undefined ? null : Number(found[3]), new Map(unread));
  }

  // Runs are a sign and how often it stands there: A twice, up to Z, 27 times.
  get address() {
    const letters = this.cells.replace(/[?F*!]/g, (sign, at) => this.unsure.has(at) ? UNREAD : LETTERS[sign]);
    const packed = letters.replace(/(.)\1{1,26}/g, (run, one) =>
      one + String.fromCharCode(FIRST + run.length - 2));
    return `${this.width}x${this.height}${this.mines === null ? "" : `m${this.mines}`}:${packed}`;
  }

  get rows() {
    return this.cells.match(new RegExp(`.{${this.width}}`, "g")).join("\n");
  }

  equals(other) {
    const same = ([square, tile]) => other.unsure.get(square) === tile;
    return this.address === other.address && [...this.unsure].every(same);
  }

  showing(squares, sign) {
    const unsure = new Map(this.unsure);
    const cells = [...this.cells];
    const names = [...squares].every((square) => unsure.has(square));
    for (const square of squares) {
      unsure.delete(square);
      cells[square] = sign;
    }
    return new Position(this.width, this.height, cells.join(""), this.mines, unsure, names ? this.picture : null);
  }

  // The tiles of the picture by their signs, once the user has named some; null before.
  get named() {
    if (!this.picture || this.unsure.size === this.picture.doubts) return null;
    const named = {};
    for (const [squares, drawing] of this.picture.tiles) {
      const [sign, ...others] = new Set(squares.map((square) => this.unsure.has(square) ? "" : this.cells[square]));
      if (sign && !others.length) (named[sign] ??= []).push(drawing);
    }
    return named;
  }

  // The same board with another total and shape: what is cut off is lost, what is new is covered.
  shaped(width, height, mines) {
    let cells = "";
    const unsure = new Map();
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const kept = x < this.width && y < this.height;
        const square = y * this.width + x;
        if (kept && this.unsure.has(square)) unsure.set(cells.length, this.unsure.get(square));
        cells += kept ? this.cells[square] : HIDDEN;
      }
    }
    return new Position(width, height, cells, mines, unsure);
  }

  // The squares around one.
  around(square) {
    const [x, y] = [square % this.width, Math.floor(square / this.width)];
    const found = [];
    for (let row = Math.max(0, y - 1); row <= Math.min(this.height - 1, y + 1); row++) {
      for (let column = Math.max(0, x - 1); column <= Math.min(this.width - 1, x + 1); column++) {
        if (row !== y || column !== x) found.push(row * this.width + column);
      }
    }
    return found;
  }

  // Why a cell is certain, or what it is compared with, as the server says it: in squares.
  reason({ why, x, y, clues = [], steps = [] }) {
    const square = ([column, row]) => row * this.width + column;
    return { text: why, square: square([x, y]), clues: new Set(clues.map(square)), steps };
  }

  get fresh() {
    return !/[^?]/.test(this.cells) && !this.unsure.size;
  }

  // In words, as people count: from 1.
  place(square) {
    return `row ${Math.floor(square / this.width) + 1}, column ${(square % this.width) + 1}`;
  }
}

export function fits(width, height) {
  return width >= 1 && height >= 1 && width <= SIDE && height <= SIDE && width * height <= CELLS;
}

// Positions one after the other, for undo and redo.
export class History {
  constructor(position) {
    this.past = [];
    this.now = position;
    this.future = [];
  }

  add(position) {
    if (position.equals(this.now)) return false;
    this.past.push(this.now);
    this.now = position;
    this.future = [];
    return true;
  }

  undo() {
    return this.#move(this.past, this.future);
  }

  redo() {
    return this.#move(this.future, this.past);
  }

  #move(from, to) {
    if (!from.length) return false;
    to.push(this.now);
    this.now = from.pop();
    return true;
  }
}
