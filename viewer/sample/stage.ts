/** Puts people and things on a stage, and takes down what the page needs of them. */
import { gzipSync } from "node:zlib";
import { ContainerWriter } from "../src/container.ts";
import type { Actor, Body, Clip, Incident, Mark, ObjectInfo, Report, Vec3 } from "../src/data.ts";
import { SCHEMA_VERSION } from "../src/data.ts";
import { boxOf, quantisePoints, quantiseRotation, quantiseTurn } from "../src/quantise.ts";
import { Shot } from "../src/shot.ts";
import type { Capsule } from "./contact.ts";
import { contact, incidentsOf, ranked, trianglesIn } from "./contact.ts";
import { about } from "./math.ts";
import { BONES, capsules, personMesh, talking, walking } from "./person.ts";
import type { BodyArrays, Posed } from "./person.ts";

export interface Sample {
  report: Report;
  /** The container before gzip, if there is something to play. */
  shot?: Uint8Array;
}

/** Someone on the stage: where they are in each frame, and how they are posed. */
export interface Walker {
  name: string;
  body: number;
  clip: number;
  place: (frame: number) => Vec3;
  /** A turn to the left about Y. */
  turn: (frame: number) => number;
  /** The sample of the clip. */
  sample: (frame: number) => number;
  stout?: number;
}

const TRIANGLES = personMesh().indices.length / 3;
const SAMPLES = 32;
const UNIT = 1 / 64;

export class Stage {
  readonly writer = new ContainerWriter();
  readonly bodies: Body[] = [];
  readonly clips: Clip[] = [];
  readonly actors: Actor[] = [];
  readonly objects: ObjectInfo[] = [];
  readonly caches: NonNullable<Parameters<ContainerWriter["finish"]>[0]["caches"]> = [];
  readonly marks: Mark[] = [];
  readonly #poses: Posed[][] = [];
  readonly #walkers: { walker: Walker; object: number }[] = [];

  readonly frames: number;
  /** The number of the first frame; functions of frames are given indices from 0. */
  readonly first: number;

  constructor(frames: number, first = 0) {
    this.frames = frames;
    this.first = first;
  }

  mesh(name: string, mesh: { positions: number[]; indices: number[] }, skin?: BodyArrays): number {
    const at = `body/${this.bodies.length}`;
    const box = boxOf(mesh.positions);
    const vertices = mesh.positions.length / 3;
    const body: Body = {
      name,
      box,
      positions: this.writer.add(`${at}/positions`, quantisePoints(mesh.positions, box)),
      indices: this.writer.add(`${at}/indices`, vertices < 65536 ? Uint16Array.from(mesh.indices) : Uint32Array.from(mesh.indices)),
    };
    if (skin) {
      body.skin = {
        parents: this.writer.add(`${at}/parents`, Int16Array.from(BONES, (bone) => bone.parent)),
        rest: this.writer.add(`${at}/rest`, Float32Array.from(BONES.flatMap((bone) => bone.head))),
        influences: 2,
        joints: this.writer.add(`${at}/joints`, Uint8Array.from(skin.joints)),
        weights: this.writer.add(`${at}/weights`, Uint8Array.from(skin.weights)),
      };
    }
    return this.bodies.push(body) - 1;
  }

  person(name: string, stout = 1): number {
    const mesh = personMesh(stout);
    return this.mesh(name, mesh, mesh);
  }

  /** A clip of one cycle. */
  clip(name: "walk" | "talk"): number {
    const poses = Array.from({ length: SAMPLES }, (_, i) => (name === "walk" ? walking : talking)(i / SAMPLES));
    return this.poses(name, poses, true);
  }

  poses(name: string, poses: Posed[], wraps: boolean): number {
    const at = `clip/${this.clips.length}`;
    const points = poses.flatMap((pose) => pose.positions.flat());
    const box = boxOf(points);
    const rotations = new Int16Array(3 * poses.length * BONES.length);
    poses.forEach((pose, s) => pose.rotations.forEach((q, j) => quantiseRotation(q, rotations, 3 * (s * BONES.length + j))));
    this.#poses.push(poses);
    const clip: Clip = {
      name,
      joints: BONES.length,
      samples: poses.length,
      wraps,
      rotations: this.writer.add(`${at}/rotations`, rotations),
      positions: this.writer.add(`${at}/positions`, quantisePoints(points, box), 3 * BONES.length),
      box,
    };
    return this.clips.push(clip) - 1;
  }

  walker(walker: Walker): number {
    const object = this.objects.push({
      name: walker.name,
      kind: "character",
      triangles: TRIANGLES,
      parts: BONES.map((bone) => bone.name),
      closed: true,
    }) - 1;
    const at = `actor/${this.actors.length}`;
    const each = <T>(what: (frame: number) => T): T[] => Array.from({ length: this.frames }, (_, frame) => what(frame));
    const places = each(walker.place).flat();
    const box = boxOf(places);
    const samples = each((frame) => Math.round(mod(walker.sample(frame), SAMPLES) / UNIT) & 0xffff);
    this.actors.push({
      object,
      body: walker.body,
      place: { array: this.writer.add(`${at}/places`, quantisePoints(places, box), 3), box },
      turn: { array: this.writer.add(`${at}/turns`, Uint16Array.from(each((f) => quantiseTurn(walker.turn(f)))), 1), about: "up" },
      plays: [{
        clip: walker.clip, from: 0, sample: 0, rate: 0,
        samples: this.writer.add(`${at}/samples`, Uint16Array.from(samples), 1), unit: UNIT,
      }],
    });
    this.#walkers.push({ walker, object });
    return object;
  }

  /** Something rigid that stands still. */
  thing(name: string, kind: ObjectInfo["kind"], body: number, triangles: number, place: Vec3, turn?: [number, number, number, number]): number {
    const object = this.objects.push({ name, kind, triangles, parts: [], closed: true }) - 1;
    this.actors.push({ object, body, place, ...(turn ? { turn } : {}) });
    return object;
  }

  /** A walker's capsules in a frame; poses between samples are those of the nearest one. */
  capsulesOf(index: number, frame: number): Capsule[] {
    const { walker } = this.#walkers[index]!;
    const poses = this.#poses[walker.clip]!;
    const pose = poses[Math.round(mod(walker.sample(frame), poses.length)) % poses.length]!;
    return capsules(pose, walker.place(frame), about([0, 1, 0], walker.turn(frame)), walker.stout ?? 1);
  }

  /** Who meets whom, of all walkers, by pairs that come nearer than 0.75 m. */
  incidents(): Incident[] {
    const contacts = new Map<string, ReturnType<typeof contact>[]>();
    const n = this.#walkers.length;
    for (let frame = 0; frame < this.frames; frame++) {
      const places = this.#walkers.map(({ walker }) => walker.place(frame));
      const cells = new Map<number, number[]>();
      const cell = (p: Vec3, dx = 0, dz = 0): number => (Math.floor(p[0] / 0.75) + dx) * 100_003 + Math.floor(p[2] / 0.75) + dz;
      places.forEach((p, i) => (cells.get(cell(p)) ?? cells.set(cell(p), []).get(cell(p))!).push(i));
      const known = new Map<number, Capsule[]>();
      const posed = (i: number): Capsule[] => known.get(i) ?? known.set(i, this.capsulesOf(i, frame)).get(i)!;
      for (let i = 0; i < n; i++) {
        for (const [dx, dz] of NEAR) {
          for (const j of cells.get(cell(places[i]!, dx, dz)) ?? []) {
            if (j <= i || Math.hypot(places[i]![0] - places[j]![0], places[i]![2] - places[j]![2]) > 0.75) continue;
            const met = contact(this.first + frame, posed(i), posed(j));
            if (!met) continue;
            const key = `${i} ${j}`;
            (contacts.get(key) ?? contacts.set(key, []).get(key)!).push(met);
          }
        }
      }
    }
    return [...contacts].flatMap(([key, list]) => {
      const [i, j] = key.split(" ").map(Number) as [number, number];
      return incidentsOf(this.#walkers[i]!.object, this.#walkers[j]!.object, list as never);
    });
  }

  /** The container, with the triangles in contact of walkers for the first incidents. */
  finish(incidents: Incident[], most = 200, rest: { up?: "x" | "y" | "z"; ground?: number } = {}): Uint8Array {
    const { up = "y", ground } = rest;
    const content = { bodies: this.bodies, clips: this.clips, caches: this.caches, actors: this.actors, marks: this.marks, ...(ground === undefined ? {} : { ground }) };
    const draft = this.writer.finish(content);
    const shot = new Shot(draft.buffer as ArrayBuffer, this.frames, up);
    for (const one of incidents.slice(0, most)) {
      const [a, b] = [one.a, one.b].map((object) => this.#walkers.findIndex((w) => w.object === object));
      if (a! < 0 || b! < 0) continue;
      const frame = one.worst - this.first;
      const side = (object: number, other: number): Uint32Array => {
        const actor = shot.actors[shot.actorOf(object)!]!;
        return trianglesIn(posedPoints(shot, object, frame), shot.body(actor.body).indices, this.capsulesOf(other, frame));
      };
      this.marks.push({
        incident: one.id,
        frame: one.worst,
        a: this.writer.add(`mark/${one.id}/a`, side(one.a, b!)),
        b: this.writer.add(`mark/${one.id}/b`, side(one.b, a!)),
      });
    }
    return this.writer.finish(content);
  }

  /** A report about what is on the stage. */
  report(incidents: Incident[], change: Partial<Report> = {}): Report {
    const n = this.objects.length;
    return {
      schema_version: SCHEMA_VERSION,
      program_version: "0.1.0",
      command: "elbowroom check shot.glb --depth -o report.html",
      complete: true,
      files: [{ path: "shot.glb", status: "ok" }],
      frames: { first: this.first, last: this.first + this.frames - 1, step: 1, count: this.frames },
      fps: 30,
      unit: "m",
      up: "y",
      asked: { mode: "solid", touching: "count", clearance: null, depth: DEPTH, gap: 2 },
      severity: "depth",
      counts: {
        frames_examined: this.frames,
        pairs_examined: ((n * (n - 1)) / 2) * this.frames,
        contacts: incidents.reduce((sum, one) => sum + one.frames, 0),
      },
      objects: this.objects,
      incidents: ranked(incidents),
      notes: [],
      ...change,
    };
  }
}

const NEAR: [number, number][] = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dz) => [dx, dz] as [number, number]));
export const DEPTH = "the farthest that a point of one boundary lies inside the other solid, measured to that solid's boundary";
export const mod = (a: number, n: number): number => ((a % n) + n) % n;

/** An actor's vertices in the world. */
export function posedPoints(shot: Shot, object: number, frame: number): Float32Array {
  const actor = shot.actors[shot.actorOf(object)!]!;
  const body = shot.body(actor.body);
  const matrices = new Float32Array(12 * body.joints);
  shot.pose(actor, frame, matrices, 0);
  const out = new Float32Array(body.positions.length);
  for (let v = 0; v < out.length / 3; v++) {
    for (let k = 0; k < 4; k++) {
      const weight = body.skinWeights[4 * v + k]!;
      const m = 12 * body.skinJoints[4 * v + k]!;
      for (let row = 0; row < 3 && weight > 0; row++) {
        const r = m + 4 * row;
        out[3 * v + row]! +=
          weight *
          (matrices[r]! * body.positions[3 * v]! + matrices[r + 1]! * body.positions[3 * v + 1]! +
            matrices[r + 2]! * body.positions[3 * v + 2]! + matrices[r + 3]!);
      }
    }
  }
  return out;
}

/** The page with a sample in it: what a writer does, step by step (docs/report-data.md). */
export function written(page: string, sample: Sample): string {
  const [before, after] = page.split("<!--elbowroom:data-->") as [string, string];
  const summary = JSON.stringify(sample.report).replaceAll("<", "\\u003c");
  let out = `${before}<script type="application/json" id="report">${summary}</script>`;
  if (sample.shot) {
    const packed = gzipSync(sample.shot, { level: 9 }).toString("base64");
    out += `\n<script type="application/octet-stream" id="shot">${packed}</script>`;
  }
  return out + after;
}
