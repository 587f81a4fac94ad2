// Shows a tileset of ours with CesiumJS in Chromium, and compares the picture with our own render of the same view.
//   cesium.mjs CHROMIUM NODE_MODULES FOLDER RENDER.png OUT.png
// FOLDER has tileset.json and view.json: eye and target in the axes of glTF, and the field of view along the width, degrees. Prints JSON: errors, and how
// the pictures differ (0..1).
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { comparison, launchOptions, stillPicture } from './pictures.mjs';

const [, , executablePath, nodeModules, folder, renderPath, outPath] = process.argv;
const size = { width: 640, height: 480 };
const cesium = path.join(nodeModules, 'cesium/Build/Cesium');
const page = `<!doctype html><style>html, body, div, canvas { margin: 0; width: 100%; height: 100% } .cesium-widget-credits { display: none }</style>
<div id="view"></div>
<script>window.CESIUM_BASE_URL = '/cesium/'</script><script src="/cesium/Cesium.js"></script>`;
const types = { '.js': 'text/javascript', '.json': 'application/json', '.wasm': 'application/wasm', '.html': 'text/html' };

/// Files of CesiumJS and of the folder, on this machine alone.
const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname === '/') return response.setHeader('Content-Type', 'text/html').end(page);
    const file = pathname.startsWith('/cesium/') ? path.join(cesium, pathname.slice(8)) : path.join(folder, pathname);
    if (!fs.existsSync(file)) return response.writeHead(pathname === '/favicon.ico' ? 204 : 404).end();
    response.setHeader('Content-Type', types[path.extname(file)] ?? 'application/octet-stream').end(fs.readFileSync(file));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

/// Runs in the page. The scene stands on the ellipsoid, where CesiumJS has a direction for up.
async function show(view) {
    const { Cartesian3, Cesium3DTileset, CesiumWidget, Color, Math: Angle, Matrix4, Transforms } = window.Cesium;
    const none = { baseLayer: false, globe: false, skyBox: false, skyAtmosphere: false };
    const { scene, camera } = new CesiumWidget('view', none);
    scene.backgroundColor = Color.BLACK;
    const place = Transforms.eastNorthUpToFixedFrame(Cartesian3.fromDegrees(10, 50, 0));
    const tileset = await Cesium3DTileset.fromUrl('/tileset.json', { modelMatrix: place });
    scene.primitives.add(tileset);
    const world = ([x, y, z]) => Matrix4.multiplyByPoint(place, new Cartesian3(x, -z, y), new Cartesian3());
    const [eye, target] = [world(view.eye), world(view.target)];
    const direction = Cartesian3.normalize(Cartesian3.subtract(target, eye, new Cartesian3()), new Cartesian3());
    camera.frustum.fov = Angle.toRadians(view.fov);
    camera.setView({ destination: eye, orientation: { direction, up: Matrix4.multiplyByPointAsVector(place, Cartesian3.UNIT_Z, new Cartesian3()) } });
    await new Promise((resolve, reject) => {
        tileset.tileLoad.addEventListener(resolve);
        tileset.tileFailed.addEventListener(({ message }) => reject(new Error(message)));
    });
}

const browser = await chromium.launch(launchOptions(executablePath));
try {
    const context = await browser.newContext({ viewport: size });
    const tab = await context.newPage();
    const errors = [];
    tab.on('pageerror', (error) => errors.push(String(error)));
    tab.on('console', (message) => (message.type() === 'error' || /failed/.test(message.text())) && errors.push(message.text()));
    tab.setDefaultTimeout(180000);
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    await tab.evaluate(show, JSON.parse(fs.readFileSync(path.join(folder, 'view.json'))));
    await tab.waitForTimeout(3000); // splats are sorted by a thread of the page
    const picture = await stillPicture(tab);
    fs.writeFileSync(outPath, picture);
    const compare = comparison(await context.newPage());
    console.log(JSON.stringify({ errors, render: await compare(picture, fs.readFileSync(renderPath)) }));
} finally {
    await browser.close();
    server.close();
}
