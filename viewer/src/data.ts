/**
 * What a report holds, as types: the contract between the program that writes it and this page that shows it.
 * docs/report-data.md says the same in words, and how the two parts are put into the page.
 *
 * Lengths and points are in `unit`, frames are integers, times are seconds. Fields may be added without a new version; a reader
 * ignores what it does not know.
 */

/** Which versions this page reads. */
export const SCHEMA_VERSION = 1;
export const SHOT_VERSION = 1;

export type Vec3 = [number, number, number];
/** A unit quaternion, x y z w. */
export type Quat = [number, number, number, number];

/** The summary: JSON in `<script type="application/json" id="report">`. */
export interface Report {
  schema_version: number;
  /** Version of the program that wrote it, "0.4.0". */
  program_version: string;
  /** As it was typed. */
  command: string;
  /** What the shot is called; the page takes the first file if it is left out. */
  title?: string;
  /** Whether all that was asked was examined. `false`: interrupted, or something could not be read; `notes` say what. */
  complete: boolean;
  files: InputFile[];
  frames: FrameRange;
  /** Frames in a second; null where frames have no time. */
  fps: number | null;
  /** The unit of all lengths and points: "m", "mm", …; null where it is not known. */
  unit: string | null;
  /** The unit of the other outputs of the same check, which lengths are first shown in. */
  report_unit?: string | null;
  up: "x" | "y" | "z";
  asked: Asked;
  /** What `incidents` are ranked by. */
  severity: "depth" | "pairs" | "length" | "distance";
  counts: Counts;
  objects: ObjectInfo[];
  /** The worst first. */
  incidents: Incident[];
  notes: Note[];
}

export interface InputFile {
  path: string;
  status: "ok" | "error";
  /** What was wrong, and what to do. */
  error?: string;
}

/** `first`, `first + step`, … up to `last`: `count` of them. One still moment is 0, 0, 1, 1. */
export interface FrameRange {
  first: number;
  last: number;
  step: number;
  count: number;
  /** The number of the frame at time 0; 0 if left out. */
  zero?: number;
}

export interface Asked {
  mode: "surface" | "solid";
  touching: "count" | "ignore";
  /** How near is too near; null if it was not asked. */
  clearance: number | null;
  /** What `depth` means, in words; null if depth was not asked. */
  depth: string | null;
  /** Frames without contact that do not end an incident. */
  gap?: number;
}

export interface Counts {
  frames_examined: number;
  /** Pairs of objects, once a frame. */
  pairs_examined: number;
  /** Of them, those that are in contact. */
  contacts: number;
}

export interface ObjectInfo {
  name: string;
  /** The file it comes from; left out for what was made. */
  path?: string;
  kind: "character" | "robot" | "model" | "cache";
  triangles: number;
  /** Names of its body parts; empty where parts are not told apart. */
  parts: string[];
  /** What people call these parts: without namespaces such as `mixamorig:`; left out where that is their name. */
  part_labels?: string[];
  /** Where it is known: whether its mesh encloses a solid. */
  closed?: boolean;
}

export type Kind = "duplicate" | "containment" | "crossing" | "touching" | "clearance" | "passing";

/** Two objects that are in contact over some frames. */
export interface Incident {
  /** Unlike that of any other incident; deep links name it. */
  id: number;
  /** Indices of `objects`; equal for an object with itself. */
  a: number;
  b: number;
  /** At the worst frame. `passing`: only between frames. */
  kind: Kind;
  /** Frame numbers. */
  first: number;
  last: number;
  worst: number;
  /** In how many frames they are in contact: all from `first` to `last` but for gaps. */
  frames: number;
  /** At the worst frame; null if it was not asked or is not known. */
  depth: number | null;
  /** Pairs of triangles that meet at the worst frame. */
  pairs: number;
  /** With clearance: how far apart at the worst frame; below 0 inside. */
  distance?: number | null;
  /** For `severity` "length": of the contact curve at the worst frame. */
  length?: number | null;
  /** "exact", or "estimate: " and why. */
  certainty?: string;
  /** Which parts meet: first those that do the most at the worst frame, then the others by `pairs`. */
  parts: PartPair[];
  /** At the worst frame, and a unit vector there from `a` towards `b`. */
  point: Vec3 | null;
  normal: Vec3 | null;
  /** Frame, depth, pairs of triangles; by frame, only frames in contact. */
  series: [frame: number, depth: number | null, pairs: number][];
  /** Of a long incident: how many examined frames an entry of the series stands for, the worst of them; 1 if left out. */
  series_every?: number;
}

export interface PartPair {
  /** Indices of the objects' `parts`; null where that object's parts are not told apart. */
  a: number | null;
  b: number | null;
  /** Pairs of triangles, over all frames of the incident or at its worst one: the same for all parts of a report. */
  pairs: number;
  /** The frames of the incident in which these parts meet: first and last of each span; all of the incident's if left out. */
  spans?: number[];
  /** The deepest that these parts were in each other; that of the incident for the first entry if left out. */
  depth?: number | null;
}

export interface Note {
  kind: "warning" | "open-mesh" | "estimate" | "unreadable" | "interrupted" | "other";
  text: string;
  /** Indices of the objects it is about. */
  objects?: number[];
}

// The shot: what the 3-D view plays. A container of typed arrays, gzip, base64, in `<script type="application/octet-stream" id="shot">`.

export type ArrayType = "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "f32";

/** The name of an array of the container. */
export type ArrayName = string;

export interface ArrayEntry {
  type: ArrayType;
  /** Bytes from the beginning of the data, a multiple of 4. */
  at: number;
  /** How many numbers. */
  length: number;
  /**
   * If there: each number from the `delta`-th on is stored as the difference from the one `delta` places before, wrapping around in its type.
   * Integers only.
   */
  delta?: number;
}

export interface Directory {
  version: number;
  arrays: Record<ArrayName, ArrayEntry>;
  bodies: Body[];
  clips: Clip[];
  caches?: Cache[];
  actors: Actor[];
  marks?: Mark[];
  /** Height of a floor to draw; left out for none. */
  ground?: number;
}

/** How u16 numbers are points: `min + step * q`, by axis. */
export interface Box {
  min: Vec3;
  step: Vec3;
}

/** A mesh, and what it hangs on. Shared by all who look like it. */
export interface Body {
  name: string;
  box: Box;
  /** u16, x y z of each vertex, as bound. */
  positions: ArrayName;
  /** u16 or u32, three to a triangle, in the order in which triangles are numbered. */
  indices: ArrayName;
  /** Left out: rigid, one joint at the origin. */
  skin?: BodySkin;
}

export interface BodySkin {
  /** i16, the parent of each joint, −1 for a root; parents come first. */
  parents: ArrayName;
  /** f32, x y z: where each joint is as bound. */
  rest: ArrayName;
  /** How many joints hold a vertex, 1 to 4. */
  influences: number;
  /** u8 or u16, `influences` for each vertex. */
  joints: ArrayName;
  /** u8 or u16, `influences` for each vertex; their sum is taken as one. Left out if `influences` is 1. */
  weights?: ArrayName;
}

/** Poses of a body one after the other. A vertex v of joint j goes to rotation_j · scale_j · (v − rest_j) + position_j. */
export interface Clip {
  name: string;
  joints: number;
  samples: number;
  /** After the last sample comes the first again; else the last one holds. */
  wraps: boolean;
  /** i16, three for each joint of each sample: smallest three. */
  rotations: ArrayName;
  /** u16, x y z for each joint of each sample: where the joint is, in the space of the body. */
  positions: ArrayName;
  box: Box;
  /** f32, one for each joint of each sample: how much larger than bound; 1 if left out. */
  scales?: ArrayName;
}

/** Vertices over time, for bodies that no joints move; only the frames that are needed. */
export interface Cache {
  body: number;
  runs: CacheRun[];
}

export interface CacheRun {
  /** The index of its first frame, and how many. */
  first: number;
  count: number;
  box: Box;
  /** u16, x y z of each vertex of each frame. */
  positions: ArrayName;
}

/** An object in the shot. Frames here are indices: 0 is `frames.first`, 1 is `frames.first + frames.step`, … */
export interface Actor {
  /** Index of the report's `objects`; at most one actor each. */
  object: number;
  body: number;
  /** If there, its vertices come from this cache where that has them. */
  cache?: number;
  /** In which frames it is there; all if left out. */
  first?: number;
  count?: number;
  scale?: number;
  place: Vec3 | PlaceTrack;
  /** None if left out. */
  turn?: Quat | TurnTrack;
  /** What it plays, by `from`; as bound if left out. */
  plays?: Play[];
}

export interface PlaceTrack {
  /** u16, x y z for each frame in which the actor is there. */
  array: ArrayName;
  box: Box;
}

export interface TurnTrack {
  /** `up`: u16, to the left about the up axis, 65536 a full turn. `any`: i16, smallest three. One for each frame in which the actor is there. */
  array: ArrayName;
  about: "up" | "any";
}

/** A clip from a frame on. The sample may lie between two. */
export interface Play {
  clip: number;
  /** The first frame that plays it. */
  from: number;
  /** The sample at `from`, and how many more each frame. */
  sample: number;
  rate: number;
  /** Instead of `sample` and `rate`: u16, for each frame from `from` on as long as the actor is there; in units of `unit` samples. */
  samples?: ArrayName;
  unit?: number;
}

/** Which triangles are in contact in a frame of an incident; at least in its worst one. */
export interface Mark {
  incident: number;
  /** A frame number. */
  frame: number;
  /** u32, numbers of triangles of `a` and of `b`. */
  a: ArrayName;
  b: ArrayName;
}
