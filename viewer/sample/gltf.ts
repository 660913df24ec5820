/**
 * Real characters for tests: as much of a GLB as it takes to pose its first skin, and how skinning matrices become a body and a clip of the report.
 * The program reads files with its own readers; this one knows float tracks, linear or stepped, and no morphs.
 */
import { readFileSync } from "node:fs";
import { boxOf, quantisePoints, quantiseRotation } from "../src/quantise.ts";
import type { Body, Clip, Quat } from "../src/data.ts";
import type { ContainerWriter, Numbers } from "../src/container.ts";

type Matrix = Float64Array;

interface Node {
  children?: number[];
  matrix?: number[];
  translation?: number[];
  rotation?: number[];
  scale?: number[];
}

interface Document {
  nodes: (Node & { mesh?: number; skin?: number })[];
  meshes: { primitives: { attributes: Record<string, number>; indices?: number }[] }[];
  skins: { joints: number[]; inverseBindMatrices: number }[];
  animations?: { name?: string; samplers: { input: number; output: number; interpolation?: string }[]; channels: { sampler: number; target: { node: number; path: string } }[] }[];
  accessors: { bufferView: number; byteOffset?: number; componentType: number; count: number; type: string; normalized?: boolean }[];
  bufferViews: { byteOffset?: number; byteLength: number; byteStride?: number }[];
}

const WIDTH: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

export class Character {
  readonly positions: number[] = [];
  readonly indices: number[] = [];
  readonly joints: number[] = [];
  readonly weights: number[] = [];
  readonly parents: Int16Array;
  readonly seconds: number;
  readonly #document: Document;
  readonly #data: Buffer;
  readonly #skin: Document["skins"][number];
  readonly #inverse: number[];
  /** Joints by `parents` first: the place of each in the skin. */
  readonly #order: number[];

  constructor(path: string) {
    const file = readFileSync(path);
    const length = file.readUInt32LE(12);
    this.#document = JSON.parse(file.subarray(20, 20 + length).toString()) as Document;
    this.#data = file.subarray(28 + length);
    this.#skin = this.#document.skins[0]!;
    this.#inverse = this.#numbers(this.#skin.inverseBindMatrices);
    const above = this.#above();
    const place = new Map(this.#skin.joints.map((node, i) => [node, i]));
    const parentOf = (joint: number): number => {
      let node = above.get(this.#skin.joints[joint]!);
      while (node !== undefined && !place.has(node)) node = above.get(node);
      return node === undefined ? -1 : place.get(node)!;
    };
    const level = (joint: number): number => (parentOf(joint) < 0 ? 0 : 1 + level(parentOf(joint)));
    this.#order = this.#skin.joints.map((_, i) => i).sort((p, q) => level(p) - level(q));
    const at = new Map(this.#order.map((joint, i) => [joint, i]));
    this.parents = Int16Array.from(this.#order, (joint) => (parentOf(joint) < 0 ? -1 : at.get(parentOf(joint))!));
    for (const node of this.#document.nodes) if (node.skin === 0 && node.mesh !== undefined) this.#mesh(node.mesh, at);
    const inputs = this.#document.animations?.[0]?.samplers.map((sampler) => this.#numbers(sampler.input)) ?? [];
    this.seconds = Math.max(0, ...inputs.map((times) => times[times.length - 1] ?? 0));
  }

  #above(): Map<number, number> {
    const above = new Map<number, number>();
    this.#document.nodes.forEach((node, i) => node.children?.forEach((child) => above.set(child, i)));
    return above;
  }

  #mesh(mesh: number, at: Map<number, number>): void {
    for (const { attributes, indices } of this.#document.meshes[mesh]!.primitives) {
      const first = this.positions.length / 3;
      const points = this.#numbers(attributes.POSITION!);
      for (const x of points) this.positions.push(x);
      for (const joint of this.#numbers(attributes.JOINTS_0!)) this.joints.push(at.get(joint)!);
      for (const weight of this.#numbers(attributes.WEIGHTS_0!)) this.weights.push(weight);
      const list = indices === undefined ? points.map((_, i) => i).slice(0, points.length / 3) : this.#numbers(indices);
      for (const index of list) this.indices.push(first + index);
    }
  }

  #numbers(index: number): number[] {
    const { bufferView, byteOffset = 0, componentType, count, type, normalized } = this.#document.accessors[index]!;
    const view = this.#document.bufferViews[bufferView]!;
    const size = { 5121: 1, 5123: 2, 5125: 4, 5126: 4 }[componentType]!;
    const width = WIDTH[type]!;
    const stride = view.byteStride ?? size * width;
    const out: number[] = [];
    for (let i = 0; i < count * width; i++) {
      const at = (view.byteOffset ?? 0) + byteOffset + Math.floor(i / width) * stride + (i % width) * size;
      const value = componentType === 5126 ? this.#data.readFloatLE(at) : this.#data.readUIntLE(at, size);
      out.push(normalized ? value / (256 ** size - 1) : value);
    }
    return out;
  }

  /** Skinning matrices at a time of the first animation, column by column, in the order of `parents`. */
  matrices(seconds: number): Matrix[] {
    const animation = this.#document.animations?.[0];
    const nodes = this.#document.nodes.map((node) => ({ ...node }));
    for (const { sampler, target } of animation?.channels ?? []) {
      const { input, output, interpolation } = animation!.samplers[sampler]!;
      const value = sampled(this.#cached(input), this.#cached(output), seconds, interpolation === "STEP");
      if (target.path === "translation" || target.path === "rotation" || target.path === "scale") nodes[target.node]![target.path] = value;
    }
    const above = this.#above();
    const world = new Map<number, Matrix>();
    const worldOf = (node: number): Matrix => {
      const known = world.get(node);
      if (known) return known;
      const parent = above.get(node);
      const own = local(nodes[node]!);
      const found = parent === undefined ? own : product(worldOf(parent), own);
      world.set(node, found);
      return found;
    };
    return this.#order.map((joint) => product(worldOf(this.#skin.joints[joint]!), Float64Array.from(this.#inverse.slice(16 * joint, 16 * joint + 16))));
  }

  readonly #known = new Map<number, number[]>();

  #cached(accessor: number): number[] {
    return this.#known.get(accessor) ?? this.#known.set(accessor, this.#numbers(accessor)).get(accessor)!;
  }

  /** Where each joint is as bound: the origin of its inverse bind matrix, undone. */
  rest(): number[] {
    return this.#order.flatMap((joint) => {
      const m = this.#inverse.slice(16 * joint, 16 * joint + 16);
      return solved(m);
    });
  }

  /** The vertices at a time, skinned in double precision: the truth for the tests. */
  skinned(seconds: number): Float64Array {
    const matrices = this.matrices(seconds);
    const out = new Float64Array(this.positions.length);
    for (let v = 0; v < out.length / 3; v++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += this.weights[4 * v + k]!;
      for (let k = 0; k < 4; k++) {
        const m = matrices[this.joints[4 * v + k]!]!;
        for (let row = 0; row < 3; row++) {
          out[3 * v + row]! += (this.weights[4 * v + k]! / sum) *
            (m[row]! * this.positions[3 * v]! + m[4 + row]! * this.positions[3 * v + 1]! + m[8 + row]! * this.positions[3 * v + 2]! + m[12 + row]!);
        }
      }
    }
    return out;
  }

  /** How much joints stretch at a time: the largest difference of a column's length from one. */
  stretch(seconds: number): number {
    return Math.max(...this.matrices(seconds).flatMap((m) => [0, 4, 8].map((c) => Math.abs(Math.hypot(m[c]!, m[c + 1]!, m[c + 2]!) - 1))));
  }

  /** The body and a clip of so many samples, put into a container; weights in 8 or 16 bits. */
  write(writer: ContainerWriter, name: string, samples: number, fps: number, weightBits: 8 | 16 = 16): { body: Body; clip: Clip } {
    const add = (what: string, numbers: Numbers, delta?: number): string => writer.add(`${name}/${what}`, numbers, delta);
    const box = boxOf(this.positions);
    const rest = this.rest();
    const n = this.parents.length;
    const rotations = new Int16Array(3 * n * samples);
    const places: number[] = [];
    const scales = new Float32Array(n * samples);
    for (let s = 0; s < samples; s++) {
      this.matrices(s / fps).forEach((m, j) => {
        const scale = (scales[s * n + j] = Math.cbrt(determinant(m)));
        quantiseRotation(rotationOf(m.map((x) => x / scale)), rotations, 3 * (s * n + j));
        for (let row = 0; row < 3; row++) places.push(m[row]! * rest[3 * j]! + m[4 + row]! * rest[3 * j + 1]! + m[8 + row]! * rest[3 * j + 2]! + m[12 + row]!);
      });
    }
    const clipBox = boxOf(places);
    const body: Body = {
      name, box,
      positions: add("positions", quantisePoints(this.positions, box)),
      indices: add("indices", Uint32Array.from(this.indices)),
      skin: {
        parents: add("parents", this.parents), rest: add("rest", Float32Array.from(rest)), influences: 4,
        joints: add("joints", Uint8Array.from(this.joints)), weights: add("weights", weightBits === 8 ? Uint8Array.from(this.weights, (w) => Math.round(255 * w)) : Uint16Array.from(this.weights, (w) => Math.round(65535 * w))),
      },
    };
    const clip: Clip = {
      name, joints: n, samples, wraps: false, rotations: add("rotations", rotations), positions: add("places", quantisePoints(places, clipBox), 3 * n), box: clipBox,
      // Rigs whose joints scale are often ones of centimetres.
      ...(scales.some((scale) => Math.abs(scale - 1) > 1e-4) ? { scales: add("scales", scales) } : {}),
    };
    return { body, clip };
  }
}

function sampled(times: number[], values: number[], seconds: number, isStepped: boolean): number[] {
  const width = values.length / times.length;
  let k = times.findIndex((time) => time > seconds);
  if (k < 0) k = times.length;
  const [low, high] = [Math.max(0, k - 1), Math.min(times.length - 1, k)];
  const span = times[high]! - times[low]!;
  const t = span > 0 && !isStepped ? Math.min(1, Math.max(0, (seconds - times[low]!) / span)) : 0;
  const [p, q] = [low, high].map((i) => values.slice(i * width, (i + 1) * width)) as [number[], number[]];
  const sign = width === 4 && p.reduce((sum, x, i) => sum + x * q[i]!, 0) < 0 ? -1 : 1;
  const mixed = p.map((x, i) => x + t * (sign * q[i]! - x));
  const length = width === 4 ? Math.hypot(...mixed) : 1;
  return mixed.map((x) => x / length);
}

function local({ matrix, translation: t = [0, 0, 0], rotation: r = [0, 0, 0, 1], scale: s = [1, 1, 1] }: Node): Matrix {
  if (matrix) return Float64Array.from(matrix);
  const [x, y, z, w] = r as Quat;
  return Float64Array.of(
    s[0]! * (1 - 2 * (y * y + z * z)), s[0]! * 2 * (x * y + w * z), s[0]! * 2 * (x * z - w * y), 0,
    s[1]! * 2 * (x * y - w * z), s[1]! * (1 - 2 * (x * x + z * z)), s[1]! * 2 * (y * z + w * x), 0,
    s[2]! * 2 * (x * z + w * y), s[2]! * 2 * (y * z - w * x), s[2]! * (1 - 2 * (x * x + y * y)), 0,
    t[0]!, t[1]!, t[2]!, 1,
  );
}

function product(a: Matrix, b: Matrix): Matrix {
  const out = new Float64Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) for (let k = 0; k < 4; k++) out[4 * column + row]! += a[4 * k + row]! * b[4 * column + k]!;
  }
  return out;
}

/** The point that an affine matrix takes to the origin: Cramer's rule. */
function solved(m: number[]): number[] {
  const [a, b, c] = [m.slice(0, 3), m.slice(4, 7), m.slice(8, 11)] as [number[], number[], number[]];
  const t = m.slice(12, 15).map((x) => -x);
  const det = (...columns: number[][]): number => determinant([...columns[0]!, 0, ...columns[1]!, 0, ...columns[2]!, 0]);
  const whole = det(a, b, c);
  return [det(t, b, c) / whole, det(a, t, c) / whole, det(a, b, t) / whole];
}

/** Of the linear part of a matrix, column by column. */
function determinant(m: ArrayLike<number>): number {
  return m[0]! * (m[5]! * m[10]! - m[6]! * m[9]!) - m[4]! * (m[1]! * m[10]! - m[2]! * m[9]!) + m[8]! * (m[1]! * m[6]! - m[2]! * m[5]!);
}

/** The quaternion of a matrix that is a rotation but for rounding: by its largest component (Shepperd 1978). */
export function rotationOf(m: ArrayLike<number>): Quat {
  const [xx, yy, zz] = [m[0]!, m[5]!, m[10]!];
  const squares = [1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz];
  const largest = squares.indexOf(Math.max(...squares));
  const [yz, zx, xy] = [m[6]! - m[9]!, m[8]! - m[2]!, m[1]! - m[4]!];
  const [sxy, szx, syz] = [m[1]! + m[4]!, m[8]! + m[2]!, m[6]! + m[9]!];
  const rows: Quat[] = [[squares[0]!, sxy, szx, yz], [sxy, squares[1]!, syz, zx], [szx, syz, squares[2]!, xy], [yz, zx, xy, squares[3]!]];
  const q = rows[largest]!;
  const length = Math.hypot(...q);
  return q.map((x) => x / length) as Quat;
}
