/** Real characters and motion capture, written as the report has them and posed by the page, against skinning in double precision. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { ContainerWriter } from "../src/container.ts";
import { Shot } from "../src/shot.ts";
import type { Actor } from "../src/data.ts";
import { Character } from "../sample/gltf.ts";
import { posedPoints } from "../sample/stage.ts";

const data = process.env.ELBOWROOM_DATA ?? "../../shared/data";
const names = ["mh_female2850_cmu", "mh_male2850_cmu", "mh_lowpoly741_cmu", "khronos_CesiumMan", "khronos_RiggedFigure", "khronos_Fox",
  "quaternius_man_Casual", "quaternius_Knight", "quaternius_Wolf"];

test("real characters keep their shape", { skip: existsSync(`${data}/characters`) ? false : "no data (ELBOWROOM_DATA)" }, () => {
  let met = 0;
  for (const name of names) {
    const character = new Character(`${data}/characters/${name}.glb`);
    const samples = Math.min(40, Math.max(2, Math.floor(character.seconds * 30)));
    const off = ([8, 16] as const).map((bits) => {
      const writer = new ContainerWriter();
      const { body, clip } = character.write(writer, name, samples, 30, bits);
      const actor: Actor = { object: 0, body: 0, place: [0, 0, 0], plays: [{ clip: 0, from: 0, sample: 0, rate: 1 }] };
      const shot = new Shot(writer.finish({ bodies: [body], clips: [clip], actors: [actor] }).buffer as ArrayBuffer, samples, "y");
      let worst = 0;
      let size = 0;
      for (let s = 0; s < samples; s += 7) {
        const truth = character.skinned(s / 30);
        const shown = posedPoints(shot, 0, s);
        for (let i = 0; i < truth.length; i += 3) {
          worst = Math.max(worst, Math.hypot(...[0, 1, 2].map((k) => truth[i + k]! - shown[i + k]!)));
          size = Math.max(size, Math.abs(truth[i + 1]!));
          met++;
        }
      }
      return worst / size;
    }) as [number, number];
    const words = off.map((part) => `${(1000 * part).toFixed(3)} ‰`).join(" and ");
    console.log(`${name}: ${character.indices.length / 3} triangles, ${character.parents.length} joints, stretch ${character.stretch(0.5).toExponential(1)}, off by ${words} of its height at most`);
    assert.ok(off[0] < 0.001 && off[1] < 0.0001, `${name}: ${words}`);
  }
  assert.ok(met > 20_000, `${met}`);
});
