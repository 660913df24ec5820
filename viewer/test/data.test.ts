/** What is stored comes back: the container, points, rotations, poses. Counts are asserted, so that nothing passes by testing nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { Container, ContainerWriter, unpack } from "../src/container.ts";
import type { Quat } from "../src/data.ts";
import { boxOf, quantisePoints, quantiseRotation, quantiseTurn, restorePoints, restoreRotation } from "../src/quantise.ts";
import { Shot, neighbours } from "../src/shot.ts";
import { seeded } from "../sample/math.ts";
import { BONES, capsules, walking } from "../sample/person.ts";
import { about } from "../sample/math.ts";
import { Stage, posedPoints } from "../sample/stage.ts";

const empty = { bodies: [], clips: [], actors: [] };

test("arrays of every type come back, plain and as differences", async () => {
  const arrays = {
    a: Int8Array.of(-128, 127, -1), b: Uint8Array.of(0, 255, 1), c: Int16Array.of(-32768, 32767, 5), d: Uint16Array.of(65535, 0, 40000),
    e: Int32Array.of(-2147483648, 2147483647, 0), f: Uint32Array.of(4294967295, 0, 7), g: Float32Array.of(0.5, -1e30, 3), none: new Uint16Array(0),
  };
  const types = { a: "i8", b: "u8", c: "i16", d: "u16", e: "i32", f: "u32", g: "f32", none: "u16" } as const;
  let met = 0;
  for (const delta of [undefined, 1, 2]) {
    const writer = new ContainerWriter();
    for (const [name, numbers] of Object.entries(arrays)) writer.add(name, numbers, name === "g" ? undefined : delta);
    const packed = gzipSync(writer.finish(empty)).toString("base64");
    const container = new Container(await unpack(`\n${packed}\n`));
    for (const [name, numbers] of Object.entries(arrays)) {
      const back = container.array(name, types[name as keyof typeof types]);
      assert.deepEqual([...back], [...numbers], `${name} with delta ${delta}`);
      // Differences are added up once, however often it is asked.
      assert.equal(container.array(name, types[name as keyof typeof types]), back);
      met++;
    }
  }
  assert.equal(met, 24);
});

test("a damaged container is refused with words", () => {
  const writer = new ContainerWriter();
  writer.add("a", Uint16Array.of(1, 2, 3));
  const good = writer.finish(empty);
  const cut = good.slice(0, 20);
  assert.throws(() => new Container(cut.buffer), /cut off/);
  const other = good.slice();
  other[0] = 88;
  assert.throws(() => new Container(other.buffer), /begins with/);
  const container = new Container(good.slice(0, good.length - 8).buffer);
  assert.throws(() => container.array("a", "u16"), /does not lie within/);
  assert.throws(() => container.array("b", "u16"), /no array/);
  assert.throws(() => new Container(good.slice().buffer).array("a", "i16"), /is u16, not i16/);
});

test("points are within half a step", () => {
  const random = seeded(1);
  let worst = 0;
  for (let round = 0; round < 50; round++) {
    const size = 10 ** (6 * random() - 3);
    const points = Array.from({ length: 300 }, () => size * (random() - 0.3));
    const box = boxOf(points);
    const back = restorePoints(quantisePoints(points, box), box);
    points.forEach((value, i) => {
      const error = Math.abs(back[i]! - value) / box.step[i % 3]!;
      worst = Math.max(worst, error);
    });
  }
  // The half, and what single precision takes.
  assert.ok(worst > 0.4 && worst < 0.52, `${worst}`);
  const flat = [1, 2, 3, 4, 2, 3];
  const box = boxOf(flat);
  assert.deepEqual([...restorePoints(quantisePoints(flat, box), box)], flat, "an axis without extent");
  assert.equal(boxOf([]).step[0], 0);
});

test("rotations are within 1.3e-4 radians", () => {
  const random = seeded(2);
  const numbers = new Int16Array(3);
  const back = [0, 0, 0, 0];
  const omitted = new Set<number>();
  let worst = 0;
  const check = (q: Quat): void => {
    quantiseRotation(q, numbers, 0);
    restoreRotation(numbers, 0, back, 0);
    const dot = Math.abs(q.reduce((sum, x, i) => sum + x * back[i]!, 0));
    // sin of half the angle from the difference, which keeps its digits near zero.
    const sign = q.reduce((sum, x, i) => sum + x * back[i]!, 0) < 0 ? -1 : 1;
    worst = Math.max(worst, 4 * Math.asin(Math.min(1, Math.hypot(...q.map((x, i) => x - sign * back[i]!)) / 2)));
    assert.ok(dot > 0.9999);
    omitted.add((numbers[0]! & 1) | ((numbers[1]! & 1) << 1));
  };
  for (let i = 0; i < 200_000; i++) {
    const raw = [0, 1, 2, 3].map(() => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
    const size = Math.hypot(...raw);
    check(raw.map((x) => x / size) as Quat);
  }
  const h = Math.SQRT1_2;
  for (const q of [[0, 0, 0, 1], [1, 0, 0, 0], [0, -1, 0, 0], [h, h, 0, 0], [0, 0, -h, h], [0.5, 0.5, 0.5, 0.5], [-0.5, 0.5, -0.5, -0.5], [-h, 0, 0, h]] as Quat[]) check(q);
  assert.equal(omitted.size, 4);
  assert.ok(worst > 5e-5 && worst < 1.3e-4, `${worst}`);
});

test("a turn wraps around", () => {
  assert.equal(quantiseTurn(2 * Math.PI), 0);
  assert.equal(quantiseTurn(-Math.PI / 2), 49152);
});

test("samples between others, held or around", () => {
  assert.deepEqual(neighbours(1.25, 4, false), [1, 2, 0.25]);
  assert.deepEqual(neighbours(9, 4, false), [3, 3, 0]);
  assert.deepEqual(neighbours(-1, 4, false), [0, 1, 0]);
  assert.deepEqual(neighbours(3.5, 4, true), [3, 0, 0.5]);
  assert.deepEqual(neighbours(-0.5, 4, true), [3, 0, 0.5]);
  assert.deepEqual(neighbours(7, 1, true), [0, 0, 0]);
});

/** Joints of a posed walker against the pose that went in. */
test("poses come back within a millimetre, in place and turned", () => {
  const stage = new Stage(40);
  const body = stage.person("man");
  const walk = stage.clip("walk");
  const place = (f: number): [number, number, number] => [0.05 * f, 0, -0.02 * f];
  const turn = (f: number): number => 0.7 + 0.01 * f;
  const object = stage.walker({ name: "a", body, clip: walk, place, turn, sample: (f) => f });
  const shot = new Shot(stage.finish([]).buffer as ArrayBuffer, 40, "y");
  const actor = shot.actors[shot.actorOf(object)!]!;
  const { joints, rest } = shot.body(body);
  const matrices = new Float32Array(12 * joints);
  let worst = 0;
  let met = 0;
  for (let f = 0; f < 40; f++) {
    assert.equal(shot.pose(actor, f, matrices, 0), BONES.length);
    const expected = capsules(walking((f % 32) / 32), place(f), about([0, 1, 0], turn(f)));
    for (let j = 0; j < joints; j++) {
      const at = [0, 4, 8].map((r) => {
        const m = 12 * j + r;
        return matrices[m]! * rest[3 * j]! + matrices[m + 1]! * rest[3 * j + 1]! + matrices[m + 2]! * rest[3 * j + 2]! + matrices[m + 3]!;
      });
      worst = Math.max(worst, Math.hypot(...at.map((x, i) => x - expected[j]!.from[i]!)));
      met++;
    }
  }
  assert.equal(met, 40 * BONES.length);
  assert.ok(worst < 1e-3, `${worst}`);
});

test("a rigid body far from the origin keeps its shape", () => {
  const stage = new Stage(1);
  const far = 4_000_000;
  const positions = [far, 0, 0, far + 1, 0, 0, far, 1, 0, far, 0, 1];
  const body = stage.mesh("tetrahedron", { positions, indices: [0, 1, 2, 0, 2, 3] });
  const object = stage.thing("far", "model", body, 2, [0, 0, 0]);
  const shot = new Shot(stage.finish([]).buffer as ArrayBuffer, 1, "y");
  shot.origin = [far, 0, 0];
  const points = posedPoints(shot, object, 0);
  const worst = Math.max(...[...points].map((x, i) => Math.abs(x - (positions[i]! - (i % 3 === 0 ? far : 0)))));
  assert.ok(worst < 1e-4, `${worst}`);
});

test("who is there, and caches hold the nearest frame", () => {
  const stage = new Stage(10);
  const body = stage.mesh("point", { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] });
  const box = { min: [0, 0, 0] as [number, number, number], step: [1, 1, 1] as [number, number, number] };
  const frames = Uint16Array.from({ length: 3 * 9 }, (_, i) => Math.floor(i / 9));
  stage.caches.push({ body, runs: [{ first: 4, count: 3, box, positions: stage.writer.add("c", frames, 9) }] });
  stage.actors.push({ object: 0, body, cache: 0, first: 2, count: 6, place: [0, 0, 0] });
  const shot = new Shot(stage.finish([]).buffer as ArrayBuffer, 10, "y");
  const actor = shot.actors[0]!;
  assert.deepEqual([1, 2, 7, 8].map((f) => shot.isPresent(actor, f)), [false, true, true, false]);
  assert.deepEqual([2, 4, 5, 6, 7].map((f) => shot.cached(actor, f)!.frame), [4, 4, 5, 6, 6]);
  assert.equal(shot.cached(actor, 6)!.positions[0], 2);
});
