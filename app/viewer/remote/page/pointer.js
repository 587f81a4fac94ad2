// Mouse, pen and fingers. One finger is the left button; two pan as the right button does, and zoom as the wheel does.
const BUTTONS = [0, 2, 1]; // the browser's left, middle, right
const MOST_SIDE = 4096; // pixels that the viewer draws
const PIXELS_PER_NOTCH = 100, LINES_PER_NOTCH = 3;
const SPREAD_PER_NOTCH = 1.1; // ratio of the fingers' distances
const MOST_TURNS = 100; // in a message
const TOUCH_PIXELS = 6, TOUCH_MILLISECONDS = 150; // until one finger drags, so that a second one may come
const fingers = new Map();
let gesture = null; // of fingers: {kind: 'waits' | 'drags' | 'pans' | 'over', ...}

const within = (value, least, most) => Math.max(least, Math.min(most, value));

function sendSize() {
    const { width, height } = element('stage').getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    const fit = Math.min(1, MOST_SIDE / (Math.max(width, height, 1) * ratio));
    const pixels = (length) => Math.max(1, Math.round(length * ratio * fit));
    send({ type: 'resize', width: pixels(width), height: pixels(height), scale: within(ratio * fit, 0.5, 4) });
}

/// A place on the page in pixels of the picture, which lies in the middle of its element.
function placeOf({ clientX, clientY }) {
    const box = picture.getBoundingClientRect();
    const scale = Math.min(box.width / picture.width, box.height / picture.height) || 1;
    const at = (client, low, size, pixels) => within((client - low - (size - pixels * scale) / 2) / scale, -16384, 32768);
    return { x: at(clientX, box.left, box.width, picture.width), y: at(clientY, box.top, box.height, picture.height) };
}

// Moves and turns of the wheel go once per frame of the page, and before a button changes.
const waiting = { move: null, turns: null, frame: 0 };

function flush() {
    cancelAnimationFrame(waiting.frame);
    if (waiting.move) sendInput({ type: 'move', ...waiting.move });
    if (waiting.turns) sendInput({ type: 'wheel', x: within(waiting.turns.x, -MOST_TURNS, MOST_TURNS), y: within(waiting.turns.y, -MOST_TURNS, MOST_TURNS) });
    Object.assign(waiting, { move: null, turns: null, frame: 0 });
}

function sendMove(event) {
    waiting.move = placeOf(event);
    waiting.frame ||= requestAnimationFrame(flush);
}

function sendTurns(x, y) {
    waiting.turns = { x: (waiting.turns?.x ?? 0) + x, y: (waiting.turns?.y ?? 0) + y };
    waiting.frame ||= requestAnimationFrame(flush);
}

function sendButton(button, down) {
    flush();
    sendInput({ type: 'button', button, down });
}

function middle() {
    const [a, b] = [...fingers.values()];
    return { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 };
}

function spread() {
    const [a, b] = [...fingers.values()];
    return Math.max(1, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY));
}

function beginDrag() {
    clearTimeout(gesture.timer);
    gesture.kind = 'drags';
    sendMove(gesture.start);
    sendButton(0, true);
}

const point = ({ clientX, clientY }) => ({ clientX, clientY });

function onFingerDown(event) {
    fingers.set(event.pointerId, point(event));
    if (fingers.size === 1) {
        gesture = { kind: 'waits', start: point(event) };
        gesture.timer = setTimeout(() => gesture?.kind === 'waits' && beginDrag(), TOUCH_MILLISECONDS);
    } else if (fingers.size === 2 && gesture?.kind !== 'over') {
        clearTimeout(gesture.timer);
        if (gesture.kind === 'drags') sendButton(0, false);
        gesture = { kind: 'pans', spread: spread() };
        sendMove(middle());
        sendButton(1, true);
    }
}

function onFingerMove(event) {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, point(event));
    if (gesture.kind === 'waits' && Math.hypot(event.clientX - gesture.start.clientX, event.clientY - gesture.start.clientY) > TOUCH_PIXELS) beginDrag();
    if (gesture.kind === 'drags') sendMove(event);
    if (gesture.kind !== 'pans') return;
    sendMove(middle());
    const turns = Math.log(spread() / gesture.spread) / Math.log(SPREAD_PER_NOTCH);
    gesture.spread = spread();
    if (turns !== 0) sendTurns(0, turns);
}

/// A tap is a click. What is left of two fingers does nothing.
function onFingerUp(event) {
    if (!fingers.delete(event.pointerId)) return;
    if (gesture.kind === 'waits' && event.type === 'pointerup') beginDrag();
    if (gesture.kind === 'drags') sendButton(0, false);
    if (gesture.kind === 'pans') sendButton(1, false);
    clearTimeout(gesture.timer);
    gesture = fingers.size > 0 ? { kind: 'over' } : null;
}

picture.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    picture.setPointerCapture(event.pointerId);
    if (event.pointerType === 'touch') return onFingerDown(event);
    element('typed').focus({ preventScroll: true });
    sendModifiers(event);
    sendMove(event);
    if (event.button in BUTTONS) sendButton(BUTTONS[event.button], true);
});

picture.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'touch') return onFingerMove(event);
    sendModifiers(event);
    // A second button that goes down or up while another is held comes as a move.
    if (event.button in BUTTONS) sendButton(BUTTONS[event.button], (event.buttons & [1, 4, 2][event.button]) !== 0);
    sendMove(event);
});

for (const type of ['pointerup', 'pointercancel'])
    picture.addEventListener(type, (event) => {
        if (event.pointerType === 'touch') return onFingerUp(event);
        sendMove(event);
        if (type === 'pointercancel') return sendInput({ type: 'blur' });
        if (event.button in BUTTONS) sendButton(BUTTONS[event.button], false);
    });

picture.addEventListener(
    'wheel',
    (event) => {
        event.preventDefault();
        sendModifiers(event);
        const notch = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? PIXELS_PER_NOTCH : event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINES_PER_NOTCH : 1;
        sendTurns(-event.deltaX / notch, -event.deltaY / notch);
    },
    { passive: false },
);
picture.addEventListener('contextmenu', (event) => event.preventDefault());

let resizing = 0;
new ResizeObserver(() => {
    clearTimeout(resizing);
    resizing = setTimeout(sendSize, 150);
}).observe(element('stage'));
