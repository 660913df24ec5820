/**
 * The shot, frame by frame: where every actor is and how it is posed. Nothing is decoded but the frame that is asked for; bodies are when
 * they are first drawn.
 *
 * A pose is one 3×4 matrix a joint, row by row, that takes a vertex as bound to the world (world_from_bound); so skinning is one
 * weighted sum, and the place of the actor is in it already.
 */
import { Container } from "./container.ts";
import type { Actor, Body, Box, Cache, Clip, Directory, Mark, Play, Vec3 } from "./data.ts";
import { restorePoints, restoreRotation, turnAbout } from "./quantise.ts";

/** A body as it is drawn. */
export interface BodyMesh {
  name: string;
  /** Added to the vertices of a rigid body, which are stored around its middle: coordinates may be large. */
  offset: Vec3;
  positions: Float32Array;
  indices: Uint16Array | Uint32Array;
  joints: number;
  parents: Int16Array;
  rest: Float32Array;
  /** Four joints a vertex, and their weights, which add up to one. */
  skinJoints: Uint16Array;
  skinWeights: Float32Array;
  /** Of the vertices as bound. */
  min: Vec3;
  max: Vec3;
}

/** Where an actor is in a frame. */
export interface Whereabouts {
  place: Vec3;
  turn: [number, number, number, number];
  scale: number;
}

export class Shot {
  readonly directory: Directory;
  readonly #container: Container;
  readonly #up: "x" | "y" | "z";
  readonly #frames: number;
  readonly #bodies: (BodyMesh | undefined)[] = [];
  readonly #byObject = new Map<number, number>();
  /** Taken from all places, in full precision, so that what is drawn is near the origin. */
  origin: Vec3 = [0, 0, 0];
  readonly #at: Whereabouts = { place: [0, 0, 0], turn: [0, 0, 0, 1], scale: 1 };

  constructor(data: ArrayBuffer, frames: number, up: "x" | "y" | "z") {
    this.#container = new Container(data);
    this.directory = this.#container.directory;
    this.#frames = frames;
    this.#up = up;
    this.directory.actors.forEach((actor, index) => this.#byObject.set(actor.object, index));
  }

  get actors(): readonly Actor[] {
    return this.directory.actors;
  }

  /** The actor of an object of the report, if it has one. */
  actorOf(object: number): number | undefined {
    return this.#byObject.get(object);
  }

  body(index: number): BodyMesh {
    return (this.#bodies[index] ??= decodeBody(this.#container, this.directory.bodies[index]!));
  }

  /** How many joints a body has and how many triangles, without decoding it. */
  sizeOf(index: number): { joints: number; triangles: number } {
    const { skin, indices } = this.directory.bodies[index]!;
    const length = (name: string): number => this.directory.arrays[name]?.length ?? 0;
    return { joints: skin ? length(skin.parents) : 1, triangles: Math.floor(length(indices) / 3) };
  }

  isPresent(actor: Actor, frame: number): boolean {
    const first = actor.first ?? 0;
    return frame >= first && frame < first + this.#count(actor);
  }

  /** Where an actor is, seen from `origin`; the same object every time. Outside its frames, where it was last or will first be. */
  whereabouts(actor: Actor, frame: number): Whereabouts {
    const at = this.#at;
    const k = this.#inTrack(actor, frame);
    at.scale = actor.scale ?? 1;
    if (Array.isArray(actor.place)) {
      at.place = actor.place;
    } else {
      at.place = pointAt(this.#container.array(actor.place.array, "u16"), k, actor.place.box);
    }
    at.place = [0, 1, 2].map((axis) => at.place[axis]! - this.origin[axis]!) as Vec3;
    const turn = actor.turn;
    if (!turn) {
      at.turn = [0, 0, 0, 1];
    } else if (Array.isArray(turn)) {
      at.turn = turn;
    } else if (turn.about === "up") {
      at.turn = turnAbout(this.#up, ((this.#container.array(turn.array, "u16")[k] ?? 0) / 65536) * 2 * Math.PI);
    } else {
      at.turn = [0, 0, 0, 1];
      restoreRotation(this.#container.array(turn.array, "i16"), 3 * k, at.turn, 0);
    }
    return at;
  }

  /** Writes the matrices of an actor's joints from `to` on, 12 numbers each, and says how many joints. */
  pose(actor: Actor, frame: number, out: Float32Array, to: number): number {
    const body = this.body(actor.body);
    const at = this.whereabouts(actor, frame);
    const play = this.#play(actor, frame);
    if (!play) {
      // A cache has its vertices where they are, not around the middle of the body.
      const offset = actor.cache === undefined ? body.offset : NOWHERE;
      for (let j = 0; j < body.joints; j++) rigidMatrix(at, offset, out, to + 12 * j);
      return body.joints;
    }
    const clip = this.directory.clips[play.clip]!;
    const track = {
      clip,
      rotations: this.#container.array(clip.rotations, "i16"),
      positions: this.#container.array(clip.positions, "u16"),
    };
    const sample = this.#sample(actor, play, frame);
    for (let j = 0; j < body.joints; j++) jointMatrix(track, sample, j, body.rest, at, out, to + 12 * j);
    return body.joints;
  }

  /** The vertices of an actor with a cache, in the space of the body; and which frame was stored. */
  cached(actor: Actor, frame: number): { positions: Float32Array; frame: number } | undefined {
    const cache: Cache | undefined = actor.cache === undefined ? undefined : this.directory.caches?.[actor.cache];
    let nearest: { run: Cache["runs"][number]; frame: number } | undefined;
    for (const run of cache?.runs ?? []) {
      const held = Math.min(run.first + run.count - 1, Math.max(run.first, frame));
      if (!nearest || Math.abs(held - frame) < Math.abs(nearest.frame - frame)) nearest = { run, frame: held };
    }
    if (!nearest) return undefined;
    const { run } = nearest;
    const numbers = this.#container.array(run.positions, "u16");
    const size = numbers.length / run.count;
    const start = (nearest.frame - run.first) * size;
    return { positions: restorePoints(numbers.subarray(start, start + size), run.box), frame: nearest.frame };
  }

  /** The triangles in contact in the frame of an incident that is nearest to this one. */
  marked(incident: number, frame: number): { mark: Mark; a: Uint32Array; b: Uint32Array } | undefined {
    let mark: Mark | undefined;
    for (const other of this.directory.marks ?? []) {
      if (other.incident !== incident) continue;
      if (!mark || Math.abs(other.frame - frame) < Math.abs(mark.frame - frame)) mark = other;
    }
    return mark && { mark, a: this.#container.array(mark.a, "u32"), b: this.#container.array(mark.b, "u32") };
  }

  #count(actor: Actor): number {
    return actor.count ?? this.#frames - (actor.first ?? 0);
  }

  #inTrack(actor: Actor, frame: number): number {
    return Math.min(this.#count(actor) - 1, Math.max(0, frame - (actor.first ?? 0)));
  }

  #play(actor: Actor, frame: number): Play | undefined {
    let found: Play | undefined = actor.plays?.[0];
    for (const play of actor.plays ?? []) if (play.from <= frame) found = play;
    return found;
  }

  #sample(actor: Actor, play: Play, frame: number): number {
    const last = (actor.first ?? 0) + this.#count(actor) - 1;
    const k = Math.max(0, Math.min(last, frame) - play.from);
    if (play.samples === undefined) return play.sample + play.rate * k;
    const samples = this.#container.array(play.samples, "u16");
    return (samples[Math.min(k, samples.length - 1)] ?? 0) * (play.unit ?? 1);
  }
}

interface Track {
  clip: Clip;
  rotations: Int16Array;
  positions: Uint16Array;
}

/** The samples on both sides of a time in a clip, and how far it is from the first to the second. */
export function neighbours(sample: number, samples: number, wraps: boolean): [number, number, number] {
  if (!wraps) {
    const held = Math.min(samples - 1, Math.max(0, sample));
    const low = Math.floor(held);
    return [low, Math.min(samples - 1, low + 1), held - low];
  }
  const round = ((sample % samples) + samples) % samples;
  const low = Math.floor(round) % samples;
  return [low, (low + 1) % samples, round - Math.floor(round)];
}

const first = new Float32Array(4);
const second = new Float32Array(4);

/** world_from_bound of one joint. */
function jointMatrix(
  track: Track, sample: number, joint: number, rest: Float32Array, at: Whereabouts, out: Float32Array, to: number,
): void {
  const { clip, rotations, positions } = track;
  const [low, high, fraction] = neighbours(sample, clip.samples, clip.wraps);
  const i = low * clip.joints + joint;
  const k = high * clip.joints + joint;
  restoreRotation(rotations, 3 * i, first, 0);
  if (fraction > 0) {
    restoreRotation(rotations, 3 * k, second, 0);
    towards(first, second, fraction);
  }
  const { min, step } = clip.box;
  const along = (axis: number): number => {
    const p = positions[3 * i + axis]!;
    return min[axis]! + step[axis]! * (p + fraction * (positions[3 * k + axis]! - p));
  };
  const x = along(0);
  const y = along(1);
  const z = along(2);
  // The joint in the body, then the actor's place around it.
  matrixOf(first, 1, out, to);
  for (let row = 0; row < 3; row++) {
    const r = to + 4 * row;
    const moved = out[r]! * rest[3 * joint]! + out[r + 1]! * rest[3 * joint + 1]! + out[r + 2]! * rest[3 * joint + 2]!;
    out[r + 3] = (row === 0 ? x : row === 1 ? y : z) - moved;
  }
  placeMatrix(at, out, to);
}

/** The rotation between two, the shorter way, normalised, into the first. */
function towards(a: Float32Array, b: Float32Array, fraction: number): void {
  const dot = a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]! + a[3]! * b[3]!;
  const sign = dot < 0 ? -1 : 1;
  let length = 0;
  for (let i = 0; i < 4; i++) {
    a[i] = a[i]! * (1 - fraction) + sign * b[i]! * fraction;
    length += a[i]! * a[i]!;
  }
  const scale = 1 / Math.sqrt(length || 1);
  for (let i = 0; i < 4; i++) a[i] = a[i]! * scale;
}

const placed = new Float32Array(12);
const joined = new Float32Array(12);

const NOWHERE: Vec3 = [0, 0, 0];
const turning = new Float64Array(12);

function rigidMatrix(at: Whereabouts, offset: Vec3, out: Float32Array, to: number): void {
  matrixOf(at.turn, at.scale, turning, 0);
  for (let row = 0; row < 3; row++) {
    const r = 4 * row;
    turning[r + 3] = at.place[row]! + turning[r]! * offset[0] + turning[r + 1]! * offset[1] + turning[r + 2]! * offset[2];
  }
  out.set(turning, to);
}

/** Puts the actor's place before the matrix at `to`. */
function placeMatrix(at: Whereabouts, out: Float32Array, to: number): void {
  rigidMatrix(at, NOWHERE, placed, 0);
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 4; column++) {
      let sum = column === 3 ? placed[4 * row + 3]! : 0;
      for (let k = 0; k < 3; k++) sum += placed[4 * row + k]! * out[to + 4 * k + column]!;
      joined[4 * row + column] = sum;
    }
  }
  out.set(joined, to);
}

function matrixOf(q: ArrayLike<number>, scale: number, out: Float32Array | Float64Array, to: number): void {
  const [x, y, z, w] = [q[0]!, q[1]!, q[2]!, q[3]!];
  out[to] = scale * (1 - 2 * (y * y + z * z));
  out[to + 1] = scale * 2 * (x * y - w * z);
  out[to + 2] = scale * 2 * (x * z + w * y);
  out[to + 3] = 0;
  out[to + 4] = scale * 2 * (x * y + w * z);
  out[to + 5] = scale * (1 - 2 * (x * x + z * z));
  out[to + 6] = scale * 2 * (y * z - w * x);
  out[to + 7] = 0;
  out[to + 8] = scale * 2 * (x * z - w * y);
  out[to + 9] = scale * 2 * (y * z + w * x);
  out[to + 10] = scale * (1 - 2 * (x * x + y * y));
  out[to + 11] = 0;
}

function pointAt(numbers: Uint16Array, k: number, box: Box): Vec3 {
  return [0, 1, 2].map((axis) => box.min[axis]! + box.step[axis]! * (numbers[3 * k + axis] ?? 0)) as Vec3;
}

function decodeBody(container: Container, body: Body): BodyMesh {
  const isRigid = body.skin === undefined;
  const extent = [0, 1, 2].map((axis) => 65535 * body.box.step[axis]!);
  const offset = [0, 1, 2].map((axis) => (isRigid ? body.box.min[axis]! + extent[axis]! / 2 : 0)) as Vec3;
  const min = [0, 1, 2].map((axis) => body.box.min[axis]! - offset[axis]!) as Vec3;
  const max = [0, 1, 2].map((axis) => min[axis]! + extent[axis]!) as Vec3;
  const positions = restorePoints(container.array(body.positions, "u16"), { min, step: body.box.step });
  const indices = container.array(body.indices, "u16", "u32");
  const vertices = positions.length / 3;
  const skinJoints = new Uint16Array(4 * vertices);
  const skinWeights = new Float32Array(4 * vertices);
  const skin = body.skin;
  if (!skin) {
    for (let v = 0; v < vertices; v++) skinWeights[4 * v] = 1;
    return { name: body.name, offset, positions, indices, joints: 1, parents: Int16Array.of(-1), rest: new Float32Array(3), skinJoints, skinWeights, min, max };
  }
  const joints = container.array(skin.joints, "u8", "u16");
  const weights = skin.weights === undefined ? undefined : container.array(skin.weights, "u8");
  const n = skin.influences;
  for (let v = 0; v < vertices; v++) {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += weights?.[n * v + k] ?? 1;
    for (let k = 0; k < n; k++) {
      skinJoints[4 * v + k] = joints[n * v + k]!;
      // A vertex without any weight hangs on its first joint.
      skinWeights[4 * v + k] = sum > 0 ? (weights?.[n * v + k] ?? 1) / sum : k === 0 ? 1 : 0;
    }
  }
  const parents = container.array(skin.parents, "i16");
  const rest = container.array(skin.rest, "f32");
  return { name: body.name, offset, positions, indices, joints: parents.length, parents, rest, skinJoints, skinWeights, min, max };
}
