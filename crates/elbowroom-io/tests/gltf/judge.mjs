// The judges from outside: three.js says where vertices are, and opens what we write; the Khronos validator checks it.
//
//   node judge.mjs JOB.json
//
// JOB.json is a list of { path, samples: [{ clip, time }], positions, validate }: for each file the samples (clip −1 is the rest pose) are evaluated by
// three.js, and the world positions of all vertices, by node, then primitive, go to the file `positions` as f64.
// What was found is printed as JSON, one line a file: { path, counts, said, errors, warnings, messages }.

import { readFileSync, writeFileSync } from 'node:fs';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import validator from 'gltf-validator';

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

/** The meshes of a scene, by node, then primitive. */
function meshes(gltf) {
  const found = [];
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    const own = gltf.parser.associations.get(object);
    let holder = object;
    while (gltf.parser.associations.get(holder)?.nodes === undefined) holder = holder.parent;
    found.push({ object, node: gltf.parser.associations.get(holder).nodes, primitive: own?.primitives ?? 0 });
  });
  return found.sort((a, b) => a.node - b.node || a.primitive - b.primitive).map((mesh) => mesh.object);
}

function pose(gltf, mixer, { clip, time }) {
  mixer.stopAllAction();
  if (clip >= 0) {
    const action = mixer.clipAction(gltf.animations[clip]);
    action.reset();
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    action.time = time;
    mixer.update(0);
  }
  gltf.scene.updateMatrixWorld(true);
}

async function evaluate({ path, samples, positions }) {
  const gltf = await new GLTFLoader().parseAsync(bare(readFileSync(path)), '');
  const all = meshes(gltf);
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const vertices = all.reduce((sum, mesh) => sum + mesh.geometry.attributes.position.count, 0);
  const out = new Float64Array(3 * vertices * samples.length);
  const point = new THREE.Vector3();
  let at = 0;
  for (const sample of samples) {
    pose(gltf, mixer, sample);
    for (const mesh of all) {
      for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
        mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld);
        out[at++] = point.x;
        out[at++] = point.y;
        out[at++] = point.z;
      }
    }
  }
  writeFileSync(positions, Buffer.from(out.buffer));
  return vertices;
}

for (const job of JSON.parse(readFileSync(process.argv[2]))) {
  said.length = 0;
  const vertices = await evaluate(job);
  const line = { path: job.path, vertices, said: [...said], errors: 0, warnings: 0, messages: [] };
  if (job.validate) {
    const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(job.path)), { maxIssues: 20 });
    line.errors = issues.numErrors;
    line.warnings = issues.numWarnings;
    line.messages = issues.messages.filter((m) => m.severity < 2).map((m) => `${m.code} ${m.pointer}: ${m.message}`);
  }
  console.log(JSON.stringify(line));
}
