// Writes compressed_values.json: streams that the encoders of meshoptimizer and Draco make, and what
// their own decoders make of them.
//
//     npm install meshoptimizer@1.3.0 draco3dgltf@1.5.7
//     node compressed.mjs > compressed_values.json

import {MeshoptEncoder, MeshoptDecoder} from 'meshoptimizer';
import draco from 'draco3dgltf';

await MeshoptEncoder.ready;
await MeshoptDecoder.ready;

let seed = 7;
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const base64 = bytes => Buffer.from(bytes).toString('base64');
// FNV-1a of 64 bits: what comes out is compared by it.
const hash = bytes => bytes.reduce((h, b) => BigInt.asUintN(64, (h ^ BigInt(b)) * 0x100000001b3n), 0xcbf29ce484222325n).toString(16);

// A torus of rows × columns vertices.
function torus(rows, columns) {
  const points = [], triangles = [];
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) {
    const u = 2 * Math.PI * i / rows, v = 2 * Math.PI * j / columns;
    points.push((2 + Math.cos(v)) * Math.cos(u), (2 + Math.cos(v)) * Math.sin(u), Math.sin(v));
    const at = (a, b) => (a % rows) * columns + b % columns;
    triangles.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
  }
  return {points: new Float32Array(points), triangles: new Uint32Array(triangles)};
}

const streams = [];
function stream(name, mode, filter, count, stride, encoded) {
  const decoded = new Uint8Array(count * stride);
  MeshoptDecoder.decodeGltfBuffer(decoded, count, stride, encoded, mode, filter);
  streams.push({name, mode, filter, count, stride, encoded: base64(encoded),
    // What is rounded is so in ways of its own by each decoder.
    ...(['QUATERNION', 'OCTAHEDRAL'].includes(filter) ? {nearly: base64(decoded)} : {decoded: hash(decoded)})});
}

const {points, triangles} = torus(13, 9);
const count = points.length / 3;
const bytesOf = array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
for (const version of [0, 1]) for (const level of [0, 1, 2, 3]) {
  if (version == 0 && level > 0) continue;
  const encoded = MeshoptEncoder.encodeVertexBufferLevel(bytesOf(points), count, 12, level, version);
  stream(`floats, version ${version}, level ${level}`, 'ATTRIBUTES', 'NONE', count, 12, encoded);
}
for (const [name, stride] of [['short', 8], ['noise', 16], ['wide', 256]]) {
  const n = name == 'wide' ? 40 : name == 'noise' ? 40 : 300;
  const bytes = new Uint8Array(n * stride).map((_, i) =>
    name == 'noise' ? random() * 256 : (i % stride) % 3 ? (i / stride) >> 2 : random() * 5);
  for (const version of [0, 1]) {
    const encoded = MeshoptEncoder.encodeVertexBufferLevel(bytes, n, stride, 3, version);
    stream(`${name}, version ${version}`, 'ATTRIBUTES', 'NONE', n, stride, encoded);
  }
}
const turns = new Float32Array(60 * 4).map(() => random() - 0.5);
for (let i = 0; i < 60; i++) {
  const l = Math.hypot(...turns.subarray(4 * i, 4 * i + 4));
  for (let j = 0; j < 4; j++) turns[4 * i + j] /= l;
}
for (const bits of [8, 12, 16]) {
  const filtered = MeshoptEncoder.encodeFilterQuat(turns, 60, 8, bits);
  stream(`turns of ${bits} bits`, 'ATTRIBUTES', 'QUATERNION', 60, 8, MeshoptEncoder.encodeVertexBuffer(filtered, 60, 8));
}
for (const stride of [4, 8]) {
  const filtered = MeshoptEncoder.encodeFilterOct(turns, 60, stride, 4 * stride == 16 ? 8 : 12);
  stream(`unit vectors of ${stride} bytes`, 'ATTRIBUTES', 'OCTAHEDRAL', 60, stride, MeshoptEncoder.encodeVertexBuffer(filtered, 60, stride));
}
for (const bits of [8, 15, 24]) {
  const filtered = MeshoptEncoder.encodeFilterExp(points, count, 12, bits);
  stream(`floats of ${bits} bits`, 'ATTRIBUTES', 'EXPONENTIAL', count, 12, MeshoptEncoder.encodeVertexBuffer(filtered, count, 12));
}
for (const size of [2, 4]) {
  const indices = size == 2 ? new Uint16Array(triangles) : triangles;
  const noise = indices.map(() => random() * count);
  for (const [name, list] of [['torus', indices], ['noise', noise]]) {
    const bytes = bytesOf(list);
    stream(`triangles of a ${name}, ${size} bytes`, 'TRIANGLES', 'NONE', list.length, size, MeshoptEncoder.encodeIndexBuffer(bytes, list.length, size));
    stream(`indices of a ${name}, ${size} bytes`, 'INDICES', 'NONE', list.length, size, MeshoptEncoder.encodeIndexSequence(bytes, list.length, size));
  }
}

// Draco: positions, joints and weights; what comes out is given point by point.
const encoderModule = await draco.createEncoderModule();
const decoderModule = await draco.createDecoderModule();
const meshes = [];
function mesh(name, method, speed, quantized) {
  const builder = new encoderModule.MeshBuilder(), m = new encoderModule.Mesh();
  builder.AddFacesToMesh(m, triangles.length / 3, triangles);
  const joints = new Uint8Array(4 * count).map((_, i) => i % 4 ? 0 : (i / 4) % 2);
  const weights = new Float32Array(4 * count).map((_, i) => i % 4 ? 0 : 1);
  const ids = {
    POSITION: builder.AddFloatAttributeToMesh(m, encoderModule.POSITION, count, 3, points),
    JOINTS_0: builder.AddUInt8Attribute(m, encoderModule.GENERIC, count, 4, joints),
    WEIGHTS_0: builder.AddFloatAttributeToMesh(m, encoderModule.GENERIC, count, 4, weights),
  };
  const encoder = new encoderModule.Encoder();
  encoder.SetEncodingMethod(method);
  encoder.SetSpeedOptions(speed, speed);
  encoder.SetTrackEncodedProperties(true);
  if (quantized) encoder.SetAttributeQuantization(encoderModule.POSITION, 14);
  const out = new encoderModule.DracoInt8Array();
  const length = encoder.EncodeMeshToDracoBuffer(m, out);
  const encoded = new Uint8Array(length).map((_, i) => out.GetValue(i));
  const decoder = new decoderModule.Decoder(), back = new decoderModule.Mesh();
  const buffer = new decoderModule.DecoderBuffer();
  buffer.Init(new Int8Array(encoded.buffer), length);
  decoder.DecodeBufferToMesh(buffer, back);
  const number = back.num_points(), faces = back.num_faces();
  const floats = new decoderModule.DracoFloat32Array(), face = new decoderModule.DracoInt32Array();
  decoder.GetAttributeFloatForAllPoints(back, decoder.GetAttributeByUniqueId(back, ids.POSITION), floats);
  const positions = new Float32Array(3 * number).map((_, i) => floats.GetValue(i));
  const corners = new Uint32Array(3 * faces);
  for (let i = 0; i < faces; i++) {
    decoder.GetFaceFromMesh(back, i, face);
    for (let j = 0; j < 3; j++) corners[3 * i + j] = face.GetValue(j);
  }
  meshes.push({name, ids, points: number, corners: hash(bytesOf(corners)), positions: hash(bytesOf(positions)), encoded: base64(encoded)});
}
mesh('sequential', encoderModule.MESH_SEQUENTIAL_ENCODING, 10, false);
mesh('edgebreaker, fast', encoderModule.MESH_EDGEBREAKER_ENCODING, 7, true);
mesh('edgebreaker, small', encoderModule.MESH_EDGEBREAKER_ENCODING, 0, true);
mesh('edgebreaker, not quantised', encoderModule.MESH_EDGEBREAKER_ENCODING, 5, false);

const lines = list => '[\n' + list.map(one => JSON.stringify(one)).join(',\n') + '\n]';
console.log(`{"meshopt": ${lines(streams)},\n"draco": ${lines(meshes)}}`);
