/** Who is in whom, of people of capsules: the part of the program, in small, so that samples hang together. */
import type { Incident, Vec3 } from "../src/data.ts";
import { add, length, mul, nearest, sub, unit } from "./math.ts";

export interface Capsule {
  from: Vec3;
  to: Vec3;
  radius: number;
}

export interface Contact {
  frame: number;
  depth: number;
  pairs: number;
  parts: { a: number; b: number; depth: number }[];
  point: Vec3;
  normal: Vec3;
}

/** All pairs of capsules that overlap, the deepest first. */
export function contact(frame: number, a: Capsule[], b: Capsule[]): Contact | undefined {
  const parts: (Contact["parts"][number] & { point: Vec3; normal: Vec3 })[] = [];
  a.forEach((p, i) =>
    b.forEach((q, j) => {
      const reach = p.radius + q.radius;
      // Bones are shorter than 0.5 m.
      const far = reach + 1;
      const [dx, dy, dz] = [p.from[0] - q.from[0], p.from[1] - q.from[1], p.from[2] - q.from[2]];
      if (dx * dx + dy * dy + dz * dz > far * far) return;
      const [x, y] = nearest(p.from, p.to, q.from, q.to);
      const gap = sub(y, x);
      const depth = reach - length(gap);
      if (depth <= 0) return;
      const normal = length(gap) > 1e-9 ? unit(gap) : ([0, 1, 0] as Vec3);
      parts.push({ a: i, b: j, depth, point: add(x, mul(normal, p.radius - depth / 2)), normal });
    }),
  );
  parts.sort((p, q) => q.depth - p.depth);
  const worst = parts[0];
  if (!worst) return undefined;
  const pairs = Math.round(parts.reduce((sum, part) => sum + 4 + part.depth * 900, 0));
  return { frame, depth: worst.depth, pairs, parts, point: worst.point, normal: worst.normal };
}

/** The contacts of one pair, merged where no more than `gap` frames lie between two. */
export function incidentsOf(a: number, b: number, contacts: Contact[], gap = 2): Incident[] {
  const out: Incident[] = [];
  let run: Contact[] = [];
  const close = (): void => {
    if (run.length > 0) out.push(incident(a, b, run));
    run = [];
  };
  for (const c of contacts) {
    if (run.length > 0 && c.frame - run[run.length - 1]!.frame > gap + 1) close();
    run.push(c);
  }
  close();
  return out;
}

const round = (x: number): number => Math.round(x * 1e6) / 1e6;

function incident(a: number, b: number, run: Contact[]): Incident {
  const worst = run.reduce((best, c) => (c.depth > best.depth ? c : best));
  const frames = new Map<string, { spans: number[]; depth: number }>();
  for (const c of run) {
    for (const part of c.parts) {
      const key = `${part.a} ${part.b}`;
      const seen = frames.get(key) ?? { spans: [], depth: 0 };
      const { spans } = seen;
      if (spans.length > 0 && c.frame - spans[spans.length - 1]! <= 1) spans[spans.length - 1] = c.frame;
      else spans.push(c.frame, c.frame);
      frames.set(key, { spans, depth: Math.max(seen.depth, part.depth) });
    }
  }
  const parts = worst.parts.slice(0, 12).map((part) => {
    const seen = frames.get(`${part.a} ${part.b}`)!;
    return { a: part.a, b: part.b, pairs: Math.round(4 + part.depth * 900), spans: seen.spans, depth: round(seen.depth) };
  });
  return {
    id: 0,
    a,
    b,
    kind: worst.depth < 0.001 ? "touching" : "crossing",
    first: run[0]!.frame,
    last: run[run.length - 1]!.frame,
    worst: worst.frame,
    frames: run.length,
    depth: round(worst.depth),
    pairs: worst.pairs,
    certainty: "exact",
    parts,
    point: worst.point.map(round) as Vec3,
    normal: worst.normal.map(round) as Vec3,
    series: run.map((c) => [c.frame, round(c.depth), c.pairs]),
  };
}

/** Ranks by depth and numbers from 1. */
export function ranked(incidents: Incident[]): Incident[] {
  incidents.sort((p, q) => (q.depth ?? 0) - (p.depth ?? 0) || p.first - q.first || p.a - q.a || p.b - q.b);
  incidents.forEach((one, i) => (one.id = i + 1));
  return incidents;
}

/** Triangles of a mesh in the world with a corner in one of the capsules. */
export function trianglesIn(points: Float32Array | number[], indices: ArrayLike<number>, others: Capsule[]): Uint32Array {
  const inside = new Uint8Array(points.length / 3);
  for (let v = 0; v < inside.length; v++) {
    const p: Vec3 = [points[3 * v]!, points[3 * v + 1]!, points[3 * v + 2]!];
    inside[v] = others.some((c) => {
      const [x] = nearest(c.from, c.to, p, p);
      return length(sub(x, p)) < c.radius;
    })
      ? 1
      : 0;
  }
  const found: number[] = [];
  for (let t = 0; t < indices.length / 3; t++) {
    if (inside[indices[3 * t]!] || inside[indices[3 * t + 1]!] || inside[indices[3 * t + 2]!]) found.push(t);
  }
  return Uint32Array.from(found);
}
