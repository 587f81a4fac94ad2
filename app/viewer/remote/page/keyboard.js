// Keys go by their names, text as what an invisible text field gets: dead keys, other alphabets and keyboards on a screen work as everywhere.
const NAMES = {
    Escape: 'Escape', Enter: 'Enter', NumpadEnter: 'Enter', Tab: 'Tab', Backspace: 'Backspace', Delete: 'Delete', Space: 'Space', ArrowLeft: 'Left',
    ArrowRight: 'Right', ArrowUp: 'Up', ArrowDown: 'Down', PageUp: 'PageUp', PageDown: 'PageDown', Home: 'Home', End: 'End', BracketLeft: '[',
    BracketRight: ']', Minus: '-', Equal: '=', Comma: ',', Period: '.',
};
const MODIFIERS = [['Shift', 'shiftKey'], ['Ctrl', 'ctrlKey'], ['Alt', 'altKey']];
const LEFT_TO_THE_BROWSER = new Set(['F5', 'F11']);
const PIECE = 250; // characters, of at most four bytes
const typed = element('typed');
const isMac = /mac|iphone|ipad/i.test(navigator.platform);
const held = new Set(); // modifiers that the viewer knows of

/// Letters follow the keyboard's layout, if it has Latin ones; "" for keys that the viewer does not know.
function nameOf({ code, key }) {
    if (code in NAMES) return NAMES[code];
    if (!code && key in NAMES) return NAMES[key]; // a keyboard on a screen
    if (/^F([1-9]|1[0-2])$/.test(key)) return key;
    if (/^[a-z]$/i.test(key)) return key.toUpperCase();
    return /^(Key|Digit|Numpad)([A-Z0-9])$/.exec(code)?.[2] ?? '';
}

const hasControl = (event) => event.ctrlKey || (isMac && event.metaKey);

function sendModifiers(event) {
    for (const [name, property] of MODIFIERS) {
        const down = name === 'Ctrl' ? hasControl(event) : event[property];
        if (down === held.has(name)) continue;
        down ? held.add(name) : held.delete(name);
        sendInput({ type: 'key', key: name, down });
    }
}

function pressAndRelease(key) {
    sendInput({ type: 'key', key, down: true });
    sendInput({ type: 'key', key, down: false });
}

window.addEventListener('keydown', (event) => {
    if (event.isComposing || (event.target.tagName === 'BUTTON' && ['Enter', ' ', 'Tab'].includes(event.key))) return;
    sendModifiers(event);
    const name = nameOf(event);
    if (LEFT_TO_THE_BROWSER.has(name) || (name === 'V' && hasControl(event))) return; // a paste comes as an event of its own
    const types = event.key.length === 1 && !hasControl(event) && !event.altKey;
    typed.focus({ preventScroll: true });
    if (!types) event.preventDefault();
    if (name) sendInput({ type: 'key', key: name, down: true });
});

window.addEventListener('keyup', (event) => {
    sendModifiers(event);
    const name = nameOf(event);
    if (name && !(name === 'V' && hasControl(event))) sendInput({ type: 'key', key: name, down: false });
});

function sendTyped() {
    const characters = [...typed.value.replace(/\p{Cc}/gu, '')];
    typed.value = '';
    for (let i = 0; i < characters.length; i += PIECE) sendInput({ type: 'text', text: characters.slice(i, i + PIECE).join('') });
}
typed.addEventListener('input', (event) => event.isComposing || sendTyped());
typed.addEventListener('compositionend', sendTyped);

window.addEventListener('paste', (event) => {
    event.preventDefault();
    const text = event.clipboardData.getData('text/plain').replace(/[^\P{Cc}\t\n\r]/gu, '');
    sendInput({ type: 'paste', text: text.slice(0, 15000) }); // at most 60,000 bytes
    pressAndRelease('V');
});

window.addEventListener('blur', () => {
    held.clear();
    sendInput({ type: 'blur' });
});
element('keyboard').onclick = () => typed.focus({ preventScroll: true });
typed.focus({ preventScroll: true });
connect();
