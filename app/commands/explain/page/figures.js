// What all figures are made of: SVG elements, colours, sliders with a play button.

const data = JSON.parse(document.getElementById("data").textContent);
const WIDTH = 1080;

/** An SVG element with attributes, inside a parent if one is given. */
function svg(parent, tag, attributes = {}, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== "") element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

function html(parent, tag, attributes = {}, text = "") {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== "") element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

/** The box of a section's figure. */
const boxOf = (id) => document.querySelector(`#${id} .figure`);

/** An empty drawing in a box. */
function drawing(box, width, height, title) {
  const root = svg(box, "svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  return root;
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const css = (colour) => `rgb(${colour.map((v) => Math.round(255 * clamp(v, 0, 1))).join(",")})`;
const thousands = (n) => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, "\u202f");
const short = (value) => value === 0 ? "0" : Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5 ? value.toExponential(2) : value.toPrecision(3);

/** Yellow (near) to violet (far), for depths. */
function depthColour(share) {
  const stops = [[253, 231, 37], [94, 201, 98], [33, 145, 140], [59, 82, 139], [68, 1, 84]];
  const at = clamp(share, 0, 1) * (stops.length - 1), i = Math.min(Math.floor(at), stops.length - 2);
  return `rgb(${stops[i].map((v, k) => Math.round(v + (stops[i + 1][k] - v) * (at - i))).join(",")})`;
}

/** Blue, grey, red for -1 to 1; roots, so that small values are seen. */
function signedColour(value) {
  const strength = Math.sqrt(clamp(Math.abs(value), 0, 1));
  const end = value < 0 ? [25, 113, 194] : [217, 72, 15], none = [222, 226, 233];
  return `rgb(${none.map((v, k) => Math.round(v + (end[k] - v) * strength)).join(",")})`;
}

/** A slider over 0 .. count - 1 with a play button and a line of text; `show(i)` draws a step and returns the text. */
function stepper(box, count, show, start = 0, milliseconds = 700) {
  const bar = html(box, "div", { class: "controls" });
  const play = html(bar, "button", { type: "button" }, "▶ Play");
  const slider = html(bar, "input", { type: "range", min: 0, max: Math.max(count - 1, 0), value: start, "aria-label": "step" });
  const label = html(bar, "div", { class: "label" });
  let timer = 0;
  const go = (i) => { slider.value = i; label.innerHTML = show(Number(slider.value)); };
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "▶ Play"; };
  play.onclick = () => {
    if (timer) return stop();
    if (Number(slider.value) === count - 1) go(0);
    play.textContent = "❚❚ Pause";
    timer = setInterval(() => { if (Number(slider.value) >= count - 1) stop(); else go(Number(slider.value) + 1); }, milliseconds);
  };
  slider.oninput = () => { stop(); go(Number(slider.value)); };
  go(start);
  return { go: (i) => { stop(); go(i); }, again: () => go(Number(slider.value)), bar };
}

/** A choice with a label before it. */
function choice(bar, name, options, changed) {
  const label = html(bar, "label", {}, `${name} `);
  const select = html(label, "select");
  options.forEach((text, i) => html(select, "option", { value: i }, text));
  select.onchange = () => changed(Number(select.value));
  return select;
}

/** The ellipse of a splat where it is exp(-radius^2 / 2) as opaque as in its centre. */
function ellipseOf(splat, radius) {
  const [a, b, c] = splat.conic;
  const mean = (a + c) / 2, spread = Math.hypot((a - c) / 2, b);
  const angle = Math.atan2(2 * b, a - c) / 2;  // of the shorter axis
  const axis = (eigenvalue) => radius / Math.sqrt(Math.max(eigenvalue, 1e-9));
  return { rx: axis(mean + spread), ry: axis(mean - spread), angle: angle * 180 / Math.PI };
}

/** Pixels of the tile as squares of a side, at a place; returns a group in which units are pixels of the picture. */
function drawTile(root, x, y, side) {
  const size = data.tile_size, scale = side / size;
  const clip = svg(svg(root, "defs"), "clipPath", { id: `clip-${x}-${y}-${Math.random().toString(36).slice(2)}` });
  svg(clip, "rect", { x: 0, y: 0, width: size, height: size });
  const outer = svg(root, "g", { transform: `translate(${x} ${y}) scale(${scale})`, "clip-path": `url(#${clip.id})` });
  data.tile_colours.forEach((colour, i) => {
    if (colour) svg(outer, "rect", { x: i % size, y: Math.floor(i / size), width: 1.02, height: 1.02, fill: css(colour) });
  });
  svg(root, "rect", { class: "frame", x, y, width: side, height: side });
  const inner = svg(outer, "g", { transform: `translate(${-data.tile[0] * size} ${-data.tile[1] * size})` });
  return inner;
}

function drawEllipse(group, splat, radius, attributes) {
  const e = ellipseOf(splat, radius), [x, y] = splat.mean;
  return svg(group, "ellipse", { cx: x, cy: y, rx: e.rx, ry: e.ry, transform: `rotate(${e.angle} ${x} ${y})`, "vector-effect": "non-scaling-stroke", ...attributes });
}

function drawPixel(group) {
  const [x, y] = data.pixel;
  for (const [stroke, width] of [["#000", 4], ["#fff", 2]])
    svg(group, "rect", { x, y, width: 1, height: 1, fill: "none", stroke, "stroke-width": width, "vector-effect": "non-scaling-stroke" });
}
