// What the recipes' expressions use: a board from the page's elements or from a canvas.
window.unseen = {
  // elements: the squares in any order; show: element -> one of ?012345678F*!
  // still: their places without what transforms and animations do to them
  elements(selector, show, still = false) {
    const all = typeof selector === "string" ? document.querySelectorAll(selector) : selector;
    const list = [...all].filter((e) => e.getBoundingClientRect().width > 2);
    const places = list.map((e) => {
      let r = e.getBoundingClientRect();
      if (still) {
        r = { left: -scrollX, top: -scrollY, width: e.offsetWidth, height: e.offsetHeight };
        for (let at = e; at; at = at.offsetParent) {
          r.left += at.offsetLeft + (at === e ? 0 : at.clientLeft);
          r.top += at.offsetTop + (at === e ? 0 : at.clientTop);
        }
      }
      return { e, x: r.left + r.width / 2, y: r.top + r.height / 2, w: r.width, h: r.height };
    });
    const lines = (key, size) => {
      const found = [];
      for (const value of places.map((p) => p[key]).sort((a, b) => a - b))
        if (!found.length || value - found[found.length - 1] > size / 2) found.push(value);
      return found;
    };
    const xs = lines("x", places[0].w), ys = lines("y", places[0].h);
    const step_x = (xs[xs.length - 1] - xs[0]) / (xs.length - 1);
    const step_y = (ys[ys.length - 1] - ys[0]) / (ys.length - 1);
    const rows = ys.map(() => xs.map(() => "X"));
    for (const p of places)
      rows[Math.round((p.y - ys[0]) / step_y)][Math.round((p.x - xs[0]) / step_x)] = show(p.e);
    const off = (value, from, step) => Math.abs((value - from) / step - Math.round((value - from) / step));
    const uneven = Math.max(...places.map((p) => Math.max(off(p.x, xs[0], step_x), off(p.y, ys[0], step_y))));
    return { uneven, rows: rows.map((r) => r.join("")), x: xs[0] - step_x / 2, y: ys[0] - step_y / 2, step_x, step_y };
  },
  // a canvas whose board begins at (x, y) with such steps, in the canvas's own pixels
  canvas(selector, x, y, step_x, step_y, rows) {
    const c = document.querySelector(selector), r = c.getBoundingClientRect();
    const s = getComputedStyle(c), px = (k) => parseFloat(s[k]) || 0;
    const left = r.left + px("borderLeftWidth") + px("paddingLeft");
    const top = r.top + px("borderTopWidth") + px("paddingTop");
    const kx = (r.width - px("borderLeftWidth") - px("borderRightWidth") - px("paddingLeft") - px("paddingRight")) / c.width;
    const ky = (r.height - px("borderTopWidth") - px("borderBottomWidth") - px("paddingTop") - px("paddingBottom")) / c.height;
    return { rows, x: left + x * kx, y: top + y * ky, step_x: step_x * kx, step_y: step_y * ky };
  },
};
