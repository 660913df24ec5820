/** Everyone on the stage in one frame: poses into a texture, actors into batches by body and detail. */
import * as THREE from "three";
import { rgb, scaled } from "../colour.ts";
import type { Palette } from "../colour.ts";
import type { Incident, Vec3 } from "../data.ts";
import { moved } from "../shot.ts";
import type { Shot } from "../shot.ts";
import { Batch } from "./batch.ts";
import { details } from "./detail.ts";
import type { Detail } from "./detail.ts";
import type { Shared } from "./material.ts";
import { Merged } from "./merged.ts";
import { boxes, pillar, whole } from "./shapes.ts";

export interface Moment {
  /** The index of the frame, and its number. */
  index: number;
  frame: number;
  /** The camera in the space of the shot. */
  eye: Vec3;
  /** What it looks at. */
  focus: Vec3;
  incident: Incident | undefined;
  ghost: boolean;
  xray: boolean;
  colours: Palette;
  /** Objects in contact in this frame, and how bad, 0 to 1. */
  struck: Map<number, number>;
}

/** Someone who is there: where, how far from the camera, how large. */
interface Present {
  actor: number;
  object: number;
  at: Vec3;
  distance: number;
  triangles: number;
  isLookedAt: boolean;
  isRigid: boolean;
}

type Rgb = [number, number, number];
const ALPHA = { ghost: 0.1, xray: 0.38, mark: 0.9, oldMark: 0.35, through: 0.3 };

export class Cast {
  readonly group = new THREE.Group();
  /** Frames of caches that were held because they are not stored, by object. */
  readonly held: number[] = [];
  drawn = { full: 0, boxes: 0, pillar: 0 };
  /** Who was drawn last: where their middle is in the space of the shot, and how tall and wide they are. */
  present: { object: number; middle: Vec3; tall: number; wide: number }[] = [];
  readonly #shot: Shot;
  readonly #shared: Shared;
  readonly #up: 0 | 1 | 2;
  readonly #batches = new Map<string, Batch>();
  /** Rigid bodies that one actor has: the slot of that actor. */
  readonly #slots = new Map<number, number>();
  readonly #merged: Merged | undefined;
  readonly #stride: number;
  readonly #rows: number;
  #poses: THREE.DataTexture;
  #matrices: Float32Array;
  #marks: Batch[] = [];
  #marked = "";
  readonly #shadows: THREE.InstancedMesh | undefined;

  constructor(shot: Shot, shared: Shared, up: 0 | 1 | 2, mostRows: number) {
    this.#shot = shot;
    this.#shared = shared;
    this.#up = up;
    const joints = shot.directory.bodies.reduce((most, _, i) => Math.max(most, shot.sizeOf(i).joints), 1);
    this.#stride = 12 * joints;
    this.#rows = Math.max(1, Math.min(mostRows, shot.actors.length));
    this.#matrices = new Float32Array(this.#stride * this.#rows);
    this.#poses = new THREE.DataTexture(this.#matrices, 3 * joints, this.#rows, THREE.RGBAFormat, THREE.FloatType);
    shared.poses.value = this.#poses;
    const alone = loners(shot);
    alone.forEach((actor, slot) => this.#slots.set(actor, slot));
    if (alone.length > 0) {
      this.#merged = new Merged(alone.map((actor) => whole(shot.body(shot.actors[actor]!.body))), shared);
      this.group.add(...this.#merged.meshes);
    }
    if (shot.directory.ground !== undefined) {
      this.#shadows = shadows(this.#rows, up);
      this.group.add(this.#shadows);
    }
  }

  update(moment: Moment): void {
    for (const batch of this.#batches.values()) batch.clear();
    this.#merged?.clear();
    this.held.length = 0;
    this.present = [];
    this.drawn = { full: 0, boxes: 0, pillar: 0 };
    const present = this.#present(moment);
    const levels = details(present);
    let fallen = 0;
    present.forEach((one, row) => {
      const level = levels[row]!;
      this.drawn[level]++;
      this.#pose(one.actor, moment.index, row, level);
      this.present.push(this.#extent(one));
      const [colour, alpha] = this.#paint(one.object, this.#isInTheWay(one, moment), moment);
      const slot = this.#slots.get(one.actor);
      if (slot !== undefined) this.#merged!.set(slot, row, colour, alpha);
      else this.#batch(one.actor, level, alpha < 1, moment.index).add(row, colour, alpha);
      if (this.#shadows && !one.isRigid) this.#shadow(fallen++, one.at);
    });
    for (const batch of this.#batches.values()) batch.finish();
    this.#merged?.finish();
    if (this.#shadows) {
      this.#shadows.count = fallen;
      this.#shadows.instanceMatrix.needsUpdate = true;
    }
    this.#mark(moment, present);
    this.#poses.needsUpdate = true;
  }

  /** Who is there, the incident's own first; as many as there are rows. */
  #present(moment: Moment): Present[] {
    const { incident, eye, index } = moment;
    const out = this.#shot.actors.flatMap((actor, i) => {
      if (!this.#shot.isPresent(actor, index)) return [];
      const at = this.#shot.root(actor, index);
      const isLookedAt = incident !== undefined && (incident.a === actor.object || incident.b === actor.object);
      const distance = Math.hypot(at[0] - eye[0], at[1] - eye[1], at[2] - eye[2]);
      const { triangles } = this.#shot.sizeOf(actor.body);
      const isRigid = this.#shot.directory.bodies[actor.body]!.skin === undefined;
      return [{ actor: i, object: actor.object, at, distance, triangles, isLookedAt, isRigid }];
    });
    if (out.length <= this.#rows) return out;
    return out.sort((p, q) => Number(q.isLookedAt) - Number(p.isLookedAt) || p.distance - q.distance).slice(0, this.#rows);
  }

  /** Whether it stands between the camera and the incident. */
  #isInTheWay({ actor, at, isLookedAt }: Present, { incident, eye, focus }: Moment): boolean {
    if (!incident || isLookedAt) return false;
    // Where nobody asked for the point, the camera looks at the two.
    const spot = incident.point?.map((x, axis) => x - this.#shot.origin[axis]!) ?? focus;
    const towards = spot.map((x, axis) => x - eye[axis]!);
    const [u, v] = this.#flat;
    // Seen from above: how far along the line of sight, and how far beside it.
    const line = Math.hypot(towards[u]!, towards[v]!) || 1;
    const along = ((at[u]! - eye[u]!) * towards[u]! + (at[v]! - eye[v]!) * towards[v]!) / line;
    const beside = Math.abs((at[u]! - eye[u]!) * towards[v]! - (at[v]! - eye[v]!) * towards[u]!) / line;
    const { wide, thin } = this.#size(actor);
    return along > 0 && along < 0.85 * line && beside < Math.min(wide, thin);
  }

  get #flat(): [number, number] {
    return [0, 1, 2].filter((axis) => axis !== this.#up) as [number, number];
  }

  /** How tall and wide, and how far its middle is above where it is said to be. */
  #size(index: number): { tall: number; wide: number; thin: number; above: number } {
    const actor = this.#shot.actors[index]!;
    const { min, max, root } = this.#shot.standing(actor);
    const scale = actor.scale ?? 1;
    const size = (axis: number): number => scale * (max[axis]! - min[axis]!);
    const tall = size(this.#up);
    const across = this.#flat.map(size);
    const isPosed = this.#shot.body(actor.body).joints > 1;
    // Arms that are stretched out do not make a person wide.
    const wide = isPosed ? Math.min(0.3 * tall, ...across) : Math.max(...across);
    return { tall, wide, thin: Math.min(...across), above: scale * ((min[this.#up]! + max[this.#up]!) / 2 - root[this.#up]!) };
  }

  #pose(index: number, frame: number, row: number, level: Detail): void {
    const actor = this.#shot.actors[index]!;
    if (level !== "pillar") {
      this.#shot.pose(actor, frame, this.#matrices, row * this.#stride);
      return;
    }
    // A pillar stands where the actor's first joint is; the others are not needed.
    const m = row * this.#stride;
    this.#shot.pose({ ...actor, plays: [] }, frame, this.#matrices, m);
    const standing = moved(this.#matrices, m, ...this.#shot.standing(actor).root);
    this.#shot.root(actor, frame).forEach((x, axis) => (this.#matrices[m + 4 * axis + 3]! += x - standing[axis]!));
  }

  #paint(object: number, isInTheWay: boolean, { incident, ghost, xray, colours, struck }: Moment): [Rgb, number] {
    const unit = (hex: string): Rgb => rgb(hex).map((channel) => channel / 255) as Rgb;
    // What is inside something is seen only through it.
    const own = xray || incident?.kind === "containment" || incident?.kind === "duplicate" ? ALPHA.xray : 1;
    if (incident?.a === object) return [unit(colours.a), own];
    if (incident?.b === object) return [unit(colours.b), own];
    // Beside an incident that is looked at, the others are grey: its own colours are taken.
    const hit = incident ? undefined : struck.get(object);
    // A little lighter or darker from one to the next, so that people in a crowd come apart.
    const shade = 0.88 + 0.24 * (((object * 2654435761) % 1024) / 1024);
    const plain = unit(colours.other).map((channel) => Math.min(1, channel * shade)) as Rgb;
    const alpha = (ghost && incident) || isInTheWay ? ALPHA.ghost : 1;
    if (hit === undefined) return [plain, alpha];
    const hot = scaled(colours, 0.25 + 0.75 * hit).match(/\d+/g)!.map((channel) => Number(channel) / 255) as Rgb;
    return [hot, alpha];
  }

  #batch(index: number, level: Detail, faint: boolean, frame: number): Batch {
    const actor = this.#shot.actors[index]!;
    const isCached = actor.cache !== undefined;
    const clip = level === "pillar" ? actor.plays?.[0]?.clip : undefined;
    const key = `${isCached ? `cache ${index}` : actor.body} ${clip} ${level} ${faint}`;
    let batch = this.#batches.get(key);
    if (!batch) {
      const body = this.#shot.body(actor.body);
      const shape = level === "full" ? whole(body) : level === "boxes" ? boxes(body) : pillar(this.#shot.standing(actor), this.#up);
      const flat = level !== "full" || isCached || body.joints === 1;
      if (isCached) shape.positions = shape.positions.slice();
      batch = new Batch(shape, this.#shared, { flat, faint }, faint ? 5 : 0);
      this.#batches.set(key, batch);
      this.group.add(batch.mesh);
    }
    if (isCached) {
      const stored = this.#shot.cached(actor, frame);
      if (stored) batch.setPositions(stored.positions);
      if (stored && stored.frame !== frame) this.held.push(actor.object);
    }
    return batch;
  }

  /** The triangles in contact, over the bodies and faintly through them. */
  #mark({ incident, frame, index, colours }: Moment, present: { actor: number; object: number }[]): void {
    const found = incident && frame >= incident.first && frame <= incident.last ? this.#shot.marked(incident.id, frame) : undefined;
    const key = found ? `${found.mark.incident} ${found.mark.frame}` : "";
    if (key !== this.#marked) {
      for (const batch of this.#marks) batch.dispose();
      this.#marks = [];
      this.#marked = key;
      if (found && incident) {
        for (const [object, triangles] of [[incident.a, found.a], [incident.b, found.b]] as const) this.#addMarks(object, triangles);
      }
    }
    if (!found || !incident) return;
    const isNow = found.mark.frame === frame;
    const colour = rgb(colours.mark).map((channel) => channel / 255) as Rgb;
    this.#marks.forEach((batch, i) => {
      batch.clear();
      const object = i < 2 ? incident.a : incident.b;
      const row = present.findIndex((one) => one.object === object);
      const actor = this.#shot.actors[present[row]?.actor ?? -1];
      if (actor?.cache !== undefined) {
        const stored = this.#shot.cached(actor, index);
        if (stored) batch.setPositions(stored.positions);
      }
      if (row >= 0) batch.add(row, colour, i % 2 === 0 ? (isNow ? ALPHA.mark : ALPHA.oldMark) : isNow ? ALPHA.through : 0.08);
      batch.finish();
    });
  }

  #addMarks(object: number, triangles: Uint32Array): void {
    const actor = this.#shot.actors[this.#shot.actorOf(object) ?? -1];
    if (!actor) return;
    const body = this.#shot.body(actor.body);
    const indices: number[] = [];
    for (const triangle of triangles) {
      if (3 * triangle + 2 < body.indices.length) for (let k = 0; k < 3; k++) indices.push(body.indices[3 * triangle + k]!);
    }
    const shape = { ...whole(body), indices: Uint32Array.from(indices) };
    if (actor.cache !== undefined) shape.positions = shape.positions.slice();
    for (const mark of ["over", "through"] as const) {
      const batch = new Batch(shape, this.#shared, { flat: true, mark }, mark === "over" ? 10 : 11);
      this.#marks.push(batch);
      this.group.add(batch.mesh);
    }
  }

  #extent({ actor, object, at }: Present): { object: number; middle: Vec3; tall: number; wide: number } {
    const { tall, wide, above } = this.#size(actor);
    const middle = [...at] as Vec3;
    middle[this.#up]! += above;
    return { object, middle, tall, wide };
  }

  #shadow(at: number, below: Vec3): void {
    const place = new THREE.Vector3(...below);
    place.setComponent(this.#up, (this.#shot.directory.ground ?? 0) - this.#shot.origin[this.#up]! + 0.003);
    this.#shadows!.setMatrixAt(at, new THREE.Matrix4().setPosition(place));
  }
}

/** Actors with a rigid body of their own. */
function loners(shot: Shot): number[] {
  const users = new Map<number, number>();
  for (const actor of shot.actors) users.set(actor.body, (users.get(actor.body) ?? 0) + 1);
  return shot.actors.flatMap((actor, i) => {
    const isRigid = shot.directory.bodies[actor.body]!.skin === undefined && actor.cache === undefined;
    return isRigid && users.get(actor.body) === 1 ? [i] : [];
  });
}

/** Soft round spots on the floor: they tie people to it at no cost. */
function shadows(most: number, up: 0 | 1 | 2): THREE.InstancedMesh {
  const size = 32;
  const texels = new Uint8Array(4 * size * size);
  for (let i = 0; i < size * size; i++) {
    const [x, y] = [((i % size) + 0.5) / size - 0.5, (Math.floor(i / size) + 0.5) / size - 0.5];
    texels[4 * i + 3] = 110 * Math.max(0, 1 - 2 * Math.hypot(x, y)) ** 1.5;
  }
  const map = new THREE.DataTexture(texels, size, size);
  map.magFilter = THREE.LinearFilter;
  map.needsUpdate = true;
  const plane = new THREE.PlaneGeometry(1, 1);
  if (up === 1) plane.rotateX(-Math.PI / 2);
  if (up === 0) plane.rotateY(Math.PI / 2);
  const mesh = new THREE.InstancedMesh(plane, new THREE.MeshBasicMaterial({ map, transparent: true, depthWrite: false }), most);
  mesh.frustumCulled = false;
  mesh.renderOrder = -1;
  return mesh;
}
