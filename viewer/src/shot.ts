/**
 * The shot, frame by frame: where every actor is and how it is posed. Nothing is decoded but the frame that is asked for; bodies are when
 * they are first drawn.
 *
 * A pose is one 3×4 matrix a joint, row by row, that takes a vertex as bound to the world (world_from_bound); so skinning is one
 * weighted sum, and the place of the actor is in it already.
 */
import { Container } from "./container.ts";
import type { Actor, Body, Box, Cache, Clip, Directory, Mark, Vec3 } from "./data.ts";
import { restorePoints, restoreRotation } from "./quantise.ts";

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

/** The room that someone takes, and where the first joint is in it. */
export interface Standing {
  min: Vec3;
  max: Vec3;
  root: Vec3;
}

export class Shot {
  readonly directory: Directory;
  readonly #container: Container;
  readonly #up: "x" | "y" | "z";
  readonly #frames: number;
  readonly #bodies: (BodyMesh | undefined)[] = [];
  readonly #byObject = new Map<number, number>();
  readonly #standing = new Map<string, Standing>();
  readonly #standingOf = new Map<Actor, Standing>();
  readonly #tracks = new Map<Actor, Tracks>();
  readonly #clips: (Track | undefined)[] = [];
  readonly #reaches = new Map<string, number>();
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
    const { place, turn } = this.#tracksOf(actor);
    const k = this.#inTrack(actor, frame);
    at.scale = actor.scale ?? 1;
    for (let axis = 0; axis < 3; axis++) {
      const seen = place.numbers ? place.box.min[axis]! + place.box.step[axis]! * (place.numbers[3 * k + axis] ?? 0) : place.fixed[axis]!;
      at.place[axis] = seen - this.origin[axis]!;
    }
    if (turn.up) turnInto(at.turn, AXES[this.#up], ((turn.up[k] ?? 0) / 65536) * 2 * Math.PI);
    else if (turn.any) restoreRotation(turn.any, 3 * k, at.turn, 0);
    else for (let i = 0; i < 4; i++) at.turn[i] = turn.fixed[i]!;
    return at;
  }

  /** The arrays of an actor: looked up once, since they are asked for in every frame. */
  #tracksOf(actor: Actor): Tracks {
    const known = this.#tracks.get(actor);
    if (known) return known;
    const { place, turn } = actor;
    const array = !turn || Array.isArray(turn) ? undefined : turn;
    const made: Tracks = {
      place: Array.isArray(place) ? { fixed: place, box: NO_BOX } : { numbers: this.#container.array(place.array, "u16"), box: place.box, fixed: NOWHERE },
      turn: {
        fixed: Array.isArray(turn) ? turn : UNTURNED,
        up: array?.about === "up" ? this.#container.array(array.array, "u16") : undefined,
        any: array && array.about !== "up" ? this.#container.array(array.array, "i16") : undefined,
      },
      samples: (actor.plays ?? []).map(({ samples }) => (samples === undefined ? undefined : this.#container.array(samples, "u16"))),
    };
    this.#tracks.set(actor, made);
    return made;
  }

  #clip(index: number): Track {
    const clip = this.directory.clips[index]!;
    return (this.#clips[index] ??= {
      clip,
      rotations: this.#container.array(clip.rotations, "i16"),
      positions: this.#container.array(clip.positions, "u16"),
      scales: clip.scales === undefined ? undefined : this.#container.array(clip.scales, "f32"),
    });
  }

  /** Writes the matrices of an actor's joints from `to` on, 12 numbers each, and says how many joints. */
  pose(actor: Actor, frame: number, out: Float32Array, to: number): number {
    return this.#poseJoints(actor, frame, this.body(actor.body).joints, out, to);
  }

  #poseJoints(actor: Actor, frame: number, joints: number, out: Float32Array, to: number): number {
    const body = this.body(actor.body);
    const at = this.whereabouts(actor, frame);
    const play = this.#play(actor, frame);
    if (play < 0) {
      // A cache has its vertices where they are, not around the middle of the body.
      placeInto(placing, at, actor.cache === undefined ? body.offset : NOWHERE);
      for (let j = 0; j < joints; j++) for (let i = 0; i < 12; i++) out[to + 12 * j + i] = placing[i]!;
      return joints;
    }
    placeInto(placing, at, NOWHERE);
    poseInto(this.#clip(actor.plays![play]!.clip), this.#sample(actor, play, frame), joints, body.rest, out, to);
    return joints;
  }

  /** Writes the matrix of an actor's place alone, as if it were one piece. */
  stand(actor: Actor, frame: number, out: Float32Array, to: number): void {
    placeInto(placing, this.whereabouts(actor, frame), NOWHERE);
    out.set(placing, to);
  }

  /** Where the first joint is, or the middle of a rigid body: where an actor really is, also if its clip carries it away from its place. */
  root(actor: Actor, frame: number): Vec3 {
    const out: Vec3 = [0, 0, 0];
    this.rootInto(actor, frame, out, 0);
    return out;
  }

  /** The same, three numbers from `to` on. */
  rootInto(actor: Actor, frame: number, out: number[] | Float64Array, to: number): void {
    const { rest } = this.body(actor.body);
    this.#poseJoints(actor, frame, 1, scratch, 0);
    for (let axis = 0; axis < 3; axis++) {
      const r = 4 * axis;
      out[to + axis] = scratch[r]! * rest[0]! + scratch[r + 1]! * rest[1]! + scratch[r + 2]! * rest[2]! + scratch[r + 3]!;
    }
  }

  /**
   * How far from its root any vertex of an actor can be, in any frame: who is farther than that out of sight is out of sight. A vertex is a mean of places
   * that its joints take it to, each within |v − rest| times the scale of a joint; and joints are where the clips have them. Infinite for a cache,
   * whose vertices may be anywhere.
   */
  extent(actor: Actor): number {
    if (actor.cache !== undefined) return Infinity;
    const scale = Math.abs(actor.scale ?? 1);
    let most = 0;
    for (const { clip } of actor.plays ?? []) most = Math.max(most, this.#reach(actor.body, clip));
    return scale * (most || this.#reach(actor.body, -1));
  }

  #reach(bodyIndex: number, clipIndex: number): number {
    const key = `${bodyIndex} ${clipIndex}`;
    const known = this.#reaches.get(key);
    if (known !== undefined) return known;
    const body = this.body(bodyIndex);
    let found: number;
    if (clipIndex < 0) found = farthestVertex(body);
    else found = reachOf(this.#clip(clipIndex), body);
    this.#reaches.set(key, found);
    return found;
  }

  /** The room that an actor takes as it begins, at the origin and not turned: bound vertices may be in another unit, arms stretched out. */
  standing(actor: Actor): Standing {
    const known = this.#standingOf.get(actor);
    if (known) return known;
    const key = `${actor.body} ${actor.plays?.[0]?.clip ?? ""}`;
    const found = this.#standing.get(key) ?? this.#stand(actor);
    this.#standing.set(key, found);
    this.#standingOf.set(actor, found);
    return found;
  }

  #stand(actor: Actor): Standing {
    const body = this.body(actor.body);
    const still: Actor = { object: actor.object, body: actor.body, place: [...this.origin], first: actor.first, count: actor.count, plays: actor.plays };
    const frame = actor.first ?? 0;
    const matrices = new Float32Array(12 * body.joints);
    this.pose(still, frame, matrices, 0);
    const min: Vec3 = [Infinity, Infinity, Infinity];
    const max: Vec3 = [-Infinity, -Infinity, -Infinity];
    for (let v = 0; v < body.positions.length / 3; v++) {
      // Each vertex by its first joint: nearly where it is, and enough for a box.
      const at = moved(matrices, 12 * body.skinJoints[4 * v]!, body.positions[3 * v]!, body.positions[3 * v + 1]!, body.positions[3 * v + 2]!);
      at.forEach((x, axis) => {
        min[axis] = Math.min(min[axis]!, x);
        max[axis] = Math.max(max[axis]!, x);
      });
    }
    return { min, max, root: this.root(still, frame) };
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

  /** Which of its plays an actor is in; -1 if it has none. */
  #play(actor: Actor, frame: number): number {
    const { plays } = actor;
    if (!plays || plays.length === 0) return -1;
    let found = 0;
    for (let i = 1; i < plays.length; i++) if (plays[i]!.from <= frame) found = i;
    return found;
  }

  #sample(actor: Actor, at: number, frame: number): number {
    const play = actor.plays![at]!;
    const last = (actor.first ?? 0) + this.#count(actor) - 1;
    const k = Math.max(0, Math.min(last, frame) - play.from);
    const samples = this.#tracksOf(actor).samples[at];
    if (!samples) return play.sample + play.rate * k;
    return (samples[Math.min(k, samples.length - 1)] ?? 0) * (play.unit ?? 1);
  }
}

/** The arrays of an actor. */
interface Tracks {
  place: { numbers?: Uint16Array; box: Box; fixed: readonly number[] };
  turn: { up?: Uint16Array; any?: Int16Array; fixed: readonly number[] };
  /** For each play, if it has any. */
  samples: (Uint16Array | undefined)[];
}

const AXES = { x: 0, y: 1, z: 2 } as const;
const NOWHERE: Vec3 = [0, 0, 0];
const UNTURNED: readonly number[] = [0, 0, 0, 1];
const NO_BOX: Box = { min: [0, 0, 0], step: [0, 0, 0] };

/** A turn about an axis of the world, as a quaternion. */
function turnInto(out: number[], axis: 0 | 1 | 2, angle: number): void {
  out[0] = out[1] = out[2] = 0;
  out[axis] = Math.sin(angle / 2);
  out[3] = Math.cos(angle / 2);
}

const scratch = new Float32Array(12);

/** A point through a matrix of a pose. */
export function moved(matrices: Float32Array, m: number, x: number, y: number, z: number): Vec3 {
  const along = (r: number): number => matrices[m + r]! * x + matrices[m + r + 1]! * y + matrices[m + r + 2]! * z + matrices[m + r + 3]!;
  return [along(0), along(4), along(8)];
}

interface Track {
  clip: Clip;
  rotations: Int16Array;
  positions: Uint16Array;
  scales: Float32Array | undefined;
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

const quat = new Float64Array(4);
const next = new Float64Array(4);
/** The place of the actor that is being posed, 3×4: in full precision, since places may be large. */
const placing = new Float64Array(12);

/**
 * world_from_bound of the first joints, this many: the joint in the body, then the actor's place around it, which is in `placing`. This runs for every joint of everyone in
 * every frame, so it is written out, without arrays or closures of its own.
 */
function poseInto({ clip, rotations, positions, scales }: Track, sample: number, joints: number, rest: Float32Array, out: Float32Array, to: number): void {
  const [low, high, fraction] = neighbours(sample, clip.samples, clip.wraps);
  const [x0, y0, z0] = clip.box.min;
  const [xs, ys, zs] = clip.box.step;
  const p0 = placing[0]!;
  const p1 = placing[1]!;
  const p2 = placing[2]!;
  const px = placing[3]!;
  const p4 = placing[4]!;
  const p5 = placing[5]!;
  const p6 = placing[6]!;
  const py = placing[7]!;
  const p8 = placing[8]!;
  const p9 = placing[9]!;
  const p10 = placing[10]!;
  const pz = placing[11]!;
  for (let j = 0; j < joints; j++) {
    const i = low * clip.joints + j;
    const k = high * clip.joints + j;
    restoreRotation(rotations, 3 * i, quat, 0);
    let x = quat[0]!;
    let y = quat[1]!;
    let z = quat[2]!;
    let w = quat[3]!;
    let tx = positions[3 * i]!;
    let ty = positions[3 * i + 1]!;
    let tz = positions[3 * i + 2]!;
    let s = scales ? scales[i]! : 1;
    if (fraction > 0) {
      // The rotation between two, the shorter way, normalised.
      restoreRotation(rotations, 3 * k, next, 0);
      const share = x * next[0]! + y * next[1]! + z * next[2]! + w * next[3]! < 0 ? -fraction : fraction;
      x += -fraction * x + share * next[0]!;
      y += -fraction * y + share * next[1]!;
      z += -fraction * z + share * next[2]!;
      w += -fraction * w + share * next[3]!;
      const size = 1 / Math.sqrt(x * x + y * y + z * z + w * w || 1);
      x *= size;
      y *= size;
      z *= size;
      w *= size;
      tx += fraction * (positions[3 * k]! - tx);
      ty += fraction * (positions[3 * k + 1]! - ty);
      tz += fraction * (positions[3 * k + 2]! - tz);
      if (scales) s += fraction * (scales[k]! - s);
    }
    const r0 = s * (1 - 2 * (y * y + z * z));
    const r1 = s * 2 * (x * y - w * z);
    const r2 = s * 2 * (x * z + w * y);
    const r3 = s * 2 * (x * y + w * z);
    const r4 = s * (1 - 2 * (x * x + z * z));
    const r5 = s * 2 * (y * z - w * x);
    const r6 = s * 2 * (x * z - w * y);
    const r7 = s * 2 * (y * z + w * x);
    const r8 = s * (1 - 2 * (x * x + y * y));
    const bx = rest[3 * j]!;
    const by = rest[3 * j + 1]!;
    const bz = rest[3 * j + 2]!;
    const mx = x0 + xs * tx - (r0 * bx + r1 * by + r2 * bz);
    const my = y0 + ys * ty - (r3 * bx + r4 * by + r5 * bz);
    const mz = z0 + zs * tz - (r6 * bx + r7 * by + r8 * bz);
    const m = to + 12 * j;
    out[m] = p0 * r0 + p1 * r3 + p2 * r6;
    out[m + 1] = p0 * r1 + p1 * r4 + p2 * r7;
    out[m + 2] = p0 * r2 + p1 * r5 + p2 * r8;
    out[m + 3] = p0 * mx + p1 * my + p2 * mz + px;
    out[m + 4] = p4 * r0 + p5 * r3 + p6 * r6;
    out[m + 5] = p4 * r1 + p5 * r4 + p6 * r7;
    out[m + 6] = p4 * r2 + p5 * r5 + p6 * r8;
    out[m + 7] = p4 * mx + p5 * my + p6 * mz + py;
    out[m + 8] = p8 * r0 + p9 * r3 + p10 * r6;
    out[m + 9] = p8 * r1 + p9 * r4 + p10 * r7;
    out[m + 10] = p8 * r2 + p9 * r5 + p10 * r8;
    out[m + 11] = p8 * mx + p9 * my + p10 * mz + pz;
  }
}

/** The matrix of an actor's place, and of something that is `offset` from the origin of the body. */
function placeInto(out: Float64Array, at: Whereabouts, offset: Vec3): void {
  const [x, y, z, w] = at.turn;
  const s = at.scale;
  out[0] = s * (1 - 2 * (y * y + z * z));
  out[1] = s * 2 * (x * y - w * z);
  out[2] = s * 2 * (x * z + w * y);
  out[4] = s * 2 * (x * y + w * z);
  out[5] = s * (1 - 2 * (x * x + z * z));
  out[6] = s * 2 * (y * z - w * x);
  out[8] = s * 2 * (x * z - w * y);
  out[9] = s * 2 * (y * z + w * x);
  out[10] = s * (1 - 2 * (x * x + y * y));
  for (let r = 0; r < 12; r += 4) out[r + 3] = at.place[r / 4]! + out[r]! * offset[0] + out[r + 1]! * offset[1] + out[r + 2]! * offset[2];
}

/** How far any vertex can be from the first joint while a clip is played: see `extent`. */
function reachOf({ clip, positions, scales }: Track, body: BodyMesh): number {
  const { step } = clip.box;
  const n = clip.joints;
  // How far each joint gets from the first.
  const far = new Float64Array(Math.max(n, body.joints));
  const grown = new Float64Array(far.length).fill(scales ? 0 : 1);
  for (let i = 0; i < n * clip.samples; i++) {
    const root = 3 * (i - (i % n));
    const square = (step[0] * (positions[3 * i]! - positions[root]!)) ** 2 + (step[1] * (positions[3 * i + 1]! - positions[root + 1]!)) ** 2 +
      (step[2] * (positions[3 * i + 2]! - positions[root + 2]!)) ** 2;
    if (square > far[i % n]!) far[i % n] = square;
    if (scales && Math.abs(scales[i]!) > grown[i % n]!) grown[i % n] = Math.abs(scales[i]!);
  }
  let most = 0;
  for (let v = 0; v < body.positions.length / 3; v++) {
    for (let k = 0; k < 4; k++) {
      if (body.skinWeights[4 * v + k] === 0) continue;
      const j = body.skinJoints[4 * v + k]!;
      most = Math.max(most, Math.sqrt(far[j]!) + grown[j]! * apart(body, v, j));
    }
  }
  return most;
}

/** The same of a body that nothing moves: from its first joint, or from its middle. */
function farthestVertex(body: BodyMesh): number {
  let most = 0;
  for (let v = 0; v < body.positions.length / 3; v++) most = Math.max(most, apart(body, v, 0));
  return most;
}

function apart({ positions, rest }: BodyMesh, v: number, j: number): number {
  return Math.hypot(positions[3 * v]! - rest[3 * j]!, positions[3 * v + 1]! - rest[3 * j + 1]!, positions[3 * v + 2]! - rest[3 * j + 2]!);
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
  const weights = skin.weights === undefined ? undefined : container.array(skin.weights, "u8", "u16");
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
