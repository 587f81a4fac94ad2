// Khronos' validator and PlayCanvas' engine:  gltf.mjs validate FILE  |  gltf.mjs read IN.glb OUT.ply
import fs from 'node:fs';
import { register } from 'node:module';
import { writePly } from './ply.mjs';

const [, , action, input, output] = process.argv;

/// Prints what the validator found; exit code 1 if that is an error or a warning. The names of the extension's attributes are none to a validator
/// that does not know the extension.
async function validate() {
    const { default: validator } = await import('gltf-validator');
    const { issues } = await validator.validateBytes(new Uint8Array(fs.readFileSync(input)), { maxIssues: 0 });
    const known = ({ code, pointer }) => code === 'MESH_PRIMITIVE_INVALID_ATTRIBUTE' && pointer.includes('/attributes/KHR_gaussian_splatting:');
    const found = issues.messages.filter((issue) => issue.severity <= 1 && !known(issue));
    for (const { code, message, pointer } of found) console.log(code, message, pointer ?? '');
    process.exitCode = found.length > 0 ? 1 : 0;
}

// The engine hands what it has read to a graphics device. Here is none, so that its class is one that keeps what it is given.
const hook = `const kept = 'export class GSplatResource { constructor(device, data) { this.data = data; } }';
export const load = (url, context, next) => url.endsWith('/gsplat-resource.js') ? { format: 'module', source: kept, shortCircuit: true } : next(url, context);`;

async function read() {
    register(`data:text/javascript,${encodeURIComponent(hook)}`);
    globalThis.window = { navigator: { userAgent: 'node' } };
    const engine = new URL('../', import.meta.resolve('playcanvas')).href + 'src/framework/parsers/glb/extensions/khr-gaussian-splatting.js';
    const { khrGaussianSplatting } = await import(engine);
    const file = fs.readFileSync(input);
    const jsonBytes = file.readUInt32LE(12);
    const json = JSON.parse(file.subarray(20, 20 + jsonBytes));
    const buffer = file.subarray(28 + jsonBytes);
    const views = json.bufferViews.map(({ byteOffset = 0, byteLength }) => new Uint8Array(buffer.buffer, buffer.byteOffset + byteOffset, byteLength));
    const [[{ data }]] = khrGaussianSplatting.createResources(null, json, views);
    const coefficients = 1 + data.elements[0].properties.filter(({ name }) => name.startsWith('f_rest_')).length / 3;
    // It keeps scales and opacities as glTF has them.
    const parameter = (name, value) => (name.startsWith('scale_') ? Math.log(value) : name === 'opacity' ? Math.log(value / (1 - value)) : value);
    writePly(output, { count: data.numSplats, coefficients, value: (i, name) => parameter(name, data.getProp(name)[i]) });
}

await { validate, read }[action]();
