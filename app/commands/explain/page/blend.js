// Blending of the pixel, splat by splat.

/** How many splats of the list the figure has: to a little behind the stop, or the last one blended. */
function shownSteps() {
  const { steps } = data.blend;
  const last = steps.findLastIndex((s) => s.outcome === "blended" || s.outcome === "ends pixel");
  return Math.min(steps.length, last + 9);
}

/** Transmittance as a staircase over weights in the splats' colours. */
function drawWeights(root, count, current, left, top, width, height) {
  const { steps } = data.blend, cell = width / count, y = (value) => top + height * (1 - value);
  for (const value of [0, 0.25, 0.5, 0.75, 1]) {
    svg(root, "line", { class: "axis", x1: left, y1: y(value), x2: left + width, y2: y(value) });
    svg(root, "text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, value);
  }
  svg(root, "rect", { class: "shade", x: left + cell * current, y: top, width: Math.max(cell, 2), height });
  let path = `M${left} ${y(1)}`;
  for (let i = 0; i < count; ++i) {
    const step = steps[i], x = left + cell * i, wide = Math.max(cell - (cell > 4 ? 1 : 0), 0.6);
    if (step.alpha > 0 && step.outcome === "blended")
      svg(root, "rect", { x, y: y(step.alpha), width: wide, height: height * step.alpha, fill: css(data.splats[i].colour), "fill-opacity": 0.25 });
    if (step.weight > 0) svg(root, "rect", { x, y: y(step.weight), width: wide, height: height * step.weight, fill: css(data.splats[i].colour) });
    const next = i + 1 < steps.length ? steps[i + 1].transmittance : data.blend.transmittance;
    path += ` L${x} ${y(step.transmittance)} L${x + cell} ${y(next)}`;
  }
  svg(root, "path", { class: "accent", d: path, "stroke-width": 2 });
  svg(root, "text", { x: left, y: top + height + 18 }, "nearest splat of the list");
  svg(root, "text", { x: left + width, y: top + height + 18, "text-anchor": "end" }, "farther");
}

/** The shares of the pixel's colour, as wide as the weights. */
function drawShares(root, current, x, y, width, height) {
  const { steps } = data.blend;
  let at = 0;
  for (let i = 0; i <= current && i < steps.length; ++i) {
    if (steps[i].weight === 0) continue;
    svg(root, "rect", { x: x + width * at, y, width: width * steps[i].weight, height, fill: css(data.splats[i].colour) });
    at += steps[i].weight;
  }
  svg(root, "rect", { x: x + width * at, y, width: Math.max(width * (1 - at), 0), height, fill: css(data.background), "fill-opacity": 0.35 });
  svg(root, "rect", { class: "frame", x, y, width, height });
}

const OUTCOMES = {
  "misses sub-tile": "does not reach the pixel's 8×4 sub-tile: skipped without a look",
  "below 1/255": "alpha is below 1/255, one step of an 8-bit picture: not blended",
  "blended": "blended",
  "ends pixel": "would leave less than 1/10,000 of the light: the pixel stops here",
  "hidden": "behind the stop: never evaluated",
};

function showBlend() {
  const box = boxOf("blend"), count = shownSteps(), side = 300;
  if (count === 0 || data.splats.length === 0) return html(box, "p", {}, "No splat touches this pixel: it shows the background.");
  const root = drawing(box, WIDTH, 420, "blending of the pixel"), fixed = svg(root, "g");
  const tile = drawTile(fixed, 0, 20, side), current = svg(tile, "g"), moving = svg(root, "g");
  drawPixel(tile);
  stepper(box, count, (i) => {
    const step = data.blend.steps[i], splat = data.splats[i];
    current.replaceChildren();
    moving.replaceChildren();
    for (const [radius, opacity] of [[3, 0.12], [2, 0.2], [1, 0.35]])
      drawEllipse(current, splat, radius, { fill: css(splat.colour), "fill-opacity": opacity, stroke: "#fff", "stroke-opacity": 0.8 });
    drawWeights(moving, count, i, 380, 30, WIDTH - 384, 250);
    svg(moving, "text", { x: 380, y: 18 }, "line: transmittance · pale bars: alpha · solid bars: contribution");
    svg(moving, "text", { x: 0, y: 352 }, "colour so far");
    svg(moving, "rect", { x: 0, y: 362, width: side, height: 40, rx: 6, fill: css(step.colour) });
    svg(moving, "text", { x: 380, y: 352 }, "contributions so far, as shares of the pixel; pale: the background's");
    drawShares(moving, i, 380, 362, WIDTH - 384, 40);
    const shares = step.outcome === "blended" ? `: alpha ${short(step.alpha)} × transmittance ${short(step.transmittance)} = contribution <b>${short(step.weight)}</b>` : "";
    return `Splat <b>${i + 1}</b> of ${data.splats.length} (no. ${splat.gaussian}, depth ${short(splat.depth)}, opacity ${short(splat.opacity)}): ${OUTCOMES[step.outcome]}${shares}.`;
  }, 0, 350);
  const same = data.blend.equal_bits ? "exactly, to the last bit, the colour that the picture has" : `while the picture has ${data.blend.drawn.map(short).join(", ")}`;
  html(box, "p", { class: "note" }, `The steps end with ${data.blend.colour.map((v) => v.toPrecision(6)).join(", ")} over the background: ${same}.`);
}
