// PLY files of 32-bit floats as splat_table.py reads and writes them. A cloud has count, coefficients (per channel, with the constant one) and
// value(i, name).
import fs from 'node:fs';

export function namesOf(coefficients) {
    const several = (stem, count) => [...Array(count).keys()].map((k) => `${stem}_${k}`);
    return ['x', 'y', 'z', ...several('f_dc', 3), ...several('f_rest', 3 * (coefficients - 1)), 'opacity', ...several('scale', 3), ...several('rot', 4)];
}

export function writePly(path, { count, coefficients, value }) {
    const names = namesOf(coefficients);
    const rows = new Float32Array(count * names.length);
    for (let i = 0; i < count; ++i) names.forEach((name, k) => (rows[i * names.length + k] = value(i, name)));
    const header = ['ply', 'format binary_little_endian 1.0', `element vertex ${count}`, ...names.map((name) => `property float ${name}`), 'end_header', ''];
    fs.writeFileSync(path, Buffer.concat([Buffer.from(header.join('\n')), Buffer.from(rows.buffer)]));
}

export function readPly(path) {
    const bytes = fs.readFileSync(path);
    const end = bytes.indexOf('end_header\n') + 'end_header\n'.length;
    const names = [...bytes.subarray(0, end).toString().matchAll(/^property float (\w+)$/gm)].map((found) => found[1]);
    const count = (bytes.length - end) / (4 * names.length);
    const column = new Map(names.map((name, k) => [name, k]));
    const coefficients = 1 + names.filter((name) => name.startsWith('f_rest_')).length / 3;
    return { count, coefficients, value: (i, name) => bytes.readFloatLE(end + 4 * (i * names.length + column.get(name))) };
}
