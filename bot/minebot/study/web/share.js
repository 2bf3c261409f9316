// What can be taken away from the page: an address, a text, a picture, files.

import { byId, make } from "./panel.js";
import { about, ask, bytesOf } from "./server.js";

// `shown()` gives the position, what is known of it, and the game if it is a moment of one.
export function listenToShare({ shown, tell, complain }) {
  const ways = {
    address: async ({ position }) => {
      await navigator.clipboard.writeText(new URL(`#${position.address}`, location.href).href);
      return "The address is copied: it holds this position.";
    },
    text: async ({ position }) => {
      await navigator.clipboard.writeText(`${position.rows}\n`);
      return "The board is copied as text.";
    },
    picture: async ({ position, suggestion }) => {
      const unread = [...position.unsure.keys()];
      const { png } = await about("chart", position, { square: suggestion?.square, unread });
      const type = "image/png";
      await navigator.clipboard.write([new ClipboardItem({ [type]: new Blob([bytesOf(png)], { type }) })]);
      return "The board is copied as a picture, with its risks.";
    },
    mbf: ({ position, judgement }) => {
      save("board.mbf", mbf(position, judgement));
      return "The layout is saved.";
    },
    html: async ({ position, game }) => {
      const { page } = await ask("page", "");
      const packed = game ? { opened: game } : await about("packed", position);
      if (position.unsure.size) packed.opened.unsure = [{ squares: [...position.unsure.keys()], png: "" }];
      const json = JSON.stringify(packed).replaceAll("<", "\\u003c");
      save("minebot.html", page.replace(/(?<=id="packed">)null/, () => json));
      return "Saved: the file needs no server.";
    },
  };
  for (const [name, way] of Object.entries(ways)) {
    byId(`share-${name}`).addEventListener("click", async () => {
      byId("share").open = false;
      try {
        tell(await way(shown()));
      } catch (error) {
        complain(error.message);
      }
    });
  }
  document.addEventListener("click", (event) => {
    if (!byId("share").contains(event.target)) byId("share").open = false;
  });
}

function save(name, data) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([data]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

// A layout as other programs read it: columns, rows, mines in two bytes, then each mine's column and row.
function mbf(position, judgement) {
  const covered = [...position.cells].filter((sign) => sign === "?" || sign === "F").length;
  if (!judgement || judgement.safe.length + judgement.mines.length < covered) {
    throw new Error("a .mbf file says where all mines lie, which this position does not");
  }
  const mines = [...judgement.mines];
  for (const [square, sign] of [...position.cells].entries()) if ("*!".includes(sign)) mines.push(square);
  const { width, height } = position;
  return new Uint8Array([width, height, mines.length >> 8, mines.length & 255,
    ...mines.sort((one, other) => one - other).flatMap((mine) => [mine % width, Math.floor(mine / width)])]);
}
