// Opens a page of ours in Chromium without a server and looks at it, at our own render of the same view, and at what moves the camera.
//   page.mjs CHROMIUM PAGE.html RENDER.png OUT.png
// Prints JSON: what the page asked of the net, its errors, and how pictures differ (0..1).
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [, , executablePath, pagePath, renderPath, outPath] = process.argv;
const size = { width: 640, height: 480 };
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] });
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
    return still();
}

/// The picture once it no longer changes.
async function still() {
    for (let last = null, i = 0; i < 60; ++i) {
        const picture = await page.screenshot();
        if (last && picture.equals(last)) return picture;
        last = picture;
        await page.waitForTimeout(300);
    }
    throw new Error('the picture does not come to rest');
}

const blank = await context.newPage();

/// Mean difference of two PNG files over all pixels and channels, and of what is covered in each.
const compare = (a, b) =>
    blank.evaluate(
        async ([a, b]) => {
            const pixels = async (base64) => {
                const image = new Image();
                image.src = `data:image/png;base64,${base64}`;
                await image.decode();
                const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
                canvas.drawImage(image, 0, 0);
                return canvas.getImageData(0, 0, image.width, image.height).data;
            };
            const [p, q] = [await pixels(a), await pixels(b)];
            if (p.length !== q.length) throw new Error('pictures of different sizes');
            let difference = 0;
            const covered = [0, 0];
            for (let i = 0; i < p.length; i += 4) {
                for (let c = 0; c < 3; ++c) difference += Math.abs(p[i + c] - q[i + c]) / 255;
                [p, q].forEach((picture, k) => (covered[k] += picture[i] + picture[i + 1] + picture[i + 2] > 24 ? 1 : 0));
            }
            const count = p.length / 4;
            return { difference: difference / (3 * count), covered: covered.map((pixels) => pixels / count) };
        },
        [a.toString('base64'), b.toString('base64')],
    );

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
        const after = await still();
        fs.writeFileSync(outPath.replace('.png', `_${act.name}.png`), after);
        result.moved[act.name] = (await compare(before, after)).difference;
    }
    console.log(JSON.stringify(result));
} finally {
    await browser.close();
}
