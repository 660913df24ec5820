/** Ranking, filters, what is counted, words and colours. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { luminance, palette, rgb } from "../src/colour.ts";
import { Format, count, readable, roughly, ticks } from "../src/format.ts";
import { EVERYTHING, byPair, chosen, countsPartFrames, entryAt, framesIn, involved, partHeat, partMeetings, perFrame, reach, region, severity } from "../src/rank.ts";
import type { Report } from "../src/data.ts";
import { FEW_TRIANGLES, details } from "../src/scene/detail.ts";
import { Store } from "../src/state.ts";
import { BONES } from "../sample/person.ts";
import { HOSTILE, hostile, noDepth, oneFrame, oneObject, pair } from "../sample/shots.ts";
import { plant } from "../sample/plant.ts";
import { written } from "../sample/stage.ts";

const { report } = pair();

test("the list: filters and orders", () => {
  assert.equal(report.incidents.length, 3);
  const ids = (filter: Partial<typeof EVERYTHING>, order: Parameters<typeof chosen>[2] = "rank"): number[] =>
    chosen(report, { ...EVERYTHING, ...filter }, order).map((incident) => incident.id);
  assert.deepEqual(ids({}), [1, 2, 3]);
  assert.deepEqual(ids({ text: "CURTAIN" }), [3]);
  assert.deepEqual(ids({ text: "bob lefthand" }), [2]);
  assert.deepEqual(ids({ text: "nobody" }), []);
  assert.deepEqual(ids({ objects: [0] }), [1, 3]);
  assert.deepEqual(ids({ objects: [1, 0] }), [1]);
  assert.deepEqual(ids({ kind: "touching" }), []);
  assert.deepEqual(ids({ least: 0.05 }), [1, 2]);
  assert.deepEqual(ids({}, "first"), [2, 1, 3]);
  assert.deepEqual(ids({}, "longest"), [3, 1, 2]);
  assert.deepEqual(ids({}, "name"), [1, 3, 2]);
});

test("severity goes down the ranks, whatever it is", () => {
  let met = 0;
  for (const sample of [pair(), plant(), noDepth(), oneObject(), oneFrame()]) {
    const values = sample.report.incidents.map((incident) => severity(sample.report, incident));
    values.forEach((value, i) => assert.ok(i === 0 || value <= values[i - 1]!));
    met += values.length;
  }
  assert.ok(met >= 16, `${met}`);
});

test("pairs, objects, frames", () => {
  const rows = byPair(report, report.incidents);
  assert.deepEqual(rows.map((row) => [row.a, row.b]), [[0, 1], [1, 2], [0, 5]]);
  assert.deepEqual(new Set(involved(report)), new Set([0, 1, 2, 5]));
  const frames = perFrame(report);
  const inContact = frames.open.reduce((sum, open) => sum + open, 0);
  assert.equal(inContact, report.counts.contacts);
  assert.equal(frames.worst[report.incidents[0]!.worst], report.incidents[0]!.depth);
});

test("a thinned series stands for all its frames", () => {
  const [worst] = report.incidents;
  const long = { ...worst!, first: 10, last: 49, worst: 22, frames: 40, series_every: 8,
    series: [[12, 0.01, 5], [22, 0.03, 9], [33, 0.02, 7], [34, 0.02, 7], [45, 0.01, 2]] as NonNullable<typeof worst>["series"] };
  const thin = { ...report, incidents: [long] };
  const { open, worst: deepest } = perFrame(thin);
  assert.deepEqual([...open.slice(8, 52)].map(Number).join(""), `00${"1".repeat(40)}00`);
  assert.equal(deepest[22], 0.03);
  assert.equal(entryAt(thin, long, 11)![0], 12);
  assert.equal(entryAt(thin, long, 48)![0], 45);
  assert.equal(entryAt(thin, long, 50), undefined);
  assert.deepEqual(reach(report, worst!, 0), [worst!.first, worst!.first]);
});

test("parts: a frame counts once for a part, however many it meets", () => {
  const heat = partHeat(report, report.incidents, null);
  assert.ok(heat.length >= 5);
  for (const part of heat) assert.ok(part.frames <= report.frames.count && part.incidents <= 3);
  const own = partHeat(report, report.incidents, 2);
  assert.ok(own.every((part) => part.incidents === 1) && own.some((part) => part.part === "LeftHand"));
  assert.ok(countsPartFrames(report) && !countsPartFrames(noDepth().report));
  assert.ok(partMeetings(report, report.incidents, null).some((one) => one.names[1] === ""));
});

test("names of rigs find their place on the figure", () => {
  const expected: Record<string, string | undefined> = {
    LeftForeArm: "left-forearm", "mixamorig:RightHandIndex1": "right-hand", upperarm_l: "left-arm", "thigh.R": "right-thigh", calf_r: "right-shin",
    LeftLeg: "left-shin", LeftUpLeg: "left-thigh", R_ankle: "right-foot", Spine: "belly", Spine2: "chest", pelvis: "hips", Hips: "hips", LHipJoint: undefined,
    neck_01: "neck", Head: "head", "panda_link4": undefined, L_Shoulder: "left-arm", left_wrist: "left-hand", lowerarm_r: "right-forearm",
  };
  for (const [name, where] of Object.entries(expected)) if (where !== undefined) assert.equal(region(name), where, name);
  assert.equal(region("panda_link4"), undefined);
  assert.equal(BONES.filter((bone) => region(bone.name) === undefined).length, 0);
});

test("words", () => {
  const format = new Format(report);
  // The unit of the other outputs of the check, until another is chosen.
  for (const [report_unit, shown] of [["m", "0.042 m"], ["cm", "4.2 cm"], ["mm", "42 mm"], ["in", "4.2 cm"], ["km", "0.042 m"]] as const) {
    assert.equal(new Format({ ...report, report_unit }).length(0.0421), shown, report_unit);
  }
  format.unit = "cm";
  assert.equal(format.length(0.0421), "4.2 cm");
  assert.equal(format.length(0.0000001), "<0.1 cm");
  assert.equal(format.length(null), "–");
  format.unit = "mm";
  assert.equal(format.length(0.0421), "42 mm");
  assert.equal(format.frame(45), "frame 45 · 1.50 s");
  assert.equal(new Format(plant().report).length(0.11), "0.11");
  assert.equal(count(1234567), "1,234,567");
  assert.equal(roughly(499_500_000), "499.5 M");
  assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks(3, 3, 5), [3]);
  assert.equal(readable("a\u202eb\u0000"), "a·b·");
  assert.equal(readable(""), "(no name)");
});

test("a pair with a common beginning says it once", () => {
  const objects = ["passer-by 12", "passer-by 7", "ann"].map((name) => ({ name, kind: "character" as const, triangles: 0, parts: [] }));
  const format = new Format({ ...report, objects });
  assert.equal(format.shortPair(0, 1), "passer-by 12 × 7");
  assert.equal(format.shortPair(0, 2), "passer-by 12 × ann");
  assert.equal(format.shortPair(0, 0), "passer-by 12 × itself");
});

test("the scale of depth goes one way in lightness, and stands out from the panel", () => {
  for (const dark of [false, true]) {
    const { scale, panel } = palette(dark);
    const light = scale.map((colour) => luminance(rgb(colour)));
    light.forEach((value, i) => assert.ok(i === 0 || (dark ? value > light[i - 1]! : value < light[i - 1]!), `${dark} ${i}`));
    const back = luminance(rgb(panel));
    const contrast = (value: number): number => (Math.max(value, back) + 0.05) / (Math.min(value, back) + 0.05);
    assert.ok(contrast(light[light.length - 1]!) > 7);
    for (const name of ["ink", "soft"] as const) assert.ok(contrast(luminance(rgb(palette(dark)[name]))) > 4.5, name);
  }
});

test("detail: the incident in full, the near in full, then simplified, then pillars", () => {
  const people = Array.from({ length: 1000 }, (_, i) => ({ distance: i + 1, triangles: 2856, isLookedAt: i === 900, isRigid: i === 950 }));
  const budget = { full: 200_000, simple: 300 };
  const levels = details(people, budget);
  const full = Math.floor(budget.full / 2856);
  assert.equal(levels.filter((level) => level === "full").length, full + 2);
  assert.equal(levels.filter((level) => level === "simple").length, budget.simple);
  assert.deepEqual([levels[0], levels[full - 1], levels[full], levels[full + budget.simple], levels[900], levels[950]], ["full", "full", "simple", "pillar", "full", "full"]);
  assert.ok(details(people.slice(0, 20), budget).every((level) => level === "full"));
  // Without any budget the two of the incident are still in full, and what has few triangles is not worth simplifying.
  assert.deepEqual(details(people, { full: 0, simple: 0 }).flatMap((level, i) => (level === "full" ? [i] : [])), [900, 950]);
  assert.equal(details([{ ...people[0]!, triangles: FEW_TRIANGLES }], { full: 0, simple: 1 })[0], "full");
});

test("parts: distinct frames of unordered pairs, never more than there are", () => {
  const every: Report = { ...report, frames: { first: 0, last: 200, step: 2, count: 101 } };
  assert.equal(framesIn(every, []), 0);
  assert.equal(framesIn(every, [10, 10]), 1);
  assert.equal(framesIn(every, [10, 20, 14, 30, 40, 40, 0, 200]), 101);
  assert.equal(framesIn(every, [10, 20, 14, 30, 40, 40]), 12);
  const objects = [
    { name: "ann", kind: "character" as const, triangles: 1, parts: ["rig:Arm", "rig:Spine"], part_labels: ["Arm", "Spine"] },
    { name: "bob", kind: "character" as const, triangles: 1, parts: ["Spine", "Arm"] },
  ];
  const base = { ...report.incidents[0]!, a: 0, b: 1, first: 0, last: 200, worst: 10, frames: 101 };
  // Ann's arm in Bob's spine, Bob's arm in Ann's spine, and again later: one pair of parts.
  const incidents = [
    { ...base, id: 1, parts: [{ a: 0, b: 0, pairs: 5, spans: [0, 100] }] },
    { ...base, id: 2, parts: [{ a: 1, b: 1, pairs: 5, spans: [50, 120] }, { a: 0, b: 0, pairs: 1, spans: [110, 130] }] },
    { ...base, id: 3, a: 0, b: 0, parts: [{ a: 0, b: 1, pairs: 1, spans: [190, 200] }] },
  ];
  const both: Report = { ...every, objects, incidents };
  const met = partMeetings(both, incidents, null);
  assert.deepEqual(met.map((one) => [one.names, one.frames, one.pairs]), [[["Arm", "Spine"], 72, 12]]);
  assert.deepEqual(partHeat(both, incidents, 1).map((part) => [part.part, part.frames]), [["Spine", 62], ["Arm", 36]]);
  // Without spans a part is in all frames of its incidents, each once.
  const bare = incidents.map((one) => ({ ...one, parts: one.parts.map(({ a, b, pairs }) => ({ a, b, pairs })) }));
  assert.equal(partMeetings({ ...both, incidents: bare }, bare, null)[0]!.frames, 101);
});

test("links, frames and steps", () => {
  const store = new Store({ ...report, frames: { first: 10, last: 30, step: 2, count: 11 } }, false);
  assert.equal(store.examined(13.2), 14);
  assert.equal(store.examined(-5), 10);
  assert.equal(store.examined(99), 30);
  assert.equal(store.examined(NaN), 10);
  assert.equal(store.index(14), 2);
  store.seek(14);
  store.step(1);
  assert.equal(store.state.frame, 16);
  assert.ok(!store.followLink("#incident=99"));
  assert.ok(!store.followLink("#frame=x"));
  const shot = new Store(report, false);
  assert.ok(shot.followLink("#incident=2&frame=65"));
  assert.equal(shot.link(), "#incident=2&frame=65");
  shot.neighbour(1);
  assert.equal(shot.state.incident, 3);
  assert.equal(shot.state.frame, report.incidents[2]!.worst);
  shot.neighbour(1);
  assert.equal(shot.state.incident, 1);
});

test("no name ends the block that holds it", () => {
  const text = written("before<!--elbowroom:data-->after", { report: hostile().report });
  const inside = text.slice("before".length, -"after".length);
  assert.equal(inside.match(/<\/?script/gi)!.length, 2);
  assert.ok(!inside.includes("<!--"));
  const json = inside.replace(/^<script[^>]*>/, "").replace(/<\/script>$/, "");
  assert.equal((JSON.parse(json) as typeof report).objects[0]!.name, HOSTILE[0]);
});
