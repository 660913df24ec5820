/** The samples: what the page has to show well, and what must not break it. */
import type { Incident, Vec3 } from "../src/data.ts";
import { boxOf, quantisePoints } from "../src/quantise.ts";
import { about, seeded } from "./math.ts";
import { BONES, STRIDE, posed } from "./person.ts";
import type { Sample } from "./stage.ts";
import { Stage } from "./stage.ts";
import { assembly, plant } from "./plant.ts";
import { cuboid, sheet } from "./things.ts";

const NAMES = ["ann", "bob", "carol", "dave"];
const FPS = 30;
/** Samples of the walk for each metre. */
const PER_METRE = 32 / STRIDE;

/** Two people who walk through each other, one who talks with his hands in the way, a table and a curtain. */
export function pair(names: string[] = NAMES): Sample {
  const frames = 180;
  const stage = new Stage(frames);
  const [woman, man] = [stage.person("woman", 0.94), stage.person("man", 1.04)];
  const [walk, talk] = [stage.clip("walk"), stage.clip("talk")];
  const speed = 1.3 / FPS;
  const way = (f: number, from: number, sign: number): number => from + sign * speed * f;
  const walker = (name: string, body: number, place: (f: number) => Vec3, heading: number, from: number): number =>
    stage.walker({
      name, body, clip: walk, place, turn: () => heading, sample: (f) => speed * f * PER_METRE + from, stout: body === woman ? 0.94 : 1.04,
    });
  walker(names[0]!, woman, (f) => [way(f, -3.7, 1), 0, 0.04 * Math.sin(f / 30)], Math.PI / 2, 0);
  walker(names[1]!, man, (f) => [way(f, 3.6, -1), 0, 0.13], -Math.PI / 2, 9);
  stage.walker({ name: names[2]!, body: woman, clip: talk, place: () => [0.9, 0, 0.82], turn: () => 2.9, sample: (f) => f / 4, stout: 0.94 });
  stage.walker({ name: names[3]!, body: man, clip: talk, place: () => [0.75, 0, 1.45], turn: () => -0.2, sample: (f) => f / 5 + 11, stout: 1.04 });
  const table = cuboid([0.6, 0.36, 0.35]);
  stage.thing("table", "model", stage.mesh("table", table), 12, [-1.6, 0.36, 1.3], about([0, 1, 0], 0.35));
  const incidents = stage.incidents();
  incidents.push(curtain(stage, frames));
  const report = stage.report(incidents, {
    title: "sq010_sh0040",
    command: "elbowroom check sq010_sh0040.toml --depth -o report.html",
    files: [{ path: "sq010_sh0040.toml", status: "ok" }, { path: "cast/ann.glb", status: "ok" }, { path: "cast/bob.glb", status: "ok" }],
    notes: [
      { kind: "open-mesh", text: "The mesh is not closed (124 boundary edges), so it encloses nothing for certain: depths against it are estimates.", objects: [5] },
    ],
  });
  return { report, shot: stage.finish(report.incidents, 200, { ground: 0 }) };
}

/** A curtain that blows into the way of the first walker: vertices over time, stored only around its incident. */
function curtain(stage: Stage, frames: number): Incident {
  const cloth = sheet(14, 18, 1.1, 2.1);
  const body = stage.mesh("curtain", cloth);
  const object = stage.objects.push({ name: "curtain", kind: "cache", triangles: cloth.indices.length / 3, parts: [], closed: false }) - 1;
  const [first, count] = [Math.round(frames * 0.62), Math.round(frames * 0.36)];
  const points: number[] = [];
  for (let f = first; f < first + count; f++) {
    for (let v = 0; v < cloth.positions.length; v += 3) {
      const [x, y, z] = cloth.positions.slice(v, v + 3) as Vec3;
      const free = (2.1 - y) / 2.1;
      points.push(x + 0.22 * free * Math.sin(f / 9 + 4 * z + y), y, z);
    }
  }
  const box = boxOf(points);
  const positions = stage.writer.add("cache/0/positions", quantisePoints(points, box), cloth.positions.length);
  stage.caches.push({ body, runs: [{ first, count, box, positions }] });
  stage.actors.push({ object, body, cache: 0, place: [2.6, 0, 0.75] });
  const from = first + 12;
  const series = Array.from({ length: 22 }, (_, i): [number, number | null, number] => [
    from + i, Math.round(1e5 * 0.045 * Math.sin(((i + 1) * Math.PI) / 23)) / 1e5, Math.round(90 * Math.sin(((i + 1) * Math.PI) / 23)),
  ]);
  return {
    id: 0, a: 0, b: object, kind: "crossing", first: from, last: from + 21, worst: from + 11, frames: 22, depth: series[11]![1], pairs: series[11]![2],
    certainty: "estimate: curtain is not closed", parts: [{ a: 5, b: null, pairs: 60 }, { a: 2, b: null, pairs: 30 }],
    point: [2.52, 1.2, 0.3], normal: [1, 0, 0], series,
  };
}

/** A thousand people on a pavement for a thousand frames, in two streams. */
export function crowd(people = 1000, frames = 1000): Sample {
  const stage = new Stage(frames);
  const random = seeded(7);
  const bodies = [["woman", 0.94], ["man", 1.04], ["woman, slight", 0.86], ["man, stout", 1.14]].map(([name, stout]) => ({
    body: stage.person(name as string, stout as number), stout: stout as number,
  }));
  const walk = stage.clip("walk");
  // Columns of people who go one way, side by side with columns that go the other.
  const columns = Math.ceil(Math.sqrt(people) / 1.3);
  for (let i = 0; i < people; i++) {
    const { body, stout } = bodies[Math.floor(random() * bodies.length)]!;
    const column = i % columns;
    const sign = column % 2 === 0 ? 1 : -1;
    const speed = (1.25 + 0.1 * (random() - 0.5)) / FPS;
    const x0 = (column - columns / 2) * 1.25 + (random() - 0.5) * 0.3;
    const z0 = (Math.floor(i / columns) - people / columns / 2) * 1.7 - sign * 20 + (random() - 0.5) * 0.7;
    const [sway, rhythm, phase] = [0.05 + 0.25 * random() ** 2, 60 + 90 * random(), 6 * random()];
    const x = (f: number): number => x0 + sway * Math.sin(f / rhythm + phase);
    stage.walker({
      name: `passer-by ${i + 1}`, body, clip: walk, stout,
      place: (f) => [x(f), 0, z0 + sign * speed * f],
      turn: (f) => Math.atan2(x(f + 1) - x(f), sign * speed),
      sample: (f) => speed * f * PER_METRE + 32 * phase,
    });
  }
  const incidents = stage.incidents();
  const report = stage.report(incidents, {
    title: "pavement, 1,000 people",
    command: "elbowroom check pavement.toml --depth -o report.html",
    files: [{ path: "pavement.toml", status: "ok" }, { path: "ways.csv", status: "ok" }],
  });
  return { report, shot: stage.finish(report.incidents, 300, { ground: 0 }) };
}

/** Two people who keep their distance. */
export function clean(): Sample {
  const stage = new Stage(120);
  const body = stage.person("woman", 0.94);
  const walk = stage.clip("walk");
  const speed = 1.2 / FPS;
  [-0.6, 0.6].forEach((z, i) =>
    stage.walker({
      name: NAMES[i]!, body, clip: walk, place: (f) => [(i === 0 ? 1 : -1) * (speed * f - 2.4), 0, z],
      turn: () => ((i === 0 ? 1 : -1) * Math.PI) / 2, sample: (f) => speed * f * PER_METRE, stout: 0.94,
    }),
  );
  const report = stage.report(stage.incidents(), { title: "sq010_sh0050" });
  return { report, shot: stage.finish(report.incidents, 200, { ground: 0 }) };
}

/** One frame of two people. */
export function oneFrame(): Sample {
  const stage = new Stage(1, 86);
  const body = stage.person("man", 1.04);
  const talk = stage.clip("talk");
  stage.walker({ name: "left", body, clip: talk, place: () => [0, 0, 0], turn: () => 1.4, sample: () => 3, stout: 1.04 });
  stage.walker({ name: "right", body, clip: talk, place: () => [0.52, 0, 0.06], turn: () => -1.6, sample: () => 14, stout: 1.04 });
  const report = stage.report(stage.incidents());
  return { report, shot: stage.finish(report.incidents, 200, { ground: 0 }) };
}

/** One character, compared with itself: a hand goes into the thigh. Depth is not known of an object with itself. */
export function oneObject(): Sample {
  const frames = 60;
  const stage = new Stage(frames);
  const body = stage.person("man", 1.04);
  const poses = Array.from({ length: frames }, (_, f) => {
    const bend = Math.sin((Math.PI * f) / (frames - 1));
    return posed((name) => {
      if (name === "RightArm") return about([0, 0, 1], -0.25 * bend);
      if (name === "RightForeArm") return about([0, 0, 1], -0.75 * bend);
      return [0, 0, 0, 1];
    }, [0, 0, 0]);
  });
  const clip = stage.poses("slap", poses, false);
  const object = stage.objects.push({ name: "gus", kind: "character", triangles: 17 * 168, parts: BONES.map((bone) => bone.name), closed: true }) - 1;
  stage.actors.push({ object, body, place: [0, 0, 0], plays: [{ clip, from: 0, sample: 0, rate: 1 }] });
  const series = Array.from({ length: 25 }, (_, i): [number, null, number] => [18 + i, null, Math.round(60 * Math.sin(((i + 1) * Math.PI) / 26))]);
  const incident: Incident = {
    id: 1, a: object, b: object, kind: "crossing", first: 18, last: 42, worst: 30, frames: 25, depth: null, pairs: 60,
    parts: [{ a: 13, b: 14, pairs: 44, spans: [18, 42] }, { a: 12, b: 14, pairs: 16, spans: [24, 28, 33, 36] }], point: [-0.13, 0.86, 0.01], normal: [-1, 0, 0], series,
  };
  const report = stage.report([], { severity: "pairs", asked: { mode: "surface", touching: "count", clearance: null, depth: null }, title: "gus" });
  // And, between two frames, the other hand passes through the thigh: no frame shows it, so there is no series.
  const passing: Incident = {
    id: 2, a: object, b: object, kind: "passing", first: 50, last: 50, worst: 50, frames: 0, depth: null, pairs: 0,
    parts: [{ a: 7, b: 8, pairs: 0 }], point: [0.2, 0.8, 0.03], normal: null, series: [],
  };
  report.incidents = [incident, passing];
  report.counts = { frames_examined: frames, pairs_examined: frames, contacts: 25 };
  stage.marks.push({
    incident: 1, frame: 30,
    a: stage.writer.add("mark/1/a", Uint32Array.from({ length: 60 }, (_, i) => 13 * 168 + 60 + i)),
    b: stage.writer.add("mark/1/b", Uint32Array.from({ length: 40 }, (_, i) => 14 * 168 + i)),
  });
  return { report, shot: stage.finish([], 0, { ground: 0 }) };
}

export const HOSTILE = [
  `</script><script>window.hacked = 1</script>`,
  `<img src=x onerror="window.hacked = 2">`,
  `"><svg onload=window.hacked=3>`,
  `<!--<script>${"very ".repeat(30)}long \u202e name \u0000 & 'quotes'`,
];

/** Names that are no names. */
export function hostile(): Sample {
  const sample = pair(HOSTILE);
  sample.report.title = "</title><script>window.hacked = 4</script>";
  sample.report.command = "elbowroom check '</script><script>window.hacked = 5</script>'";
  sample.report.notes.push({ kind: "other", text: "<b onmouseover=alert(1)>bold</b>" });
  sample.report.objects[0]!.parts = sample.report.objects[0]!.parts.map((name) => `<i>${name}</i>`);
  return sample;
}

/** No depth was asked, one file could not be read, and there is nothing to play. */
export function noDepth(): Sample {
  const { report } = pair();
  for (const one of report.incidents) {
    one.depth = null;
    one.series = one.series.map(([frame, , pairs]) => [frame, null, pairs]);
    one.parts = one.parts.map((part) => ({ a: part.a, b: part.b, pairs: part.pairs }));
  }
  report.incidents.sort((p, q) => q.pairs - p.pairs);
  report.incidents.forEach((one, i) => (one.id = i + 1));
  report.severity = "pairs";
  report.asked = { mode: "surface", touching: "ignore", clearance: null, depth: null };
  report.complete = false;
  report.files.push({ path: "cast/erin.glb", status: "error", error: "the file ends in the middle of a chunk; export it again" });
  report.notes.push({ kind: "unreadable", text: "1 of 4 files could not be read; everything else was examined." });
  return { report };
}

export const SAMPLES: Record<string, () => Sample> = {
  pair, crowd, clean, "one-frame": oneFrame, "one-object": oneObject, cad: plant, assembly, hostile, "no-depth": noDepth,
};
