// The judges from outside: three.js says where vertices are, and opens what we write; the Khronos validator checks it.
//
//   node judge.mjs JOB.json
//
// JOB.json is a list of { path, samples: [{ clip, time }], positions, validate }: for each file the samples (clip −1 is the rest pose) are evaluated by
// three.js, and the world positions of all vertices, by node, then primitive, go to the file `positions` as f64.
// What was found is printed as JSON, one line a file: { path, vertices, said, errors, warnings, messages }.
//
// With ELBOWROOM_BROWSER in the environment, the path of a Chromium, three.js runs and draws in that, with textures and all.

import { readFileSync, writeFileSync } from 'node:fs';
import validator from 'gltf-validator';
import { evaluate } from './evaluate.mjs';
import { open } from './browser.mjs';

// What the loader wants of a browser even where there is no image.
globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class {};

const said = [];
for (const level of ['warn', 'error']) {
  console[level] = (...words) => said.push(words.join(' '));
}

/** The GLB without its looks, which need a browser and move nothing. */
function bare(bytes) {
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.toString('utf8', 20, 20 + length));
  for (const key of ['images', 'textures', 'samplers', 'materials', 'extensionsUsed', 'extensionsRequired']) delete json[key];
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  let text = Buffer.from(JSON.stringify(json));
  text = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const rest = bytes.subarray(20 + length);
  const head = Buffer.from(bytes.subarray(0, 20));
  head.writeUInt32LE(20 + text.length + rest.length, 8);
  head.writeUInt32LE(text.length, 12);
  const whole = Buffer.concat([head, text, rest]);
  return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.byteLength);
}

const executable = process.env.ELBOWROOM_BROWSER;
const browser = executable && (await open(executable, said));
for (const job of JSON.parse(readFileSync(process.argv[2]))) {
  said.length = 0;
  const { vertices, positions } = browser
    ? await browser.evaluate(job.path, job.samples)
    : await evaluate(bare(readFileSync(job.path)), job.samples);
  writeFileSync(job.positions, Buffer.from(positions.buffer));
  const line = { path: job.path, vertices, said: [...said], errors: 0, warnings: 0, messages: [] };
  if (job.validate) {
    const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(job.path)), { maxIssues: 20 });
    line.errors = issues.numErrors;
    line.warnings = issues.numWarnings;
    line.messages = issues.messages.filter((m) => m.severity < 2).map((m) => `${m.code} ${m.pointer}: ${m.message}`);
  }
  console.log(JSON.stringify(line));
}
await browser?.close();
