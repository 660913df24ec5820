/**
 * What stands for a body that is far away: boxes, one for each joint, that move as the body does; and farther still one pillar. Both are made
 * from the body itself, so that a writer has nothing to add.
 */
import type { BodyMesh } from "../shot.ts";

export interface Shape {
  positions: Float32Array;
  indices: Uint16Array | Uint32Array;
  /** Four a vertex, as in a body. */
  joints: Uint16Array;
  weights: Float32Array;
}

export function whole(body: BodyMesh): Shape {
  return { positions: body.positions, indices: body.indices, joints: body.skinJoints, weights: body.skinWeights };
}

const QUADS = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] as const;

/** A box around the vertices that a joint holds most, along the way from the joint to their middle. */
export function boxes(body: BodyMesh): Shape {
  const held = Array.from({ length: body.joints }, (): number[] => []);
  for (let v = 0; v < body.positions.length / 3; v++) {
    let most = 0;
    for (let k = 1; k < 4; k++) if (body.skinWeights[4 * v + k]! > body.skinWeights[4 * v + most]!) most = k;
    held[body.skinJoints[4 * v + most]!]?.push(v);
  }
  const positions: number[] = [];
  const indices: number[] = [];
  const joints: number[] = [];
  held.forEach((vertices, joint) => {
    if (vertices.length === 0) return;
    const first = positions.length / 3;
    positions.push(...boxAround(body, vertices, joint));
    for (let k = 0; k < 8; k++) joints.push(joint, 0, 0, 0);
    for (const [a, b, c, d] of QUADS) indices.push(first + a, first + b, first + c, first + a, first + c, first + d);
  });
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices), joints: Uint16Array.from(joints), weights: alone(positions.length / 3) };
}

function boxAround(body: BodyMesh, vertices: number[], joint: number): number[] {
  const middle = [0, 1, 2].map((axis) => vertices.reduce((sum, v) => sum + body.positions[3 * v + axis]!, 0) / vertices.length);
  let along = [0, 1, 2].map((axis) => middle[axis]! - body.rest[3 * joint + axis]!);
  if (Math.hypot(...along) < 1e-3) along = [0, 1, 0];
  const z = normal(along);
  const helper = Math.abs(z[0]!) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const x = normal(crossed(helper, z));
  const y = crossed(z, x);
  const axes = [x, y, z];
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const v of vertices) {
    axes.forEach((axis, i) => {
      const at = axis[0]! * body.positions[3 * v]! + axis[1]! * body.positions[3 * v + 1]! + axis[2]! * body.positions[3 * v + 2]!;
      low[i] = Math.min(low[i]!, at);
      high[i] = Math.max(high[i]!, at);
    });
  }
  const corners: number[] = [];
  for (let k = 0; k < 8; k++) {
    const at = axes.map((_, i) => {
      // Boxes of round limbs look right a little slimmer.
      const slim = i < 2 ? 0.88 : 1;
      const centre = (low[i]! + high[i]!) / 2;
      return centre + (k & (1 << i) ? 1 : -1) * slim * ((high[i]! - low[i]!) / 2);
    });
    for (let c = 0; c < 3; c++) corners.push(axes.reduce((sum, axis, i) => sum + axis[c]! * at[i]!, 0));
  }
  return corners;
}

const RINGS = [[0.06, 0.3], [0.5, 0.62], [0.8, 0.68], [0.86, 0.3], [1, 0.26]] as const;
const SIDES = 6;

/** A pillar in the body's box with a head and shoulders, held by the first joint as the actor stands. `up` is an axis. */
export function pillar(body: BodyMesh, up: 0 | 1 | 2): Shape {
  const [u, v] = [0, 1, 2].filter((axis) => axis !== up) as [number, number];
  const size = (axis: number): number => body.max[axis]! - body.min[axis]!;
  const middle = (axis: number): number => (body.max[axis]! + body.min[axis]!) / 2;
  // Arms that are stretched out as bound do not make the pillar fat.
  const radius = (axis: number): number => Math.min(size(axis), 0.34 * size(up)) / 2;
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [height, wide] of RINGS) {
    for (let k = 0; k < SIDES; k++) {
      const point = [0, 0, 0];
      point[up] = body.min[up]! + height * size(up);
      point[u] = middle(u) + radius(u) * wide * Math.cos((2 * Math.PI * k) / SIDES);
      point[v] = middle(v) + radius(v) * wide * Math.sin((2 * Math.PI * k) / SIDES);
      positions.push(...point);
    }
  }
  for (let r = 0; r + 1 < RINGS.length; r++) {
    for (let k = 0; k < SIDES; k++) {
      const [p, q] = [r * SIDES + k, r * SIDES + ((k + 1) % SIDES)];
      indices.push(p, q, p + SIDES, q, q + SIDES, p + SIDES);
    }
  }
  const top = (RINGS.length - 1) * SIDES;
  for (let k = 1; k + 1 < SIDES; k++) indices.push(top, top + k, top + k + 1);
  const vertices = positions.length / 3;
  return { positions: Float32Array.from(positions), indices: Uint16Array.from(indices), joints: new Uint16Array(4 * vertices), weights: alone(vertices) };
}

function alone(vertices: number): Float32Array {
  return Float32Array.from({ length: 4 * vertices }, (_, i) => (i % 4 === 0 ? 1 : 0));
}

function normal(v: number[]): number[] {
  const size = Math.hypot(...v) || 1;
  return v.map((x) => x / size);
}

function crossed(a: number[], b: number[]): number[] {
  return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}
