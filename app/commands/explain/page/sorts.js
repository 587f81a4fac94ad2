// The two sorts of the tile's keys, which are depths in 24 bits. A bar is a key, its height and colour its rank.

/** Ranks of the splats' keys among the different ones, by place in the list. */
const ranks = (() => {
  const keys = [...new Set(data.splats.map((s) => s.key))].sort((a, b) => a - b);
  const rank = new Map(keys.map((key, i) => [key, i]));
  return { of: data.splats.map((s) => rank.get(s.key)), most: Math.max(keys.length - 1, 1) };
})();

/** Bars standing on a line, or hanging from it. */
function drawBars(root, rankOf, count, y, height, down = false) {
  const cell = WIDTH / Math.max(count, 1);
  for (let i = 0; i < count; ++i) {
    const share = rankOf(i) / ranks.most, own = 4 + (height - 4) * share;
    svg(root, "rect", { x: cell * i, y: down ? y : y - own, width: Math.max(cell - (cell > 3 ? 0.8 : 0), 0.4), height: own, fill: depthColour(share) });
  }
  return cell;
}

function drawMoves(root, before, after, top, bottom) {
  const cell = WIDTH / before.length, target = new Map(after.map((splat, i) => [splat, i]));
  const opacity = clamp(80 / before.length, 0.12, 0.8);
  before.forEach((splat, i) => {
    const x1 = cell * (i + 0.5), x2 = cell * (target.get(splat) + 0.5), middle = (top + bottom) / 2;
    svg(root, "path", { d: `M${x1} ${top} C${x1} ${middle} ${x2} ${middle} ${x2} ${bottom}`, fill: "none", stroke: depthColour(ranks.of[splat] / ranks.most),
      "stroke-opacity": opacity, "stroke-width": 1.3 });
  });
}

/** Counts of the digits as bars, and their running sum as a staircase. */
function drawDigits(root, digits, y, height, total) {
  const cell = WIDTH / 256, most = Math.max(...digits.map((d) => d[1]));
  svg(root, "line", { class: "axis", x1: 0, y1: y, x2: WIDTH, y2: y });
  let path = `M0 ${y}`;
  for (const [digit, count, before] of digits) {
    const bar = svg(root, "rect", { class: "fill-accent", x: digit * cell, y: y - height * count / most, width: cell - 0.6, height: height * count / most });
    svg(bar, "title", {}, `digit ${digit}: ${count} keys, the first goes to place ${before}`);
    path += ` H${digit * cell} V${y - height * before / total}`;
  }
  svg(root, "path", { class: "cool", d: path + ` V${y - height} H${WIDTH}`, "stroke-width": 1.8 });
  for (const digit of [0, 64, 128, 192, 255])
    svg(root, "text", { x: clamp((digit + 0.5) * cell, 8, WIDTH - 12), y: y + 17, "text-anchor": "middle" }, digit);
}

function showRadix() {
  const box = boxOf("radix"), { passes } = data.radix, count = data.unsorted.length;
  if (count === 0) return html(box, "p", {}, "The list is empty: there is nothing to sort.");
  const root = drawing(box, WIDTH, 470, "a pass of the radix sort");
  stepper(box, passes.length, (i) => {
    root.replaceChildren();
    const pass = passes[i], before = i === 0 ? data.unsorted : passes[i - 1].after;
    const [from, to] = i % 2 === 0 ? ["ping", "pong"] : ["pong", "ping"];
    drawBars(root, (k) => ranks.of[before[k]], count, 100, 80);
    drawMoves(root, before, pass.after, 104, 206);
    drawBars(root, (k) => ranks.of[pass.after[k]], count, 210, 80, true);
    svg(root, "text", { x: 0, y: 14 }, i === 0 ? `${from}: as the splats lie in memory` : `${from}: before the pass`);
    svg(root, "text", { x: 0, y: 306 }, `${to}: after the pass`);
    svg(root, "text", { x: 0, y: 336, class: "strong" }, "keys per digit (bars) and their running sum (line)");
    drawDigits(root, pass.digits, 446, 96, count);
    const different = pass.digits.length;
    return `Pass <b>${i + 1}</b> of ${passes.length}: bits ${pass.first_bit} to ${pass.first_bit + 7}, ${from} → ${to}. ${different} different digit${different > 1 ? "s" : ""} among ${count} keys${different === 1 ? ": every key keeps its place" : ""}.`;
  }, 0, 1600);
}

/** All states of the network, a row per step. Returns what marks one. */
function drawStates(box, rows, pick) {
  const frame = html(box, "div", { class: "states" }), canvas = html(frame, "canvas", { width: rows[0].length, height: rows.length, role: "img", "aria-label": "all states of the network" });
  canvas.style.height = `${clamp(5 * rows.length, 60, 260)}px`;
  const context = canvas.getContext("2d");
  rows.forEach((row, y) => row.forEach((rank, x) => {
    context.fillStyle = depthColour(rank / ranks.most);
    context.fillRect(x, y, 1, 1);
  }));
  canvas.onclick = (event) => pick(Math.floor(event.offsetY / canvas.clientHeight * rows.length));
  const mark = html(frame, "div", { class: "mark" });
  return (i) => {
    mark.style.top = `${100 * i / rows.length}%`;
    mark.style.height = `${100 / rows.length}%`;
  };
}

/** Arcs between the partners of a step; those that swap stand out. Returns how many pairs there are, and how many swap. */
function drawPairs(root, before, mask, distance, y, height) {
  const cell = WIDTH / before.length;
  let pairs = 0, swaps = 0;
  for (let left = 0; left < before.length; ++left) {
    const right = left ^ mask;
    if (left & distance || right >= before.length) continue;
    const swap = before[right] < before[left], x1 = cell * (left + 0.5), x2 = cell * (right + 0.5);
    const rise = height * (0.2 + 0.8 * Math.log2(right - left + 1) / Math.log2(before.length + 1));
    svg(root, "path", { class: swap ? "accent" : "axis", fill: "none", d: `M${x1} ${y} C${x1} ${y - rise} ${x2} ${y - rise} ${x2} ${y}`, "stroke-width": swap ? 1.6 : 0.9 });
    ++pairs;
    swaps += swap ? 1 : 0;
  }
  return [pairs, swaps];
}

function showBitonic() {
  const box = boxOf("bitonic"), { steps, ranks: rows } = data.bitonic, count = rows[0].length;
  if (count < 2) return html(box, "p", {}, "The list has fewer than two keys: there is nothing to compare.");
  const root = drawing(box, WIDTH, 210, "a step of the network");
  let mark = () => {};
  const control = stepper(box, rows.length, (i) => {
    root.replaceChildren();
    mark(i);
    drawBars(root, (k) => rows[i][k], count, 206, 100);
    if (i === steps.length) return `All ${steps.length} steps are done: the keys are in order.`;
    const [block, distance, mask] = steps[i], [pairs, swaps] = drawPairs(root, rows[i], mask, distance, 102, 92);
    const what = mask === distance ? `${distance} apart` : "mirrored in their block";
    return `Step <b>${i + 1}</b> of ${steps.length}, merging blocks of ${block}: partner = index XOR ${mask} (${what}), the smaller key goes left. ${swaps} of ${pairs} pairs swap.`;
  }, 0, 450);
  html(box, "p", { class: "note" }, "All states, the first on top; click one to see its step:");
  mark = drawStates(box, rows, control.go);
  control.again();
}
