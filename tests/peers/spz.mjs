// The format's own library, npm's @adobe/spz:  spz.mjs read IN.spz OUT.ply  |  spz.mjs write IN.ply OUT.spz VERSION
import fs from 'node:fs';
import createLibrary from '@adobe/spz';
import { readPly, writePly } from './ply.mjs';

const [, , action, input, output, version] = process.argv;
const library = await createLibrary();
const frame = library.CoordinateSystem.RDF; // that of a PLY

/// Arrays of a cloud by the stem of a PLY's properties: array, numbers per splat, and the index of the property's k-th.
function columns(cloud, coefficients) {
    const further = coefficients - 1;
    return {
        '': [cloud.positions, 3, (k) => k],
        f_dc: [cloud.colors, 3, (k) => k],
        f_rest: [cloud.sh, 3 * further, (k) => 3 * (k % further) + Math.floor(k / further)],
        opacity: [cloud.alphas, 1, (k) => k],
        scale: [cloud.scales, 3, (k) => k],
        rot: [cloud.rotations, 4, (k) => (k + 3) % 4], // x, y, z, w in the library
    };
}

/// Array and index of a property of splat i.
function placeOf(arrays, i, name) {
    const at = name.lastIndexOf('_');
    const axis = 'xyz'.indexOf(name);
    const [array, each, index] = arrays[axis >= 0 ? '' : at < 0 ? name : name.slice(0, at)];
    return [array, i * each + index(axis >= 0 ? axis : at < 0 ? 0 : Number(name.slice(at + 1)))];
}

function read() {
    const cloud = library.loadSpzFromBuffer(new Uint8Array(fs.readFileSync(input)), { to: frame });
    const coefficients = (cloud.shDegree + 1) ** 2;
    const arrays = columns(cloud, coefficients);
    const value = (i, name) => {
        const [array, index] = placeOf(arrays, i, name);
        return array[index];
    };
    writePly(output, { count: cloud.numPoints, coefficients, value });
}

function write() {
    const { count, coefficients, value } = readPly(input);
    const sizes = { positions: 3, colors: 3, sh: 3 * (coefficients - 1), alphas: 1, scales: 3, rotations: 4 };
    const cloud = Object.fromEntries(Object.entries(sizes).map(([name, each]) => [name, new Float32Array(count * each)]));
    const arrays = columns(cloud, coefficients);
    const names = ['x', 'y', 'z', 'opacity'];
    for (const [stem, each] of Object.entries({ f_dc: 3, f_rest: sizes.sh, scale: 3, rot: 4 })) for (let k = 0; k < each; ++k) names.push(`${stem}_${k}`);
    for (let i = 0; i < count; ++i)
        for (const name of names) {
            const [array, index] = placeOf(arrays, i, name);
            array[index] = value(i, name);
        }
    const all = { ...cloud, numPoints: count, shDegree: Math.sqrt(coefficients) - 1, antialiased: false, extensions: [] };
    fs.writeFileSync(output, library.saveSpzToBuffer(all, { version: Number(version), from: frame, sh1Bits: 5, shRestBits: 4 }));
}

({ read, write })[action]();
