// The connection: frames come in, input goes out. It comes back by itself after it was lost.
const element = (id) => document.getElementById(id);
const picture = element('picture');
const context = picture.getContext('2d', { alpha: false });
const RETRY_SECONDS = 1;
const REFUSED = 403;
const connection = { socket: null, controls: false, frames: 0, pings: new Map(), number: 0 };
const CURSORS = ['default', 'text', 'move', 'ns-resize', 'ew-resize', 'nesw-resize', 'nwse-resize', 'pointer', 'wait', 'progress', 'not-allowed', 'none'];

function send(message) {
    if (connection.socket?.readyState === WebSocket.OPEN) connection.socket.send(JSON.stringify(message));
}

/// Input of a page that watches goes nowhere.
function sendInput(message) {
    if (connection.controls) send(message);
}

function say(text, connected) {
    element('connection').textContent = text;
    document.body.classList.toggle('connected', connected);
}

const becomesVisible = () =>
    document.hidden ? new Promise((done) => document.addEventListener('visibilitychange', done, { once: true })) : Promise.resolve();

/// A hidden page answers when it is seen again, so that no more frames come meanwhile.
async function draw(socket, message) {
    const number = new DataView(message).getUint32(0, true);
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(message, 4)], { type: 'image/jpeg' }));
    await becomesVisible();
    if (picture.width !== bitmap.width || picture.height !== bitmap.height) {
        picture.width = bitmap.width;
        picture.height = bitmap.height;
    }
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    connection.frames += 1;
    if (socket === connection.socket) send({ type: 'shown', frame: number });
}

function showRole(controls, pages) {
    connection.controls = controls;
    const others = pages - 1;
    element('control').hidden = controls;
    element('role').textContent = !controls ? 'You watch: another page controls.' : others === 0 ? 'You control.' : `You control, ${others} watch.`;
}

const TAKES = {
    role: (message) => showRole(message.controls, message.pages),
    copy: (message) => navigator.clipboard?.writeText(message.text).catch(() => {}),
    cursor: (message) => (picture.style.cursor = CURSORS.includes(message.name) ? message.name : 'default'),
    pong: (message) => {
        element('latency').textContent = `${Math.round(performance.now() - connection.pings.get(message.number))} ms`;
        connection.pings.clear();
    },
};

/// After a restart the viewer has another token, and this page's address is out of date.
async function isOutOfDate() {
    try {
        return (await fetch(location.href, { method: 'HEAD', cache: 'no-store' })).status === REFUSED;
    } catch {
        return false;
    }
}

async function onClose(event) {
    showRole(false, 1);
    element('control').hidden = true;
    element('role').textContent = element('rate').textContent = element('latency').textContent = '';
    if (await isOutOfDate()) return say('The viewer has been started again: open the address that it has printed.', false);
    say(event.reason ? `Disconnected: ${event.reason}` : 'The connection is lost. Trying again…', false);
    setTimeout(connect, RETRY_SECONDS * 1000);
}

function connect() {
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/stream${location.search}`);
    let drawn = Promise.resolve(); // frames stay in order
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
        connection.socket = socket;
        connection.pings.clear();
        say('Connected', true);
        sendSize();
    };
    socket.onmessage = ({ data }) => {
        if (typeof data !== 'string') return void (drawn = drawn.then(() => draw(socket, data)).catch(console.error));
        const message = JSON.parse(data);
        TAKES[message.type]?.(message);
    };
    socket.onclose = onClose;
}

setInterval(() => {
    if (!document.body.classList.contains('connected')) return;
    element('rate').textContent = `${connection.frames} frames/s`;
    connection.frames = 0;
    if (connection.pings.size > 0) return; // one is on its way
    connection.pings.set(++connection.number, performance.now());
    send({ type: 'ping', number: connection.number });
}, 1000);

element('control').onclick = () => send({ type: 'control' });
