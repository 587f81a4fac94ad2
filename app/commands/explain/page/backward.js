// The tree that sums the gradients of the tile's pixels, and what each method adds.

const PIXELS = data.tile_size * data.tile_size;

/** Values of a word at a level of a tree. */
function valuesOf(tree, level, word) {
  const threads = PIXELS >> level;
  return tree.levels[level].slice(word * threads, (word + 1) * threads);
}

/** The values of a level as squares in the order of threads: rows of 16, then a shrinking row. */
function drawLanes(root, values, most, x, y, side) {
  const across = Math.min(16, values.length), cell = side / 16;
  values.forEach((value, i) => {
    const cx = x + cell * (i % across), cy = y + cell * Math.floor(i / across);
    const rect = svg(root, "rect", { x: cx, y: cy, width: cell - 1, height: cell - 1, rx: 2, fill: signedColour(value / most) });
    svg(rect, "title", {}, `thread ${i}: ${value}`);
  });
  if (values.length < 256) {
    const from = values.length >= 16 ? y + cell * values.length / 16 : y;
    const waiting = { class: "frame", "stroke-dasharray": "3 4", rx: 4 };
    if (values.length >= 16) svg(root, "rect", { ...waiting, x, y: from + 2, width: side - 1, height: y + side - from - 3 });
    else svg(root, "rect", { ...waiting, x: x + cell * values.length + 2, y, width: side - cell * values.length - 3, height: cell - 1 });
  }
}

/** The whole tree: a row per level, whose cells become wider as fewer threads work. */
function drawPyramid(root, tree, word, current, x, y, width, height) {
  const rows = tree.levels.length, row = height / rows;
  for (let level = 0; level < rows; ++level) {
    const values = valuesOf(tree, level, word), most = Math.max(...values.map(Math.abs), 1e-30), cell = width / values.length, top = y + row * level;
    values.forEach((value, i) => svg(root, "rect", { x: x + cell * i, y: top + 2, width: Math.max(cell - (cell > 4 ? 1 : 0), 0.5), height: row - 4, fill: signedColour(value / most),
      opacity: level <= current ? 1 : 0.15 }));
    svg(root, "text", { x: x - 8, y: top + row / 2 + 5, "text-anchor": "end", class: level === current ? "strong" : "" }, values.length);
  }
  svg(root, "rect", { class: "accent", x: x - 1, y: y + row * current, width: width + 2, height: row, rx: 4, "stroke-width": 2 });
}

function clampNote(tree, word) {
  const beyond = valuesOf(tree, 0, word).filter((value) => Math.abs(value) >= 10).length;
  return beyond === 0 ? "The optional clamp of each pixel's value to ±10 would change none of them." : `The optional clamp to ±10 would change ${beyond} of them.`;
}

function methodsNote(index, word, sum) {
  const tree = data.backward.methods.find((m) => m.name === "tree-cas");
  const equal = tree && tree.sums[index][word] === sum;
  const others = data.backward.methods.filter((m) => m.name !== "tree-cas").map((m) => m.sums[index][word]);
  const worst = Math.max(...others.map((value) => Math.abs(value - sum))), share = sum === 0 ? worst : worst / Math.abs(sum);
  return `${equal ? "Exactly this number, to the last bit, is what the method tree-cas adds to the splat's gradient" : "The method tree-cas adds " + (tree ? tree.sums[index][word] : "nothing")}; ` +
    `the other methods add in another order and differ by at most ${share === 0 ? "nothing" : short(share) + " of it"}.`;
}

function showBackward() {
  const box = boxOf("backward"), { trees, words } = data.backward;
  if (trees.length === 0) return html(box, "p", {}, "No splat is blended in this tile, so none has a gradient.");
  const root = drawing(box, WIDTH, 390, "the tree of sums");
  let index = 0, word = Math.max(words.indexOf("opacity"), 0);
  const note = html(null, "p", { class: "note" });
  const control = stepper(box, trees[0].levels.length, (level) => {
    root.replaceChildren();
    const tree = trees[index], values = valuesOf(tree, level, word), most = Math.max(...values.map(Math.abs), 1e-30);
    drawLanes(root, values, most, 0, 24, 352);
    drawPyramid(root, tree, word, level, 430, 24, WIDTH - 432, 352);
    svg(root, "text", { x: 0, y: 14 }, "values by thread; dashed: threads that wait");
    svg(root, "text", { x: 430, y: 14 }, "the tree: values left after each step");
    const sum = valuesOf(tree, trees[0].levels.length - 1, word)[0];
    note.textContent = `Sum: ${sum}. ${methodsNote(index, word, sum)} ${clampNote(tree, word)}`;
    const busy = values.filter((value) => value !== 0).length;
    if (level === 0) return `The gradients of <b>256</b> threads by ${words[word]}: ${busy} of the tile's pixels have one.`;
    return `Step <b>${level}</b> of 8: ${values.length} thread${values.length > 1 ? "s" : ""} add${values.length > 1 ? "" : "s"} the value ${values.length} further on. Largest: ${short(most)}.`;
  }, 0, 900);
  choice(control.bar, "splat", trees.map((t) => `place ${t.place + 1} (no. ${data.splats[t.place].gaussian})`), (i) => { index = i; control.again(); });
  choice(control.bar, "gradient by", words, (i) => { word = i; control.again(); }).value = word;
  box.append(note);
}

/** Active lanes per subgroup of a splat, from its hexadecimal mask. */
function activeLanes(mask, lanes) {
  const bits = [...mask].map((digit) => parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
  const counts = [];
  for (let first = 0; first < bits.length; first += lanes) counts.push([...bits.slice(first, first + lanes)].filter((bit) => bit === "1").length);
  return counts;
}

function drawMatrix(root, lanes, x, y, width, height) {
  const { active } = data.backward, rows = Math.min(active.length, 80), cell = height / Math.max(rows, 1);
  for (let place = 0; place < rows; ++place) {
    const counts = activeLanes(active[place], lanes), wide = width / counts.length;
    counts.forEach((count, i) => {
      const rect = svg(root, "rect", { x: x + wide * i, y: y + cell * place, width: wide - 0.6, height: Math.max(cell - 0.6, 0.6), fill: signedColour(count / lanes) });
      svg(rect, "title", {}, `splat at place ${place + 1}, subgroup ${i}: ${count} of ${lanes} lanes`);
    });
  }
  svg(root, "text", { x, y: y - 8 }, `${rows < active.length ? "the first " + rows + " " : ""}splats (rows) × subgroups (columns)`);
}

function drawHistogram(root, pairs, x, y, width, height) {
  const bars = pairs.slice(1), most = Math.max(...bars, 1), cell = width / bars.length;
  bars.forEach((count, i) => {
    const bar = svg(root, "rect", { class: "fill-accent", x: x + cell * i, y: y - height * count / most, width: Math.max(cell - 2, 1), height: height * count / most });
    svg(bar, "title", {}, `${i + 1} active lanes: ${count} pairs of subgroup and splat`);
    if (bars.length <= 16 || (i + 1) % 4 === 0 || i === 0) svg(root, "text", { x: x + cell * (i + 0.5) - 1, y: y + 16, "text-anchor": "middle" }, i + 1);
  });
  svg(root, "line", { class: "axis", x1: x, y1: y, x2: x + width, y2: y });
  const all = pairs.reduce((a, b) => a + b, 0);
  svg(root, "text", { x, y: y - height - 10 }, `subgroups with this many active lanes of ${pairs.length - 1}`);
  svg(root, "text", { x: x + width, y: y + 34, "text-anchor": "end" }, `${Math.round(100 * pairs[0] / Math.max(all, 1))} % have none`);
}

function drawMethods(root, methods, y) {
  const left = 120, width = WIDTH - left - 330, most = Math.max(...methods.map((m) => m.additions ?? 0), 1), row = 27;
  methods.forEach((method, i) => {
    const top = y + row * i, retried = data.backward.retries.find((r) => r.name === method.name);
    svg(root, "text", { class: "strong", x: left - 10, y: top + 15, "text-anchor": "end" }, method.name);
    const group = svg(root, "g");
    svg(group, "title", {}, method.help);
    if (method.additions === undefined) return svg(group, "text", { x: left, y: top + 15 }, "adds 64-bit integers as subtile adds floats: any order gives the same bits");
    const bar = width * method.additions / most;
    svg(group, "rect", { class: "fill-cool", x: left, y: top, width: Math.max(bar, 1.5), height: row - 8, rx: 3 });
    const share = retried && retried.additions > 0 ? `; ${short(retried.retries / retried.additions)} retries per addition in the picture` : "";
    svg(group, "text", { x: left + bar + 8, y: top + 14 }, `${thousands(method.additions)}${share}`);
  });
  return y + row * methods.length;
}

function showMethods() {
  const box = boxOf("methods"), { methods, subgroup, lanes } = data.backward;
  const order = [...methods].sort((a, b) => (b.additions ?? -1) - (a.additions ?? -1));
  const top = subgroup > 0 ? 300 : 24;
  const root = drawing(box, WIDTH, top + 27 * methods.length + 10, "atomic additions of the methods");
  if (subgroup > 0) {
    drawMatrix(root, subgroup, 0, 26, 470, 220);
    drawHistogram(root, lanes, 560, 232, WIDTH - 562, 190);
  }
  svg(root, "text", { x: 0, y: top - 10 }, "atomic additions for this tile");
  drawMethods(root, order, top);
}
