// Acts in the page of `view --serve`.
//   serve.mjs look CHROMIUM LEAST_MOVED URL FOLDER OUT.png    FOLDER is the viewer's own; LEAST_MOVED is what an act moves at least, 0..1
//   serve.mjs train CHROMIUM LEAST_MOVED URL
// Prints JSON: errors, PSNR of the page and the viewer's screenshots, what moved the picture (0..1), what must not, and values with what they should be.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { comparison, launchOptions, stillPicture } from './pictures.mjs';

const [, , script, executablePath, leastMoved, url, folder, outPath] = process.argv;
const size = { width: 960, height: 640 };
const PATIENCE = 120000;
const browser = await chromium.launch(launchOptions(executablePath));
const errors = [];
const result = { errors, psnr: {}, moved: {}, still: {}, values: {} };

async function openPage(context) {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(url);
    await page.waitForFunction(() => document.body.classList.contains('connected') && document.getElementById('picture').width > 1);
    return page;
}

const context = await browser.newContext({ viewport: size });
await context.grantPermissions(['clipboard-read', 'clipboard-write']);
const blank = await (await browser.newContext()).newPage();
const compare = comparison(blank);

/// The canvas's pixels, as PNG.
const picture = async (page) => Buffer.from((await page.evaluate(() => document.getElementById('picture').toDataURL('image/png'))).split(',')[1], 'base64');

/// The canvas once it has not changed for a while: a picture at rest comes once more, sharper.
const stillCanvas = (page) => stillPicture(page, picture, 1500);

/// PSNR of two PNG files of one size, dB.
const psnr = async (a, b) => (await compare(a, b)).psnr;

/// The whole window as the viewer saves it, by keys: the dialog's proposal is taken.
async function ownScreenshot(page, name) {
    const file = path.join(folder, name);
    await page.keyboard.press('Shift+F2');
    await page.waitForTimeout(1500);
    await page.keyboard.press('Control+a');
    await page.keyboard.type(file);
    await page.keyboard.press('Enter');
    for (let i = 0; i < 300 && !fs.existsSync(file); ++i) await page.waitForTimeout(200);
    await page.waitForTimeout(500);
    return fs.readFileSync(file);
}

async function drag(page, from, to) {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 8 });
    await page.mouse.up();
}

const difference = async (a, b) => (await compare(a, b)).difference;

/// Waits until the canvas differs from a picture by at least `leastMoved`: the first change may be only a picture of another sharpness. What changes
/// less takes all of the patience, in milliseconds; a frame of software Vulkan on a busy machine takes up to 15 s.
async function moves(page, before, patience = PATIENCE) {
    for (const end = Date.now() + patience; Date.now() < end && (await difference(before, await picture(page))) < Number(leastMoved); ) await page.waitForTimeout(100);
}

/// How much an act changes the canvas, once that is at rest.
async function change(page, act, patience) {
    const before = await stillCanvas(page);
    await act(before);
    await moves(page, before, patience);
    return difference(before, await stillCanvas(page));
}

const expect = (what, found, expected) => (result.values[what] = [found, expected]);
const roleOf = (page) => page.textContent('#role');
const becomes = (page, text) => page.waitForFunction((text) => document.getElementById('role').textContent.startsWith(text), text);

/// The viewer's picture has the size of the place for it on the page.
const fits = (page) =>
    page.waitForFunction(() => {
        const [picture, place] = [document.getElementById('picture'), document.getElementById('stage').getBoundingClientRect()];
        return picture.width === Math.round(place.width * devicePixelRatio) && picture.height === Math.round(place.height * devicePixelRatio);
    });

async function getsControl(page) {
    await becomes(page, 'You control');
    await fits(page);
}

const footerHeight = (page) => page.evaluate(() => document.querySelector('footer').offsetHeight);

/// Status of a request to the viewer's port; 0 if nothing listens.
function statusOf(requestPath, { host = '127.0.0.1', headers = {} } = {}) {
    return new Promise((done) => {
        const request = http.get({ host, port: new URL(url).port, path: requestPath, headers }, (answer) => {
            answer.resume();
            done(answer.statusCode);
        });
        request.on('upgrade', (answer, socket) => {
            socket.destroy();
            done(answer.statusCode);
        });
        request.on('error', () => done(0));
    });
}

async function checkToken() {
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    expect('status without a token', await statusOf('/'), 403);
    expect('status with another token', await statusOf(`/?token=${'0'.repeat(32)}`), 403);
    expect('status of an upgrade without a token', await statusOf('/stream', { headers: upgrade }), 403);
    expect('status of an upgrade with the token', await statusOf(`/stream${new URL(url).search}`, { headers: upgrade }), 101);
    expect('status at another address of this machine', await statusOf('/', { host: '127.0.0.2' }), 0);
}

async function checkInvalidMessage(page) {
    const [code, reason] = await page.evaluate(
        () =>
            new Promise((done) => {
                const socket = new WebSocket(`ws://${location.host}/stream${location.search}`);
                socket.onopen = () => socket.send('garbage');
                socket.onclose = ({ code, reason }) => done([code, reason]);
            }),
    );
    expect('code of a connection with garbage', code, 1008);
    expect('reason of a connection with garbage', reason.includes('message'), true);
}

async function openByName(page) {
    const name = path.join(folder, 'second scene.ply');
    await page.keyboard.press('Control+o');
    await page.waitForTimeout(1500);
    await page.keyboard.type(name.slice(0, -6));
    await page.evaluate((text) => navigator.clipboard.writeText(text), name.slice(-6));
    await page.keyboard.press('Control+v');
    await page.waitForTimeout(500);
    await page.screenshot({ path: outPath.replace('.png', '_dialog.png') });
    await page.keyboard.press('Enter');
    await page.waitForTimeout(2000);
    await page.screenshot({ path: outPath.replace('.png', '_opened.png') });
}

async function checkWatchers(page) {
    const [tablet, phone] = [{ width: 700, height: 500 }, { width: 360, height: 500 }];
    const large = await browser.newContext({ viewport: tablet, deviceScaleFactor: 2, hasTouch: true });
    const second = await openPage(large);
    await becomes(second, 'You watch');
    result.still['a drag of who watches'] = await change(page, () => drag(second, [350, 240], [450, 240]), 2000);
    result.psnr['a page that watches'] = await psnr(await stillCanvas(page), await stillCanvas(second));
    await second.setViewportSize(phone);
    expect('height of the footer on a phone', await footerHeight(second), await footerHeight(page));
    await second.screenshot({ path: outPath.replace('.png', '_phone.png') });
    await second.setViewportSize(tablet);
    await second.click('#control');
    await getsControl(second);
    await becomes(page, 'You watch');
    expect('width of the picture at two pixels per point', await second.evaluate(() => document.getElementById('picture').width), 1400);
    await second.screenshot({ path: outPath.replace('.png', '_second.png') });
    await second.keyboard.press('Shift+F');
    const session = await large.newCDPSession(second);
    const send = (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    result.moved['one finger'] = await change(second, async () => {
        await send('touchStart', [{ x: 330, y: 240 }]);
        for (let x = 340; x <= 430; x += 10) await send('touchMove', [{ x, y: 240 }]);
        await send('touchEnd', []);
    });
    result.moved['two fingers'] = await change(second, async () => {
        await send('touchStart', [{ x: 330, y: 240, id: 1 }, { x: 370, y: 240, id: 2 }]);
        for (let d = 5; d <= 25; d += 5) await send('touchMove', [{ x: 330 - d, y: 240, id: 1 }, { x: 370 + d, y: 240, id: 2 }]);
        await send('touchEnd', []);
    });
    await large.close();
    await getsControl(page);
}

/// A browser that is killed leaves nothing behind.
async function checkKilled(page) {
    const server = await chromium.launchServer(launchOptions(executablePath));
    const other = await chromium.connect(server.wsEndpoint());
    const third = await openPage(await other.newContext({ viewport: size }));
    await third.click('#control');
    await getsControl(third);
    await third.mouse.move(480, 300);
    await third.mouse.down();
    await server.kill();
    await getsControl(page);
    await page.keyboard.press('Shift+F'); // where the flight has ended depends on the machine
    result.moved['a drag after another browser was killed'] = await change(page, () => drag(page, [480, 300], [340, 260]));
}

async function look() {
    const page = await openPage(context);
    await getsControl(page);
    await checkToken();
    const first = await stillCanvas(page);
    await page.screenshot({ path: outPath });
    result.psnr['the page at first'] = await psnr(first, await ownScreenshot(page, 'first.png'));
    await page.keyboard.press('Tab'); // without panels
    result.moved.drag = await change(page, () => drag(page, [480, 300], [620, 340]));
    result.psnr['the page after a drag'] = await psnr(await stillCanvas(page), await ownScreenshot(page, 'after.png'));
    result.moved.wheel = await change(page, async () => {
        await page.mouse.move(480, 300);
        await page.mouse.wheel(0, 400);
    });
    result.moved['key M'] = await change(page, () => page.keyboard.press('m'));
    result.moved['key Tab'] = await change(page, () => page.keyboard.press('Tab'));
    await page.keyboard.press('m');
    await page.keyboard.press('Shift+F'); // back
    result.moved['key W, held'] = await change(page, async (before) => {
        await page.keyboard.down('w');
        await moves(page, before);
        await page.keyboard.up('w');
    });
    await openByName(page);
    await page.keyboard.press('Tab');
    await page.setViewportSize({ width: 1100, height: 720 });
    await fits(page);
    expect('width of the picture after the page grew', await page.evaluate(() => document.getElementById('picture').width), 1100);
    await checkInvalidMessage(page);
    await checkWatchers(page);
    await checkKilled(page);
    await page.waitForFunction(() => / ms$/.test(document.getElementById('latency').textContent) && /frames\/s$/.test(document.getElementById('rate').textContent));
    expect('role at the end', await roleOf(page), 'You control.');
}

/// Frames come while nobody touches anything.
async function train() {
    const page = await openPage(context);
    await fits(page);
    const before = await picture(page);
    for (let i = 0; i < 60 && !(result.moved.training > 0.02); ++i) {
        await page.waitForTimeout(500);
        result.moved.training = (await compare(before, await picture(page))).difference;
    }
}

try {
    await { look, train }[script]();
    console.log(JSON.stringify(result));
} finally {
    await browser.close();
}
