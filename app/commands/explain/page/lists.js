// The picture with its tile, and the tile's list.

function showPicture() {
  const box = boxOf("picture"), root = drawing(box, WIDTH, 440, "the picture and its tile");
  const [width, height] = data.size, side = 400, scale = Math.min(600 / width, side / height);
  const x = 0, y = 20, tile = data.tile_size * scale;
  const tx = x + data.tile[0] * tile, ty = y + data.tile[1] * tile, zoomX = WIDTH - side;
  svg(root, "image", { href: picture, x, y, width: width * scale, height: height * scale });
  svg(root, "rect", { class: "frame", x, y, width: width * scale, height: height * scale });
  for (const [fromY, toY] of [[ty, y], [ty + tile, y + side]])
    svg(root, "line", { class: "accent", x1: tx + tile, y1: fromY, x2: zoomX, y2: toY, opacity: 0.7, "stroke-dasharray": "3 3" });
  svg(root, "rect", { class: "accent", x: tx - 1, y: ty - 1, width: tile + 2, height: tile + 2, "stroke-width": 2 });
  const group = drawTile(root, zoomX, y, side);
  for (const splat of [...data.splats.slice(0, data.reached)].reverse()) {
    const ellipse = drawEllipse(group, splat, 1, { fill: css(splat.colour), "fill-opacity": 0.1 * splat.opacity, stroke: css(splat.colour), "stroke-opacity": 0.9 });
    svg(ellipse, "title", {}, `splat ${splat.gaussian}: depth ${short(splat.depth)}, opacity ${short(splat.opacity)}`);
  }
  drawPixel(group);
  svg(root, "text", { x: 0, y: y + height * scale + 18 }, `${data.view}, ${width} × ${height} pixels`);
  svg(root, "text", { x: zoomX, y: y + side + 18 }, `tile ${data.tile.join(", ")} · pixel ${data.pixel.join(", ")} · ellipses: one standard deviation`);
}

function showLists() {
  const box = boxOf("lists"), root = drawing(box, WIDTH, 250, "the tile's entries before and after the sort");
  const count = data.splats.length, width = WIDTH, cell = Math.min(width / Math.max(count, 1), 26), left = (WIDTH - cell * count) / 2;
  svg(root, "rect", { class: "shade", x: 0, y: 26, width, height: 26, rx: 4 });
  svg(root, "text", { x: 0, y: 16 }, `all ${thousands(data.instances)} entries of the picture in the order in which they are written`);
  const opacity = clamp(60 / count, 0.15, 0.9);
  data.emitted.forEach(([place, splat], i) => {
    const x = width * place / Math.max(data.instances, 1), to = left + cell * (i + 0.5), colour = css(data.splats[splat].colour);
    svg(root, "path", { d: `M${x} 52 C${x} 120 ${to} 110 ${to} 178`, fill: "none", stroke: colour, "stroke-opacity": opacity, "stroke-width": 1.4 });
    svg(root, "rect", { x: x - 0.75, y: 26, width: 1.5, height: 26, fill: colour });
  });
  data.splats.forEach((splat, i) => {
    const rect = svg(root, "rect", { x: left + cell * i, y: 178, width: Math.max(cell - (cell > 4 ? 1 : 0), 0.5), height: 30, fill: css(splat.colour) });
    svg(rect, "title", {}, `place ${i}: splat ${splat.gaussian}, depth ${short(splat.depth)}`);
  });
  const end = data.first_instance + count;
  svg(root, "text", { x: left, y: 228 }, "nearest");
  svg(root, "text", { x: left + cell * count, y: 228, "text-anchor": "end" }, "farthest");
  svg(root, "text", { x: WIDTH / 2, y: 244, "text-anchor": "middle" },
    count === 0 ? "no splat touches this tile" : `after the sort: entries ${thousands(data.first_instance)} to ${thousands(end - 1)}, ${count} splats`);
}
