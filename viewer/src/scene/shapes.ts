/** What a body is drawn as: itself, or a pillar if it is far away. That is made from the body, as what is in between is (simple.ts), so that a writer has nothing to add. */
import type { Vec3 } from "../data.ts";
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

const RINGS = [[0.06, 0.3], [0.5, 0.62], [0.8, 0.68], [0.86, 0.3], [1, 0.26]] as const;
const SIDES = 6;

/** A pillar in the box of someone who stands, with head and shoulders. `up` is an axis. */
export function pillar(body: { min: Vec3; max: Vec3 }, up: 0 | 1 | 2): Shape {
  const [u, v] = [0, 1, 2].filter((axis) => axis !== up) as [number, number];
  const size = (axis: number): number => body.max[axis]! - body.min[axis]!;
  const middle = (axis: number): number => (body.max[axis]! + body.min[axis]!) / 2;
  // Arms that are stretched out do not make the pillar fat.
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
