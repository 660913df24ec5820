/** What follows from the incidents: how bad each is, who is in it, which parts, which frames. Plain data in, plain data out. */
import type { Incident, Report } from "./data.ts";

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
  const at = incident.series.findIndex((_, i) => {
    const [from, to] = reach(report, incident, i);
    return frame >= from && frame <= to;
  });
  return incident.series[at];
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

export function matches(report: Report, incident: Incident, filter: Filter): boolean {
  if (filter.kind && incident.kind !== filter.kind) return false;
  if (filter.least > 0 && severity(report, incident) < filter.least) return false;
  for (const object of filter.objects) if (incident.a !== object && incident.b !== object) return false;
  if (filter.objects.length === 2 && filter.objects[0] === filter.objects[1] && incident.a !== incident.b) return false;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const names = [report.objects[incident.a]?.name, report.objects[incident.b]?.name, incident.kind, `#${incident.id}`];
  for (const part of incident.parts) {
    names.push(partName(report, incident.a, part.a), partName(report, incident.b, part.b));
  }
  const all = names.join("\n").toLowerCase();
  return words.every((word) => all.includes(word));
}

/** Those that match, in order; the report's own order breaks ties. */
export function chosen(report: Report, filter: Filter, order: Order): Incident[] {
  const found = report.incidents.filter((incident) => matches(report, incident, filter));
  const name = (incident: Incident): string => `${report.objects[incident.a]?.name}\n${report.objects[incident.b]?.name}`;
  if (order === "first") found.sort((p, q) => p.first - q.first);
  if (order === "longest") found.sort((p, q) => q.frames - p.frames);
  if (order === "name") found.sort((p, q) => name(p).localeCompare(name(q), "en", { numeric: true }));
  return found;
}

export interface PairRow {
  a: number;
  b: number;
  incidents: Incident[];
  worst: number;
  frames: number;
}

/** Incidents by pair, the worst pair first. */
export function byPair(report: Report, incidents: Incident[]): PairRow[] {
  const rows = new Map<string, PairRow>();
  for (const incident of incidents) {
    const [a, b] = incident.a <= incident.b ? [incident.a, incident.b] : [incident.b, incident.a];
    const key = `${a} ${b}`;
    const row = rows.get(key) ?? { a, b, incidents: [], worst: 0, frames: 0 };
    row.incidents.push(incident);
    row.worst = Math.max(row.worst, severity(report, incident));
    row.frames += incident.frames;
    rows.set(key, row);
  }
  return [...rows.values()].sort((p, q) => q.worst - p.worst || p.incidents[0]!.id - q.incidents[0]!.id);
}

/** Objects that are in an incident, those in the most first. */
export function involved(report: Report): number[] {
  const times = new Map<number, number>();
  for (const { a, b } of report.incidents) for (const object of new Set([a, b])) times.set(object, (times.get(object) ?? 0) + 1);
  return [...times].sort((p, q) => q[1] - p[1] || p[0] - q[0]).map(([object]) => object);
}

/** For each frame that was examined: the worst, and how many incidents. */
export function perFrame(report: Report, incidents: Incident[] = report.incidents): { worst: Float64Array; open: Uint32Array } {
  const { first, step, count } = report.frames;
  const worst = new Float64Array(count);
  const open = new Uint32Array(count);
  for (const incident of incidents) {
    let done = -1;
    incident.series.forEach((entry, i) => {
      const [from, to] = reach(report, incident, i);
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
  /** Of the incident where parts are not counted by themselves. */
  frames: number;
  pairs: number;
  /** The deepest; null where no depth is known. */
  depth: number | null;
  worst: Incident;
}

/** Body parts by name, over all objects or for one of them; those in the most frames first. */
export function partHeat(report: Report, incidents: Incident[], only: number | null): PartHeat[] {
  const heat = new Map<string, PartHeat>();
  for (const incident of incidents) {
    const seen = new Map<string, { frames: number; pairs: number; depth: number | null }>();
    incident.parts.forEach((pair, rank) => {
      const depth = pair.depth ?? (rank === 0 ? incident.depth : null);
      const frames = pair.frames ?? incident.frames;
      for (const [object, index] of [[incident.a, pair.a], [incident.b, pair.b]] as const) {
        if (index === null || (only !== null && object !== only)) continue;
        const name = partName(report, object, index);
        const known = seen.get(name) ?? { frames: 0, pairs: 0, depth: null };
        seen.set(name, { frames: Math.max(known.frames, frames), pairs: known.pairs + pair.pairs, depth: deeper(known.depth, depth) });
      }
    });
    for (const [part, { frames, pairs, depth }] of seen) {
      const sum = heat.get(part) ?? { part, incidents: 0, frames: 0, pairs: 0, depth: null, worst: incident };
      if (deeper(sum.depth, depth) !== sum.depth) sum.worst = incident;
      heat.set(part, { ...sum, incidents: sum.incidents + 1, frames: sum.frames + frames, pairs: sum.pairs + pairs, depth: deeper(sum.depth, depth) });
    }
  }
  return [...heat.values()].sort((p, q) => q.frames - p.frames || p.part.localeCompare(q.part, "en"));
}

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
export function partMeetings(report: Report, incidents: Incident[], only: number | null): Meeting[] {
  const found = new Map<string, Meeting>();
  for (const incident of incidents) {
    if (only !== null && incident.a !== only && incident.b !== only) continue;
    incident.parts.forEach((pair, rank) => {
      const names = [partName(report, incident.a, pair.a), partName(report, incident.b, pair.b)].sort((p, q) => Number(p === "") - Number(q === "") || (p < q ? -1 : 1)) as [string, string];
      const depth = pair.depth ?? (rank === 0 ? incident.depth : null);
      const sum = found.get(names.join("\n")) ?? { names, incidents: 0, frames: 0, pairs: 0, depth: null, worst: incident };
      if (deeper(sum.depth, depth) !== sum.depth) sum.worst = incident;
      found.set(names.join("\n"), {
        ...sum, incidents: sum.incidents + 1, frames: sum.frames + (pair.frames ?? incident.frames), pairs: sum.pairs + pair.pairs,
        depth: deeper(sum.depth, depth),
      });
    });
  }
  return [...found.values()].sort((p, q) => q.frames - p.frames);
}

/** Whether the report says in how many frames each part meets; if not, frames of parts are those of whole incidents. */
export function countsPartFrames(report: Report): boolean {
  return report.incidents.some((incident) => incident.parts.some((part) => part.frames !== undefined));
}

function deeper(p: number | null, q: number | null): number | null {
  if (p === null || q === null) return p ?? q;
  return Math.max(p, q);
}

function partName(report: Report, object: number, part: number | null): string {
  return part === null ? "" : (report.objects[object]?.parts[part] ?? `part ${part}`);
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
