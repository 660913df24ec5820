/** What follows from the incidents: how bad each is, who is in it, which parts, which frames. Plain data in, plain data out. */
import type { Incident, PartPair, Report } from "./data.ts";
import { partLabel } from "./format.ts";

/** How bad, larger is worse, in the measure that the report ranks by. An incident that has none of it is 0. */
export function severity(report: Report, incident: Incident): number {
  switch (report.severity) {
    case "depth":
      return incident.depth ?? 0;
    case "length":
      return incident.length ?? 0;
    case "distance":
      return (report.asked.clearance ?? 0) - (incident.distance ?? 0);
    default:
      return incident.pairs;
  }
}

/** The same for one frame of it. Where frames have none of that measure, by pairs of triangles against those of the worst. */
export function severityAt(report: Report, incident: Incident, entry: Incident["series"][number]): number {
  if (report.severity === "depth" && entry[1] !== null) return entry[1];
  if (report.severity === "pairs") return entry[2];
  return incident.pairs > 0 ? (severity(report, incident) * entry[2]) / incident.pairs : severity(report, incident);
}

/** The first and the last frame that an entry of the series stands for. */
export function reach(report: Report, incident: Incident, at: number): [number, number] {
  const frame = incident.series[at]![0];
  const far = ((incident.series_every ?? 1) - 1) * report.frames.step;
  if (far === 0) return [frame, frame];
  // As far as half way to its neighbours, since it stands for frames around it that the series does not tell apart.
  const towards = (other: number | undefined, end: number): number => (other === undefined ? end : (frame + other) / 2);
  const from = Math.max(frame - far, towards(incident.series[at - 1]?.[0], incident.first));
  const to = Math.min(frame + far, towards(incident.series[at + 1]?.[0], incident.last));
  return [Math.min(frame, from), Math.max(frame, to)];
}

/** The entry that stands for a frame, if one does. */
export function entryAt(report: Report, incident: Incident, frame: number): Incident["series"][number] | undefined {
  const { series } = incident;
  // The first entry that is not before the frame. Where a series is thinned, the one before it may stand for the frame.
  let [low, high] = [0, series.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (series[middle]![0] < frame) low = middle + 1;
    else high = middle;
  }
  for (const at of [low - 1, low]) {
    if (!series[at]) continue;
    const [from, to] = reach(report, incident, at);
    if (frame >= from && frame <= to) return series[at];
  }
  return undefined;
}

/** Objects in contact in a frame, and how bad that is: the worst of their incidents there. */
export function struckAt(report: Report, frame: number): Map<number, number> {
  const out = new Map<number, number>();
  for (const incident of report.incidents) {
    if (frame < incident.first || frame > incident.last) continue;
    const entry = entryAt(report, incident, frame);
    if (!entry) continue;
    const bad = severityAt(report, incident, entry);
    for (const object of [incident.a, incident.b]) out.set(object, Math.max(bad, out.get(object) ?? 0));
  }
  return out;
}

export interface Filter {
  /** Words that must be in a name or a part. */
  text: string;
  /** Empty for all. */
  kind: string;
  /** At least so bad. */
  least: number;
  /** Only this object, or this pair. */
  objects: number[];
}

export const EVERYTHING: Filter = { text: "", kind: "", least: 0, objects: [] };

export type Order = "rank" | "first" | "longest" | "name";

/** All of the filter but its words. */
function matches(report: Report, incident: Incident, filter: Filter): boolean {
  if (filter.kind && incident.kind !== filter.kind) return false;
  if (filter.least > 0 && severity(report, incident) < filter.least) return false;
  for (const object of filter.objects) if (incident.a !== object && incident.b !== object) return false;
  if (filter.objects.length === 2 && filter.objects[0] === filter.objects[1] && incident.a !== incident.b) return false;
  return true;
}

/**
 * Whether a word is in a name, a part, the kind or the number of an incident. What is in the names of objects and parts is found out once, not for
 * every incident that they are in: a crowd has a thousand names and a hundred thousand meetings of parts.
 */
function wordFinder(report: Report, word: string): (incident: Incident) => boolean {
  const known = new Map<string, boolean>();
  const has = (name: string): boolean => {
    let found = known.get(name);
    if (found === undefined) known.set(name, (found = name.toLowerCase().includes(word)));
    return found;
  };
  const inName = report.objects.map(({ name }) => has(name));
  const inParts = report.objects.map(({ parts }) => parts.map(has));
  const hasPart = (object: number, part: number | null): boolean =>
    part !== null && (inParts[object]?.[part] ?? `part ${part}`.includes(word));
  return (incident) => {
    if (inName[incident.a] === true || inName[incident.b] === true || incident.kind.includes(word) || `#${incident.id}`.includes(word)) return true;
    for (const { a, b } of incident.parts) if (hasPart(incident.a, a) || hasPart(incident.b, b)) return true;
    return false;
  };
}

/** Those that match, in order; the report's own order breaks ties. */
export function chosen(report: Report, filter: Filter, order: Order): Incident[] {
  const finders = filter.text.toLowerCase().split(/\s+/).filter(Boolean).map((word) => wordFinder(report, word));
  const found = report.incidents.filter((incident) => matches(report, incident, filter) && finders.every((finds) => finds(incident)));
  if (order === "first") found.sort((p, q) => p.first - q.first);
  if (order === "longest") found.sort((p, q) => q.frames - p.frames);
  if (order === "name") {
    const place = placesByName(report);
    found.sort((p, q) => place[p.a]! - place[q.a]! || place[p.b]! - place[q.b]!);
  }
  return found;
}

/** Where each object is among all by name, the same for equal names: names are compared once for each, and not for each two incidents. */
function placesByName(report: Report): number[] {
  const { compare } = new Intl.Collator("en", { numeric: true });
  const order = report.objects.map((_, object) => object).sort((p, q) => compare(report.objects[p]!.name, report.objects[q]!.name));
  const place: number[] = [];
  order.forEach((object, i) => {
    const before = order[i - 1];
    place[object] = before !== undefined && compare(report.objects[before]!.name, report.objects[object]!.name) === 0 ? place[before]! : i;
  });
  return place;
}

export interface PairRow {
  a: number;
  b: number;
  incidents: Incident[];
  worst: number;
  frames: number;
}

/** Incidents by pair, the worst pair first. */
export function byPair(report: Report, incidents: readonly Incident[]): PairRow[] {
  const rows = new Map<number, PairRow>();
  for (const incident of incidents) {
    const [a, b] = incident.a <= incident.b ? [incident.a, incident.b] : [incident.b, incident.a];
    const key = a * report.objects.length + b;
    let row = rows.get(key);
    if (!row) rows.set(key, (row = { a, b, incidents: [], worst: 0, frames: 0 }));
    row.incidents.push(incident);
    row.worst = Math.max(row.worst, severity(report, incident));
    row.frames += incident.frames;
  }
  return [...rows.values()].sort((p, q) => q.worst - p.worst || p.incidents[0]!.id - q.incidents[0]!.id);
}

/** Objects that are in an incident, those in the most first. */
export function involved(report: Report): number[] {
  const times = new Map<number, number>();
  for (const { a, b } of report.incidents) {
    times.set(a, (times.get(a) ?? 0) + 1);
    if (b !== a) times.set(b, (times.get(b) ?? 0) + 1);
  }
  return [...times].sort((p, q) => q[1] - p[1] || p[0] - q[0]).map(([object]) => object);
}

/** For each frame that was examined: the worst, and how many incidents. */
export function perFrame(report: Report, incidents: readonly Incident[] = report.incidents): { worst: Float64Array; open: Uint32Array } {
  const { first, step, count } = report.frames;
  const worst = new Float64Array(count);
  const open = new Uint32Array(count);
  for (const incident of incidents) {
    let done = -1;
    const isThin = (incident.series_every ?? 1) > 1;
    incident.series.forEach((entry, i) => {
      const [from, to] = isThin ? reach(report, incident, i) : [entry[0], entry[0]];
      for (let index = Math.max(done + 1, Math.ceil((from - first) / step)); index <= Math.min(count - 1, Math.floor((to - first) / step)); index++) {
        worst[index] = Math.max(worst[index]!, severityAt(report, incident, entry));
        open[index]!++;
        done = index;
      }
    });
  }
  return { worst, open };
}

export interface PartHeat {
  part: string;
  incidents: number;
  /** Each frame once; of whole incidents where parts are not counted by themselves. */
  frames: number;
  pairs: number;
  /** The deepest; null where no depth is known. */
  depth: number | null;
  worst: Incident;
}

/** Numbers for the names of parts, equal for equal names; 0 is that of no part at all. */
interface PartIds {
  names: string[];
  of: (object: number, part: number | null) => number;
}

const partIdsOf = new WeakMap<Report, PartIds>();

function partIds(report: Report): PartIds {
  const known = partIdsOf.get(report);
  if (known) return known;
  const names = [""];
  const ids = new Map<string, number>([["", 0]]);
  const id = (name: string): number => {
    let found = ids.get(name);
    if (found === undefined) {
      ids.set(name, (found = names.length));
      names.push(name);
    }
    return found;
  };
  const table = report.objects.map(({ parts }, object) => parts.map((_, part) => id(partLabel(report, object, part))));
  const made: PartIds = { names, of: (object, part) => (part === null ? 0 : (table[object]?.[part] ?? id(partLabel(report, object, part)))) };
  partIdsOf.set(report, made);
  return made;
}

/** The frames in which two parts of an incident meet; all of the incident's where the report does not say. */
function spansOf(incident: Incident, pair: PartPair): readonly number[] {
  if (pair.spans) return pair.spans;
  return incident.frames > 0 ? [incident.first, incident.last] : [];
}

/** How many examined frames are in spans that may overlap: first, last, first, last, … */
export function framesIn(report: Report, spans: readonly number[]): number {
  const order = Array.from({ length: spans.length >> 1 }, (_, i) => i).sort((p, q) => spans[2 * p]! - spans[2 * q]!);
  let [count, done] = [0, -Infinity];
  for (const i of order) {
    const [first, last] = [Math.max(spans[2 * i]!, done + report.frames.step), spans[2 * i + 1]!];
    if (last < first) continue;
    count += Math.floor((last - first) / report.frames.step) + 1;
    done = last;
  }
  return count;
}

/** Body parts by name, over all objects or for one of them; those in the most frames first. */
export function partHeat(report: Report, incidents: readonly Incident[], only: number | null): PartHeat[] {
  const { names, of } = partIds(report);
  const heat = new Map<number, PartHeat>();
  const spans = new Map<number, number[]>();
  for (const incident of incidents) {
    const seen = new Set<number>();
    const add = (object: number, index: number | null, pair: PartPair, depth: number | null): void => {
      if (index === null || (only !== null && object !== only)) return;
      const part = of(object, index);
      let sum = heat.get(part);
      if (!sum) {
        heat.set(part, (sum = { part: names[part]!, incidents: 0, frames: 0, pairs: 0, depth: null, worst: incident }));
        spans.set(part, []);
      }
      const deepest = deeper(sum.depth, depth);
      if (deepest !== sum.depth) sum.worst = incident;
      sum.depth = deepest;
      if (!seen.has(part)) sum.incidents++;
      seen.add(part);
      sum.pairs += pair.pairs;
      const own = spans.get(part)!;
      for (const end of spansOf(incident, pair)) own.push(end);
    };
    incident.parts.forEach((pair, rank) => {
      const depth = pair.depth ?? (rank === 0 ? incident.depth : null);
      add(incident.a, pair.a, pair, depth);
      add(incident.b, pair.b, pair, depth);
    });
  }
  for (const [part, sum] of heat) sum.frames = framesIn(report, spans.get(part)!);
  return [...heat.values()].sort((p, q) => q.frames - p.frames || p.part.localeCompare(q.part, "en"));
}

/** Two parts that meet, whichever comes first. */
export interface Meeting {
  /** Names of two parts, in the order of the alphabet; one of them empty where parts are not told apart. */
  names: [string, string];
  incidents: number;
  frames: number;
  pairs: number;
  depth: number | null;
  worst: Incident;
}

/** Which parts meet which, by name; those that do in the most frames first. */
export function partMeetings(report: Report, incidents: readonly Incident[], only: number | null): Meeting[] {
  const { names, of } = partIds(report);
  // No part at all comes last, and equal numbers are equal names.
  const isFirst = (p: number, q: number): boolean => (p === 0) !== (q === 0) ? q === 0 : names[p]! <= names[q]!;
  const found = new Map<number, Meeting>();
  const spans = new Map<number, number[]>();
  for (const incident of incidents) {
    if (only !== null && incident.a !== only && incident.b !== only) continue;
    incident.parts.forEach((pair, rank) => {
      const [p, q] = [of(incident.a, pair.a), of(incident.b, pair.b)];
      const [one, other] = isFirst(p, q) ? [p, q] : [q, p];
      // As many numbers as there can be names, so that no two pairs are one.
      const key = one * 2 ** 26 + other;
      let sum = found.get(key);
      if (!sum) {
        found.set(key, (sum = { names: [names[one]!, names[other]!], incidents: 0, frames: 0, pairs: 0, depth: null, worst: incident }));
        spans.set(key, []);
      }
      const deepest = deeper(sum.depth, pair.depth ?? (rank === 0 ? incident.depth : null));
      if (deepest !== sum.depth) sum.worst = incident;
      sum.depth = deepest;
      sum.incidents++;
      sum.pairs += pair.pairs;
      const own = spans.get(key)!;
      for (const end of spansOf(incident, pair)) own.push(end);
    });
  }
  for (const [key, sum] of found) sum.frames = framesIn(report, spans.get(key)!);
  return [...found.values()].sort((p, q) => q.frames - p.frames);
}

/** Whether the report says in how many frames each part meets; if not, frames of parts are those of whole incidents. */
export function countsPartFrames(report: Report): boolean {
  return report.incidents.some((incident) => incident.parts.some((part) => part.spans !== undefined));
}

function deeper(p: number | null, q: number | null): number | null {
  if (p === null || q === null) return p ?? q;
  return Math.max(p, q);
}

/** Where a part is on a figure, by its name as rigs call it; undefined if that does not say. */
export function region(name: string): string | undefined {
  const plain = name.replace(/^.*[:|/]/, "").replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  const words = plain.split(/[^a-z]+/).filter(Boolean);
  const has = (...ends: string[]): boolean => ends.some((end) => plain.replace(/[^a-z]/g, "").includes(end));
  const side = has("left") || words.includes("l") ? "left" : has("right") || words.includes("r") ? "right" : "";
  const on = (place: string): string | undefined => (side ? `${side}-${place}` : undefined);
  if (has("hand", "wrist", "finger", "thumb", "index", "pinky", "palm")) return on("hand");
  if (has("forearm", "lowerarm", "elbow")) return on("forearm");
  if (has("shoulder", "clavicle", "collar", "upperarm")) return on("arm");
  if (has("foot", "toe", "ankle", "heel")) return on("foot");
  if (has("upleg", "upperleg", "thigh", "hip") && side) return on("thigh");
  if (has("shin", "calf", "lowerleg", "knee")) return on("shin");
  if (has("leg")) return on("shin");
  if (has("arm")) return on("arm");
  if (has("head", "jaw", "eye", "face", "skull")) return "head";
  if (has("neck")) return "neck";
  if (has("chest", "thorax", "torso", "breast", "rib", "spine2", "spine3") || /spine.?[23]/.test(plain)) return "chest";
  if (has("spine", "abdomen", "belly", "waist", "stomach", "back")) return "belly";
  if (has("hips", "pelvis", "hip", "root", "buttock")) return "hips";
  return undefined;
}
