// Opens a page of ours in Chromium without a server and looks at it, at our own render of the same view, and at what moves the camera.
//   page.mjs CHROMIUM PAGE.html RENDER.png OUT.png
// Prints JSON: what the page asked of the net, its errors, and how pictures differ (0..1).
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { comparison, launchOptions, stillPicture } from './pictures.mjs';

const [, , executablePath, pagePath, renderPath, outPath] = process.argv;
const size = { width: 640, height: 480 };
const browser = await chromium.launch(launchOptions(executablePath));
const context = await browser.newContext({ viewport: size, hasTouch: true });
const page = await context.newPage();
const requests = [];
const errors = [];
page.on('request', (request) => /^(https?|wss?):/.test(request.url()) && requests.push(request.url()));
page.on('pageerror', (error) => errors.push(String(error)));
page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
page.setDefaultTimeout(180000);
await page.addInitScript(() => (window.firstFrame = () => (window.isDrawn = true)));

/// The page with the first frame drawn, as a still picture without buttons.
async function open() {
    await page.goto(`${pathToFileURL(pagePath).href}?noanim&noui&webgl`);
    await page.waitForFunction(() => window.isDrawn);
    return stillPicture(page);
}

const compare = comparison(await context.newPage());

// What moves the camera: mouse, keys, a finger.
async function drag() {
    await page.mouse.move(320, 240);
    await page.mouse.down();
    await page.mouse.move(420, 240, { steps: 5 });
    await page.mouse.up();
}

async function fly() {
    await page.keyboard.down('KeyW');
    await page.waitForTimeout(1500);
    await page.keyboard.up('KeyW');
}

async function touch() {
    const session = await context.newCDPSession(page);
    const send = (type, x) => session.send('Input.dispatchTouchEvent', { type, touchPoints: x === null ? [] : [{ x, y: 240 }] });
    await send('touchStart', 320);
    for (let x = 330; x <= 420; x += 10) await send('touchMove', x);
    await send('touchEnd', null);
}

try {
    await page.bringToFront();
    const first = await open();
    fs.writeFileSync(outPath, first);
    const result = { requests, errors, render: await compare(first, fs.readFileSync(renderPath)), moved: {} };
    for (const act of [drag, touch, fly]) {
        const before = await open(); // flying keeps the pointer
        await act();
        const after = await stillPicture(page);
        fs.writeFileSync(outPath.replace('.png', `_${act.name}.png`), after);
        result.moved[act.name] = (await compare(before, after)).difference;
    }
    console.log(JSON.stringify(result));
} finally {
    await browser.close();
}
