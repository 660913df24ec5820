/**
 * A body with few triangles, for those who stand by: edges are collapsed, the cheapest first, where the cost is how far the surface moves (Garland and
 * Heckbert, Surface Simplification Using Quadric Error Metrics, 1997). We differ in two ways: a vertex goes to the other end of its edge and nowhere else, so that
 * what is left are vertices of the body with the joints that hold them, and it moves as the body does; and edges between two joints cost more, so that limbs
 * keep the rings at which they bend.
 *
 * A body of very many triangles is first brought to some thousands on a grid, so that this takes milliseconds whatever the body.
 */
import type { BodyMesh } from "../shot.ts";
import type { Shape } from "./shapes.ts";

/** Triangles of someone who is simplified, at most (fewer if the body ends sooner). */
export const SIMPLE_TRIANGLES = 220;
/** Beyond this a grid comes first. */
const MOST_FOR_EDGES = 5000;
/** Influences of a vertex that are kept: the farther the fewer count, and each is read by every vertex in every frame. */
const INFLUENCES = 2;

/** What is done between two yields, in triangles or edges: a millisecond or two of a slow machine. */
const BIT = 150;

/** The body bit by bit, so that the caller can do something else in between; what it returns at last is the shape. */
export function* simplifying(body: BodyMesh, triangles = SIMPLE_TRIANGLES): Generator<void, Shape> {
  let corners = yield* joined(body, body.indices, 65535);
  for (let cells = 96; corners.length > 3 * MOST_FOR_EDGES && cells >= 6; cells = Math.floor(cells / 1.5)) corners = yield* joined(body, corners, cells);
  const collapse = new Collapse(body, corners);
  yield* collapse.begin();
  yield* collapse.down(triangles);
  return shape(body, collapse.corners());
}

/** The same at once. */
export function simple(body: BodyMesh, triangles = SIMPLE_TRIANGLES): Shape {
  const work = simplifying(body, triangles);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** The joint that holds a vertex most. */
function holder(body: BodyMesh, v: number): number {
  let most = 4 * v;
  for (let k = 4 * v + 1; k < 4 * v + 4; k++) if (body.skinWeights[k]! > body.skinWeights[most]!) most = k;
  return body.skinJoints[most]!;
}

/** Triangles whose vertices are the first of each cell of a grid and joint; those that become lines are left out. As many cells as numbers: equal places are one. */
function* joined(body: BodyMesh, indices: ArrayLike<number>, cells: number): Generator<void, Uint32Array> {
  const first = new Map<number, number>();
  const to = new Int32Array(body.positions.length / 3).fill(-1);
  const at = (v: number, axis: number): number => {
    const size = body.max[axis]! - body.min[axis]!;
    return size > 0 ? Math.round(((body.positions[3 * v + axis]! - body.min[axis]!) / size) * cells) : 0;
  };
  const representative = (v: number): number => {
    if (to[v]! >= 0) return to[v]!;
    const place = (at(v, 0) * (cells + 1) + at(v, 1)) * (cells + 1) + at(v, 2);
    // Numbers up to 2^48 for places, exact; coarse grids leave room for the joint beside it.
    const key = cells === 65535 ? place : place * body.joints + holder(body, v);
    const found = first.get(key) ?? v;
    first.set(key, found);
    to[v] = found;
    return found;
  };
  const out: number[] = [];
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const a = representative(indices[i]!);
    const b = representative(indices[i + 1]!);
    const c = representative(indices[i + 2]!);
    if (a !== b && b !== c && c !== a) out.push(a, b, c);
    if (i % (30 * BIT) === 0) yield;
  }
  return Uint32Array.from(out);
}

class Collapse {
  /** The vertex of the body that each of ours is. */
  readonly #own: number[] = [];
  readonly #corners: Uint32Array;
  readonly #at: Float64Array;
  readonly #holders: Uint16Array;
  /** Triangles around a vertex, some of which may be gone; none once the vertex is. */
  readonly #around: number[][];
  /** Ten numbers a vertex: the squared distance from the planes around it. */
  readonly #quadrics: Float64Array;
  /** How often the surroundings of a vertex have changed: offers made before are void. */
  readonly #changes: Int32Array;
  readonly #heap: Offer[] = [];
  readonly #gone: Uint8Array;
  #left: number;

  constructor(body: BodyMesh, corners: Uint32Array) {
    const place = new Map<number, number>();
    this.#corners = corners.map((v) => {
      let at = place.get(v);
      if (at === undefined) {
        place.set(v, (at = this.#own.length));
        this.#own.push(v);
      }
      return at;
    });
    const n = this.#own.length;
    this.#at = Float64Array.from({ length: 3 * n }, (_, i) => body.positions[3 * this.#own[Math.floor(i / 3)]! + (i % 3)]!);
    this.#holders = Uint16Array.from(this.#own, (v) => holder(body, v));
    this.#around = this.#own.map(() => []);
    this.#quadrics = new Float64Array(10 * n);
    this.#changes = new Int32Array(n);
    this.#left = corners.length / 3;
    this.#gone = new Uint8Array(this.#left);
  }

  /** Planes around every vertex, and an offer for every edge. */
  *begin(): Generator<void, void> {
    const n = this.#own.length;
    const edges = new Map<number, number>();
    for (let t = 0; t < this.#gone.length; t++) {
      this.#normal(t, -1, 0);
      const size = Math.hypot(normal[0]!, normal[1]!, normal[2]!);
      for (let k = 0; k < 3; k++) {
        const p = this.#corners[3 * t + k]!;
        const q = this.#corners[3 * t + ((k + 1) % 3)]!;
        this.#around[p]!.push(t);
        if (size > 0) this.#addPlane(p, normal[0]! / size, normal[1]! / size, normal[2]! / size, p, size);
        const key = Math.min(p, q) * n + Math.max(p, q);
        edges.set(key, (edges.get(key) ?? 0) + 1);
      }
      if (t % BIT === 0) yield;
    }
    for (const [key, times] of edges) if (times === 1) this.#hold(Math.floor(key / n), key % n);
    let done = 0;
    for (const key of edges.keys()) {
      this.#offer(Math.floor(key / n), key % n);
      if (done++ % BIT === 0) yield;
    }
  }

  /** Collapses until this many triangles are left, or nothing can be collapsed without folding over. */
  *down(triangles: number): Generator<void, void> {
    let done = 0;
    while (this.#left > triangles) {
      const offer = pop(this.#heap);
      if (!offer) return;
      if (done++ % BIT === 0) yield;
      const { from, to } = offer;
      if (offer.changes !== this.#changes[from]! + this.#changes[to]! || this.#around[from]!.length === 0 || this.#around[to]!.length === 0) continue;
      if (!this.#folds(from, to)) this.#collapse(from, to);
    }
  }

  /** What is left, by vertices of the body. */
  corners(): Uint32Array {
    const out: number[] = [];
    for (let i = 0; i < this.#corners.length; i++) if (!this.#gone[Math.floor(i / 3)]) out.push(this.#own[this.#corners[i]!]!);
    return Uint32Array.from(out);
  }

  /** The normal of a triangle, twice as long as its area is large, into `normal`; as if `from` were where `to` is. */
  #normal(t: number, from: number, to: number): void {
    const at = this.#at;
    const corner = (k: number): number => {
      const v = this.#corners[3 * t + k]!;
      return 3 * (v === from ? to : v);
    };
    const a = corner(0);
    const b = corner(1);
    const c = corner(2);
    const [ux, uy, uz] = [at[b]! - at[a]!, at[b + 1]! - at[a + 1]!, at[b + 2]! - at[a + 2]!];
    const [vx, vy, vz] = [at[c]! - at[a]!, at[c + 1]! - at[a + 1]!, at[c + 2]! - at[a + 2]!];
    normal[0] = uy * vz - uz * vy;
    normal[1] = uz * vx - ux * vz;
    normal[2] = ux * vy - uy * vx;
  }

  /** A plane with a unit normal through a vertex. */
  #addPlane(v: number, x: number, y: number, z: number, through: number, weight: number): void {
    const plane = [x, y, z, -(x * this.#at[3 * through]! + y * this.#at[3 * through + 1]! + z * this.#at[3 * through + 2]!)];
    let i = 10 * v;
    for (let p = 0; p < 4; p++) for (let q = p; q < 4; q++) this.#quadrics[i++]! += weight * plane[p]! * plane[q]!;
  }

  #has(t: number, v: number): boolean {
    return this.#corners[3 * t] === v || this.#corners[3 * t + 1] === v || this.#corners[3 * t + 2] === v;
  }

  /** The edge of an open surface stays where it is: a plane through it, upright on its triangle. */
  #hold(p: number, q: number): void {
    const t = this.#around[p]!.find((triangle) => this.#has(triangle, q))!;
    this.#normal(t, -1, 0);
    const along = [0, 1, 2].map((axis) => this.#at[3 * q + axis]! - this.#at[3 * p + axis]!) as [number, number, number];
    const x = along[1] * normal[2]! - along[2] * normal[1]!;
    const y = along[2] * normal[0]! - along[0] * normal[2]!;
    const z = along[0] * normal[1]! - along[1] * normal[0]!;
    const size = Math.hypot(x, y, z);
    if (size === 0) return;
    const weight = 4 * (along[0] ** 2 + along[1] ** 2 + along[2] ** 2);
    for (const v of [p, q]) this.#addPlane(v, x / size, y / size, z / size, p, weight);
  }

  /** How far the place of a vertex is off the planes of two, squared. */
  #off(p: number, q: number, at: number): number {
    const [x, y, z] = [this.#at[3 * at]!, this.#at[3 * at + 1]!, this.#at[3 * at + 2]!];
    const a = this.#quadrics;
    const [i, k] = [10 * p, 10 * q];
    return (a[i]! + a[k]!) * x * x + (a[i + 4]! + a[k + 4]!) * y * y + (a[i + 7]! + a[k + 7]!) * z * z + (a[i + 9]! + a[k + 9]!) +
      2 * ((a[i + 1]! + a[k + 1]!) * x * y + (a[i + 2]! + a[k + 2]!) * x * z + (a[i + 5]! + a[k + 5]!) * y * z +
        (a[i + 3]! + a[k + 3]!) * x + (a[i + 6]! + a[k + 6]!) * y + (a[i + 8]! + a[k + 8]!) * z);
  }

  /** Puts the cheaper way of the two to collapse an edge on the heap. */
  #offer(p: number, q: number): void {
    const bend = this.#holders[p] === this.#holders[q] ? 1 : 3;
    const toQ = bend * this.#off(p, q, q);
    const toP = bend * this.#off(p, q, p);
    const changes = this.#changes[p]! + this.#changes[q]!;
    push(this.#heap, toQ <= toP ? { cost: toQ, from: p, to: q, changes } : { cost: toP, from: q, to: p, changes });
  }

  /** Whether a triangle would turn over. */
  #folds(from: number, to: number): boolean {
    for (const t of this.#around[from]!) {
      if (this.#gone[t] || this.#has(t, to)) continue;
      this.#normal(t, -1, 0);
      const [x, y, z] = [normal[0]!, normal[1]!, normal[2]!];
      this.#normal(t, from, to);
      const [u, v, w] = [normal[0]!, normal[1]!, normal[2]!];
      if (x * u + y * v + z * w < 0.2 * Math.hypot(x, y, z) * Math.hypot(u, v, w)) return true;
    }
    return false;
  }

  #collapse(from: number, to: number): void {
    const kept = this.#around[to]!;
    for (const t of this.#around[from]!) {
      if (this.#gone[t]) continue;
      if (this.#has(t, to)) {
        this.#gone[t] = 1;
        this.#left--;
        continue;
      }
      for (let i = 3 * t; i < 3 * t + 3; i++) if (this.#corners[i] === from) this.#corners[i] = to;
      kept.push(t);
    }
    for (let i = 0; i < 10; i++) this.#quadrics[10 * to + i]! += this.#quadrics[10 * from + i]!;
    this.#around[from] = [];
    const alive = kept.filter((t) => !this.#gone[t]);
    this.#around[to] = alive;
    this.#changes[to]!++;
    const neighbours = new Set<number>();
    for (const t of alive) for (let i = 3 * t; i < 3 * t + 3; i++) neighbours.add(this.#corners[i]!);
    neighbours.delete(to);
    for (const v of neighbours) this.#offer(v, to);
  }
}

const normal = new Float64Array(3);

interface Offer {
  cost: number;
  from: number;
  to: number;
  changes: number;
}

/** A heap with the cheapest at its top. */
function push(heap: Offer[], offer: Offer): void {
  let at = heap.push(offer) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent]!.cost <= offer.cost) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = offer;
}

function pop(heap: Offer[]): Offer | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (!top || !last || heap.length === 0) return top;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]!.cost < heap[child]!.cost) child++;
    if (heap[child]!.cost >= last.cost) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
  return top;
}

/** The vertices that are left, with their joints; of those the strongest. */
function shape(body: BodyMesh, corners: Uint32Array): Shape {
  const place = new Map<number, number>();
  const indices = Uint16Array.from(corners, (v) => {
    let at = place.get(v);
    if (at === undefined) place.set(v, (at = place.size));
    return at;
  });
  const positions = new Float32Array(3 * place.size);
  const joints = new Uint16Array(4 * place.size);
  const weights = new Float32Array(4 * place.size);
  for (const [v, at] of place) {
    positions.set(body.positions.subarray(3 * v, 3 * v + 3), 3 * at);
    const strongest = [0, 1, 2, 3].sort((p, q) => body.skinWeights[4 * v + q]! - body.skinWeights[4 * v + p]!).slice(0, INFLUENCES);
    const sum = strongest.reduce((total, k) => total + body.skinWeights[4 * v + k]!, 0) || 1;
    strongest.forEach((k, i) => {
      joints[4 * at + i] = body.skinJoints[4 * v + k]!;
      weights[4 * at + i] = body.skinWeights[4 * v + k]! / sum;
    });
  }
  return { positions, indices, joints, weights };
}
