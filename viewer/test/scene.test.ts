/** What the view draws with, without a view: simplified bodies, how far people reach, what a slow machine leads to, work in bits. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { ContainerWriter } from "../src/container.ts";
import type { Actor } from "../src/data.ts";
import { Quality, STEPS } from "../src/scene/quality.ts";
import { SIMPLE_TRIANGLES, simple, simplifying } from "../src/scene/simple.ts";
import { Workshop } from "../src/scene/workshop.ts";
import { Shot } from "../src/shot.ts";
import { Character } from "../sample/gltf.ts";
import { Stage, posedPoints } from "../sample/stage.ts";

const data = process.env.ELBOWROOM_DATA ?? "../../shared/data";

test("a simplified body is of the body's own vertices, with joints that hold them, and as large", () => {
  const stage = new Stage(2);
  const index = stage.person("man");
  const body = new Shot(stage.finish([]).buffer as ArrayBuffer, 2, "y").body(index);
  assert.ok(body.indices.length / 3 > 2 * SIMPLE_TRIANGLES, `${body.indices.length / 3}`);
  const few = simple(body);
  assert.ok(few.indices.length / 3 <= SIMPLE_TRIANGLES && few.indices.length / 3 > SIMPLE_TRIANGLES / 2, `${few.indices.length / 3}`);
  const own = new Map<string, Set<number>>();
  for (let v = 0; v < body.positions.length / 3; v++) {
    const key = body.positions.slice(3 * v, 3 * v + 3).join(" ");
    const joints = own.get(key) ?? new Set();
    for (let k = 0; k < 4; k++) if (body.skinWeights[4 * v + k]! > 0) joints.add(body.skinJoints[4 * v + k]!);
    own.set(key, joints);
  }
  const [low, high] = [Infinity, -Infinity].map((x) => [x, x, x]) as [number[], number[]];
  for (let v = 0; v < few.positions.length / 3; v++) {
    const joints = own.get(few.positions.slice(3 * v, 3 * v + 3).join(" "));
    assert.ok(joints, "a vertex of the body");
    let sum = 0;
    for (let k = 0; k < 4; k++) {
      sum += few.weights[4 * v + k]!;
      assert.ok(few.weights[4 * v + k] === 0 || joints.has(few.joints[4 * v + k]!), "a joint that holds it");
    }
    assert.ok(Math.abs(sum - 1) < 1e-6, `${sum}`);
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis]!, few.positions[3 * v + axis]!);
      high[axis] = Math.max(high[axis]!, few.positions[3 * v + axis]!);
    }
  }
  for (let axis = 0; axis < 3; axis++) {
    const size = body.max[axis]! - body.min[axis]!;
    assert.ok(low[axis]! - body.min[axis]! < 0.08 * size && body.max[axis]! - high[axis]! < 0.08 * size, `axis ${axis}`);
  }
  assert.ok(few.indices.every((v) => v < few.positions.length / 3));
});

test("nobody is farther from their root than is said, whatever they do", () => {
  const stage = new Stage(40);
  const body = stage.person("man");
  const walk = stage.clip("walk");
  const who = stage.walker({ name: "a", body, clip: walk, place: (f) => [0.05 * f, 0, 0], turn: (f) => 0.1 * f, sample: (f) => f });
  const shot = new Shot(stage.finish([]).buffer as ArrayBuffer, 40, "y");
  const met = reachesOf(shot, who, 40);
  assert.ok(met.most <= met.extent && met.extent < 3 * met.most, JSON.stringify(met));
});

test("real characters are within reach, too, and are simplified", { skip: existsSync(`${data}/characters`) ? false : "no data (ELBOWROOM_DATA)" }, () => {
  let met = 0;
  for (const name of ["mh_female2850_cmu", "khronos_Fox", "quaternius_man_Casual", "quaternius_Wolf"]) {
    const character = new Character(`${data}/characters/${name}.glb`);
    const samples = Math.min(40, Math.max(2, Math.floor(character.seconds * 30)));
    const writer = new ContainerWriter();
    const { body, clip } = character.write(writer, name, samples, 30, 16);
    const actor: Actor = { object: 0, body: 0, place: [3, 0, -2], scale: 1.5, plays: [{ clip: 0, from: 0, sample: 0, rate: 1 }] };
    const shot = new Shot(writer.finish({ bodies: [body], clips: [clip], actors: [actor] }).buffer as ArrayBuffer, samples, "y");
    const found = reachesOf(shot, 0, samples);
    assert.ok(found.most <= found.extent && found.extent < 4 * found.most, `${name}: ${JSON.stringify(found)}`);
    const few = simple(shot.body(0)).indices.length / 3;
    assert.ok(few <= SIMPLE_TRIANGLES && few > 100, `${name}: ${few}`);
    met++;
  }
  assert.equal(met, 4);
});

function reachesOf(shot: Shot, object: number, frames: number): { most: number; extent: number } {
  const actor = shot.actors[shot.actorOf(object)!]!;
  let most = 0;
  for (let f = 0; f < frames; f++) {
    const root = shot.root(actor, f);
    const points = posedPoints(shot, object, f);
    for (let i = 0; i < points.length; i += 3) most = Math.max(most, Math.hypot(points[i]! - root[0], points[i + 1]! - root[1], points[i + 2]! - root[2]));
  }
  return { most, extent: shot.extent(actor) };
}

test("slow frames lead to less, quick ones to more, and it does not swing", () => {
  const told = (quality: Quality, milliseconds: number, frames: number): number => {
    for (let i = 0; i < frames; i++) quality.took(milliseconds);
    return quality.step;
  };
  const slow = new Quality(true);
  assert.equal(slow.step, 2);
  assert.equal(told(slow, 500, 40), STEPS.length - 1, "as little as there is");
  assert.deepEqual(slow.still, STEPS[2], "better once it is at rest");
  const quick = new Quality(true);
  assert.equal(told(quick, 16.7, 400), 0, "as much as there is");
  assert.equal(quick.still, STEPS[0]);
  // One hiccup decides nothing.
  quick.took(400);
  assert.equal(told(quick, 16.7, 20), 0);
  // A machine that can just not do step 1: after some tries it is left at step 2 for longer and longer.
  const between = new Quality(true);
  let changes = 0;
  const after: number[] = [];
  for (let i = 0; i < 6000; i++) {
    if (between.took(between.step < 2 ? 90 : 16.7)) changes++;
    if (i === 999 || i === 5999) after.push(changes);
  }
  assert.ok(after[0]! > 2 && after[1]! - after[0]! <= after[0]!, after.join(" "));
  // Without a card it begins lower, and never draws the very best by itself.
  const soft = new Quality(false);
  assert.ok(soft.step > 2 && soft.best === STEPS[1]);
  STEPS.forEach((step, i) => assert.ok(i === 0 || (step.full < STEPS[i - 1]!.full && step.simple < STEPS[i - 1]!.simple && step.ratio <= STEPS[i - 1]!.ratio)));
});

test("what takes long is done in bits, one after the other", async () => {
  const stage = new Stage(2);
  const index = stage.person("man");
  const body = new Shot(stage.finish([]).buffer as ArrayBuffer, 2, "y").body(index);
  let bits = 0;
  for (const work = simplifying(body); !work.next().done; bits++);
  assert.ok(bits > 20, `${bits} bits`);
  const shop = await new Promise<Workshop<string, number>>((done) => {
    const made: Workshop<string, number> = new Workshop(function* (key: string) {
      for (let i = 0; i < 25; i++) yield;
      return key.length;
    }, () => made.get("bb") !== undefined && done(made));
    assert.equal(made.get("a"), undefined);
    assert.equal(made.get("bb"), undefined);
    assert.equal(made.get("a"), undefined);
    assert.equal(made.done.turns, 0, "nothing is done while somebody waits");
  });
  assert.deepEqual([shop.get("a"), shop.get("bb")], [1, 2]);
  assert.ok(shop.done.turns >= 6 && shop.done.most === 10, JSON.stringify(shop.done));
});
