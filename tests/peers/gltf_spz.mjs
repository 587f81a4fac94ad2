// The library by which CesiumJS reads SPZ in glTF, used as CesiumJS uses it:  gltf_spz.mjs read IN.glb OUT.ply
import fs from 'node:fs';
import { writePly } from './ply.mjs';

const [, , , input, output] = process.argv;
// Its start for Node.js is broken; that for browsers works here too.
process.type = 'renderer';
globalThis.window = globalThis;
const { loadSpz } = await import('@spz-loader/core');

const file = fs.readFileSync(input);
const jsonBytes = file.readUInt32LE(12);
const json = JSON.parse(file.subarray(20, 20 + jsonBytes));
const { attributes, extensions } = json.meshes[0].primitives[0];
const { bufferView } = extensions.KHR_gaussian_splatting.extensions.KHR_gaussian_splatting_compression_spz_2;
const { byteOffset = 0, byteLength } = json.bufferViews[bufferView];
const bytes = new Uint8Array(file.subarray(28 + jsonBytes + byteOffset).subarray(0, byteLength));
const cloud = await loadSpz(bytes, { unpackOptions: { coordinateSystem: 'UNSPECIFIED' } });

const degree = [0, 1, 2, 3].findLast((d) => d === 0 || `KHR_gaussian_splatting:SH_DEGREE_${d}_COEF_${2 * d}` in attributes);
if (degree !== cloud.shDegree || json.accessors[attributes.POSITION].count !== cloud.numPoints) throw new Error('the document does not fit the SPZ');
const further = (degree + 1) ** 2 - 1;
const band0 = 0.282; // as the library has it
const logit = (a) => Math.log(a / (1 - a));
const columns = {
    f_dc: (i, k) => (cloud.colors[3 * i + k] - 0.5) / band0,
    f_rest: (i, k) => cloud.sh[3 * (further * i + (k % further)) + Math.floor(k / further)],
    scale: (i, k) => Math.log(cloud.scales[3 * i + k]),
    rot: (i, k) => cloud.rotations[4 * i + ((k + 3) % 4)],
};
const value = (i, name) => {
    const [, stem, k] = /^(f_dc|f_rest|scale|rot)_(\d+)$/.exec(name) ?? [];
    if (stem) return columns[stem](i, Number(k));
    return name === 'opacity' ? logit(cloud.alphas[i]) : cloud.positions[3 * i + 'xyz'.indexOf(name)];
};
writePly(output, { count: cloud.numPoints, coefficients: further + 1, value });
