/**
 * Everyone on the stage in one frame: poses into a texture, actors into batches by body and detail. People out of sight are left out; for those who stand by, how
 * much is drawn is a matter of the budget. The two of the incident are always there, in full.
 */
import * as THREE from "three";
import { rgb, scaled } from "../colour.ts";
import type { Palette } from "../colour.ts";
import type { Incident, Vec3 } from "../data.ts";
import { moved } from "../shot.ts";
import type { Shot } from "../shot.ts";
import { Batch } from "./batch.ts";
import { details } from "./detail.ts";
import type { Budget, Detail } from "./detail.ts";
import type { Shared } from "./material.ts";
import { Merged } from "./merged.ts";
import { pillar, whole } from "./shapes.ts";
import { Shadows } from "./shadows.ts";
import type { Shape } from "./shapes.ts";
import { simplifying } from "./simple.ts";
import { Workshop } from "./workshop.ts";

export interface Moment {
  /** The index of the frame, and its number. */
  index: number;
  frame: number;
  /** The camera in the space of the shot. */
  eye: Vec3;
  /** What it looks at. */
  focus: Vec3;
  /** What it sees. */
  sight: THREE.Frustum;
  budget: Budget;
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

/** Someone as they are drawn. */
interface Placed {
  one: Present;
  level: Detail;
  colour: Rgb;
  alpha: number;
}

/** How many were drawn how, and how many are there but out of sight. */
export interface Drawn {
  full: number;
  simple: number;
  pillar: number;
  unseen: number;
}

type Rgb = [number, number, number];
const LEVELS: readonly Detail[] = ["full", "simple", "pillar"];
const ALPHA = { ghost: 0.1, xray: 0.38, mark: 0.9, oldMark: 0.35, through: 0.3 };

export class Cast {
  readonly group = new THREE.Group();
  /** Frames of caches that were held because they are not stored, by object. */
  readonly held: number[] = [];
  drawn: Drawn = { full: 0, simple: 0, pillar: 0, unseen: 0 };
  readonly #shot: Shot;
  readonly #shared: Shared;
  readonly #up: 0 | 1 | 2;
  readonly #batches = new Map<number, Batch<Placed>>();
  /** What looks the same in one detail has the same number there: the body for most, body and clip for pillars, oneself for vertices over time. */
  readonly #looks: { whole: number; pillar: number }[];
  readonly #simple: Workshop<number, Shape>;
  #present: Present[] = [];
  readonly #alone: Placed[] = [];
  /** The rows of the two of the incident, by object: what is in contact is drawn over them. */
  readonly #rowOf = new Map<number, number>();
  /** Rigid bodies that one actor has: the slot of that actor. */
  readonly #slots = new Map<number, number>();
  readonly #merged: Merged | undefined;
  /** How far from its root each actor reaches, once it was asked; and how large bodies are. */
  readonly #extents: number[] = [];
  readonly #sizes: { joints: number; triangles: number }[];
  readonly #stride: number;
  readonly #rows: number;
  #poses: THREE.DataTexture;
  #isSent = false;
  #matrices: Float32Array;
  #marks: Batch[] = [];
  #marked = "";
  readonly #shadows: Shadows | undefined;

  /** `told` is called when there is something better to draw. */
  constructor(shot: Shot, shared: Shared, up: 0 | 1 | 2, mostRows: number, told: () => void) {
    this.#shot = shot;
    this.#shared = shared;
    this.#up = up;
    this.#sizes = shot.directory.bodies.map((_, i) => shot.sizeOf(i));
    const joints = this.#sizes.reduce((most, size) => Math.max(most, size.joints), 1);
    this.#stride = 12 * joints + 4;
    this.#rows = Math.max(1, Math.min(mostRows, shot.actors.length));
    this.#matrices = new Float32Array(this.#stride * this.#rows);
    this.#poses = new THREE.DataTexture(this.#matrices, 3 * joints + 1, this.#rows, THREE.RGBAFormat, THREE.FloatType);
    this.#poses.onUpdate = () => (this.#isSent = true);
    shared.poses.value = this.#poses;
    this.#looks = looks(shot);
    this.#simple = new Workshop((body) => simplifying(shot.body(body)), told);
    const alone = loners(shot);
    alone.forEach((actor, slot) => this.#slots.set(actor, slot));
    if (alone.length > 0) {
      this.#merged = new Merged(alone.map((actor) => whole(shot.body(shot.actors[actor]!.body))), shared);
      this.group.add(...this.#merged.meshes);
    }
    const { ground } = shot.directory;
    if (ground !== undefined) {
      this.#shadows = new Shadows(this.#rows, up, ground - shot.origin[up]! + 0.003);
      this.group.add(this.#shadows.mesh);
    }
  }

  update(moment: Moment): void {
    for (const batch of this.#batches.values()) batch.clear();
    this.#merged?.clear();
    this.held.length = 0;
    this.#see(moment);
    const present = this.#present;
    const levels = details(present, moment.budget);
    const paint = this.#painter(moment);
    const isInTheWay = this.#inTheWay(moment);
    this.#rowOf.clear();
    let fallen = 0;
    present.forEach((one, i) => {
      const level = this.#ready(one.actor, levels[i]!);
      this.drawn[level]++;
      const [colour, alpha] = paint(one.object, isInTheWay(one));
      const placed = { one, level, colour, alpha };
      const slot = this.#slots.get(one.actor);
      if (slot === undefined) this.#batch(one.actor, level, alpha < 1, moment.index).members.push(placed);
      else this.#alone.push(placed);
      if (this.#shadows && !one.isRigid) this.#shadows.add(fallen++, one.at);
    });
    // Those who are drawn together have their rows one after the other.
    let row = 0;
    for (const placed of this.#alone) {
      this.#merged!.set(this.#slots.get(placed.one.actor)!, row, placed.colour, placed.alpha);
      this.#write(placed, moment.index, row++);
    }
    this.#alone.length = 0;
    this.#merged?.finish();
    for (const batch of this.#batches.values()) {
      batch.finish(row);
      for (const placed of batch.members) this.#write(placed, moment.index, row++);
    }
    this.#shadows?.finish(fallen);
    this.#mark(moment);
    this.#send(row);
  }

  /** How the work on simplified bodies went, for tests. */
  get made(): { turns: number; most: number } {
    return this.#simple.done;
  }

  /** Who was drawn last: where their middle is in the space of the shot, and how tall and wide they are. */
  get present(): { object: number; middle: Vec3; tall: number; wide: number }[] {
    return this.#present.map((one) => this.#extent(one));
  }

  /** Rows that are in use go to the card, the others stay there as they were. */
  #send(rows: number): void {
    const image = this.#poses.image as { height: number };
    // The first time says how large the texture is.
    image.height = this.#isSent ? Math.max(1, rows) : this.#rows;
    this.#poses.needsUpdate = true;
  }

  /** All that was on the card is gone. */
  lost(): void {
    this.#isSent = false;
  }

  /** Who is there and in sight, the incident's own first; as many as there are rows. */
  #see({ incident, eye, index, sight }: Moment): void {
    const out: Present[] = [];
    this.drawn = { full: 0, simple: 0, pillar: 0, unseen: 0 };
    const { actors } = this.#shot;
    for (let i = 0; i < actors.length; i++) {
      const actor = actors[i]!;
      if (!this.#shot.isPresent(actor, index)) continue;
      const at: Vec3 = [0, 0, 0];
      this.#shot.rootInto(actor, index, at, 0);
      const isLookedAt = incident !== undefined && (incident.a === actor.object || incident.b === actor.object);
      // What is merged is in one piece on the card: leaving it out would mean to write that again.
      if (!isLookedAt && !this.#slots.has(i) && !isInSight(sight, at, this.#extents[i] ??= this.#shot.extent(actor))) {
        this.drawn.unseen++;
        continue;
      }
      const distance = Math.hypot(at[0] - eye[0], at[1] - eye[1], at[2] - eye[2]);
      const { triangles } = this.#sizes[actor.body]!;
      const isRigid = actor.cache !== undefined || this.#shot.directory.bodies[actor.body]!.skin === undefined;
      out.push({ actor: i, object: actor.object, at, distance, triangles, isLookedAt, isRigid });
    }
    if (out.length > this.#rows) {
      out.sort((p, q) => Number(q.isLookedAt) - Number(p.isLookedAt) || p.distance - q.distance);
      out.length = this.#rows;
    }
    this.#present = out;
  }

  /** What can be drawn now: who is to be simplified is a pillar until that is made. */
  #ready(actor: number, level: Detail): Detail {
    if (level !== "simple") return level;
    return this.#simple.get(this.#shot.actors[actor]!.body) ? "simple" : "pillar";
  }

  /** Who stands between the camera and the incident. */
  #inTheWay({ incident, eye, focus }: Moment): (one: Present) => boolean {
    if (!incident) return () => false;
    // Where the point was not asked for, the camera looks at the two.
    const spot = incident.point?.map((x, axis) => x - this.#shot.origin[axis]!) ?? focus;
    const [u, v] = this.#flat;
    // Seen from above: how far along the line of sight, and how far beside it.
    const [du, dv] = [spot[u]! - eye[u]!, spot[v]! - eye[v]!];
    const line = Math.hypot(du, dv) || 1;
    return ({ actor, at, isLookedAt }) => {
      if (isLookedAt) return false;
      const along = ((at[u]! - eye[u]!) * du + (at[v]! - eye[v]!) * dv) / line;
      if (along <= 0 || along >= 0.85 * line) return false;
      const beside = Math.abs((at[u]! - eye[u]!) * dv - (at[v]! - eye[v]!) * du) / line;
      const { wide, thin } = this.#size(actor);
      return beside < Math.min(wide, thin);
    };
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

  /** A row: the pose, and the colour. */
  #write({ one, level, colour, alpha }: Placed, frame: number, row: number): void {
    this.#pose(one, frame, row, level);
    const end = (row + 1) * this.#stride - 4;
    for (let i = 0; i < 3; i++) this.#matrices[end + i] = colour[i]!;
    this.#matrices[end + 3] = alpha;
    if (one.isLookedAt) this.#rowOf.set(one.object, row);
  }

  #pose({ actor: index, at }: Present, frame: number, row: number, level: Detail): void {
    const actor = this.#shot.actors[index]!;
    const m = row * this.#stride;
    if (level !== "pillar") {
      this.#shot.pose(actor, frame, this.#matrices, m);
      return;
    }
    // A pillar stands where the actor's first joint is; the others are not needed.
    this.#shot.stand(actor, frame, this.#matrices, m);
    const standing = moved(this.#matrices, m, ...this.#shot.standing(actor).root);
    for (let axis = 0; axis < 3; axis++) this.#matrices[m + 4 * axis + 3]! += at[axis]! - standing[axis]!;
  }

  /** Colour and opacity of an object. Colours are read once for a frame. */
  #painter({ incident, ghost, xray, colours, struck }: Moment): (object: number, isInTheWay: boolean) => [Rgb, number] {
    const unit = (hex: string): Rgb => rgb(hex).map((channel) => channel / 255) as Rgb;
    const [a, b, other] = [unit(colours.a), unit(colours.b), unit(colours.other)];
    // What is inside something is seen only through it.
    const own = xray || incident?.kind === "containment" || incident?.kind === "duplicate" ? ALPHA.xray : 1;
    return (object, isInTheWay) => {
      if (incident?.a === object) return [a, own];
      if (incident?.b === object) return [b, own];
      const alpha = (ghost && incident) || isInTheWay ? ALPHA.ghost : 1;
      // Beside the chosen incident, the others are grey: its own colours are taken.
      const hit = incident ? undefined : struck.get(object);
      if (hit !== undefined) return [scaled(colours, 0.25 + 0.75 * hit).match(/\d+/g)!.map((channel) => Number(channel) / 255) as Rgb, alpha];
      // A little lighter or darker from one to the next, so that people in a crowd come apart.
      const shade = 0.88 + 0.24 * (((object * 2654435761) % 1024) / 1024);
      return [[Math.min(1, other[0] * shade), Math.min(1, other[1] * shade), Math.min(1, other[2] * shade)], alpha];
    };
  }

  #batch(index: number, level: Detail, faint: boolean, frame: number): Batch<Placed> {
    const look = this.#looks[index]!;
    const key = ((level === "pillar" ? look.pillar : look.whole) * LEVELS.length + LEVELS.indexOf(level)) * 2 + Number(faint);
    const actor = this.#shot.actors[index]!;
    const isCached = actor.cache !== undefined;
    let batch = this.#batches.get(key);
    if (!batch) {
      const body = this.#shot.body(actor.body);
      const shape = level === "full" ? whole(body) : level === "simple" ? this.#simple.get(actor.body)! : pillar(this.#shot.standing(actor), this.#up);
      const flat = level === "pillar" || isCached || body.joints === 1;
      if (isCached) shape.positions = shape.positions.slice();
      batch = new Batch<Placed>(shape, this.#shared, { flat, faint }, faint ? 5 : 0);
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
  #mark({ incident, frame, index, colours }: Moment): void {
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
      const row = this.#rowOf.get(object);
      const actor = this.#shot.actors[this.#shot.actorOf(object) ?? -1];
      if (actor?.cache !== undefined) {
        const stored = this.#shot.cached(actor, index);
        if (stored) batch.setPositions(stored.positions);
      }
      if (row !== undefined) batch.members.push(object);
      batch.finish(row ?? 0, colour, i % 2 === 0 ? (isNow ? ALPHA.mark : ALPHA.oldMark) : isNow ? ALPHA.through : 0.08);
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
}

/** Whether any of a ball is in sight. */
function isInSight({ planes }: THREE.Frustum, [x, y, z]: Vec3, radius: number): boolean {
  for (const { normal, constant } of planes) if (normal.x * x + normal.y * y + normal.z * z + constant < -radius) return false;
  return true;
}

/** Who looks like whom, by number: see `#looks`. */
function looks(shot: Shot): { whole: number; pillar: number }[] {
  const bodies = shot.directory.bodies.length;
  const clips = shot.directory.clips.length + 1;
  return shot.actors.map((actor, i) => {
    const whole = actor.cache === undefined ? actor.body : bodies + i;
    return { whole, pillar: actor.body * clips + (actor.plays?.[0]?.clip ?? clips - 1) };
  });
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
