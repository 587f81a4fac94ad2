// The distribution by which splats are drawn, and the search for a random number.

function drawCurve(root, search, step, box) {
  const { gaussians, total, curve } = data.draw;
  const x = (i) => box.x + box.width * i / Math.max(gaussians - 1, 1), y = (sum) => box.y + box.height * (1 - sum / Math.max(total, 1));
  svg(root, "rect", { class: "frame", ...box });
  if (step) svg(root, "rect", { class: "shade", x: x(step.low), y: box.y, width: Math.max(x(step.high) - x(step.low), 2), height: box.height });
  svg(root, "path", { class: "cool", d: curve.map(([i, sum], k) => `${k ? "L" : "M"}${x(i)} ${y(sum)}`).join(" "), "stroke-width": 2 });
  svg(root, "line", { class: "accent", x1: box.x, y1: y(search.target), x2: x(search.source), y2: y(search.target), "stroke-dasharray": "5 4", "stroke-width": 1.6 });
  if (step) {
    svg(root, "line", { class: "accent", x1: x(step.middle), y1: box.y, x2: x(step.middle), y2: box.y + box.height });
    svg(root, "circle", { class: "fill-accent", cx: x(step.middle), cy: y(step.sum), r: 5 });
  } else {
    svg(root, "line", { class: "accent", x1: x(search.source), y1: y(search.target), x2: x(search.source), y2: box.y + box.height, "stroke-width": 1.6 });
  }
  svg(root, "text", { x: box.x, y: box.y - 8 }, "sum of the weights up to each splat");
  svg(root, "text", { x: box.x, y: box.y + box.height + 18 }, "splat 0");
  svg(root, "text", { x: box.x + box.width, y: box.y + box.height + 18, "text-anchor": "end" }, thousands(gaussians - 1));
}

/** The staircase around the splat that was drawn. */
function drawStairs(root, search, box) {
  const { neighbours } = search, first = neighbours[0], low = first.sum - first.weight, high = neighbours.at(-1).sum;
  const cell = box.width / neighbours.length, y = (sum) => box.y + box.height * (1 - (sum - low) / Math.max(high - low, 1));
  svg(root, "rect", { class: "frame", ...box });
  neighbours.forEach((n, i) => {
    const hit = n.gaussian === search.source, x = box.x + cell * i;
    const rect = svg(root, "rect", { class: hit ? "fill-accent" : "fill-cool", x: x + 1, y: y(n.sum), width: cell - 2, height: Math.max(y(n.sum - n.weight) - y(n.sum), 1), rx: 2 });
    svg(rect, "title", {}, `splat ${n.gaussian}: weight ${n.weight}, drawn ${n.drawn} times`);
    if (n.drawn > 0) svg(root, "text", { class: "strong", x: x + cell / 2, y: box.y + box.height + 18, "text-anchor": "middle" }, `×${n.drawn}`);
  });
  svg(root, "line", { class: "accent", x1: box.x, y1: y(search.target), x2: box.x + box.width, y2: y(search.target), "stroke-dasharray": "5 4", "stroke-width": 1.6 });
  svg(root, "text", { x: box.x, y: box.y - 8 }, `steps of splats ${first.gaussian} to ${neighbours.at(-1).gaussian}; × how often each was drawn`);
}

function showDraw() {
  const box = boxOf("draw"), { search, draws, gaussians, total, dead } = data.draw;
  if (!search) return html(box, "p", {}, "No splat is opaque enough to be divided.");
  const root = drawing(box, WIDTH, 330, "the cumulative distribution");
  stepper(box, search.steps.length + 1, (i) => {
    root.replaceChildren();
    const step = search.steps[i];
    drawCurve(root, search, step, { x: 0, y: 30, width: 600, height: 260 });
    drawStairs(root, search, { x: 660, y: 30, width: WIDTH - 661, height: 260 });
    const height = `random height <b>${short(search.target / total)}</b> of the whole`;
    if (!step) return `Found after ${search.steps.length} questions: the ${height} lies on the step of splat <b>${search.source}</b>.`;
    return `Question ${i + 1} of ${search.steps.length}, for the ${height}: is the sum up to splat ${thousands(step.middle)} above it? ${step.exceeds ? "Yes: look left." : "No: look right."} ${thousands(step.high - step.low + 1)} splats are left.`;
  }, 0, 800);
  const own = data.draw.tile.filter(([, drawn]) => drawn > 0).length;
  html(box, "p", { class: "note" }, `The next refinement of the strategy mcmc would draw ${thousands(draws)} of ${thousands(gaussians)} splats like this, ${own} of them in this tile; ` +
    `${thousands(dead)} are too transparent to live on and would be moved to where others are.`);
}
