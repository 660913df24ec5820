/**
 * The worst crowd that we could think of, as ways: so many people who are all there in all frames, on a square of so many metres, and do not look
 * where they go. Straight on with small turns, and reflected at the edges. The same numbers on every machine: integers and a generator of our own.
 *
 *   node ways.mjs FOLDER [PEOPLE [FRAMES [METRES]]]      # FOLDER/ways.csv and FOLDER/scene.toml
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FPS = 30;

/** Numbers from 0 to 1, by a shift register of 32 bits (Marsaglia, Xorshift RNGs, 2003). */
function generator(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export function ways(people, frames, metres) {
  const random = generator(20_261_116);
  const lines = ["id,frame,x,y"];
  for (let id = 1; id <= people; id++) {
    let [x, y] = [random() * metres, random() * metres];
    let heading = random() * 2 * Math.PI;
    let turn = 0;
    const speed = 0.9 + 0.6 * random();
    for (let frame = 0; frame < frames; frame++) {
      lines.push(`${id},${frame},${x.toFixed(3)},${y.toFixed(3)}`);
      turn = 0.97 * turn + 0.003 * (random() - 0.5);
      heading += turn;
      x += (speed / FPS) * Math.cos(heading);
      y += (speed / FPS) * Math.sin(heading);
      if (x < 0 || x > metres) heading = Math.PI - heading;
      if (y < 0 || y > metres) heading = -heading;
      x = Math.min(metres, Math.max(0, x));
      y = Math.min(metres, Math.max(0, y));
    }
  }
  return `${lines.join("\n")}\n`;
}

const scene = (frames) => `# Written by bench/page/ways.mjs.
fps = ${FPS}
frames = ${frames}
[[crowd]]
name = "walker"
trajectories = "ways.csv"
characters = ["make:man", "make:woman"]
clip = "walk"
fps = ${FPS}
seed = 1
`;

const [folder, people = "1000", frames = "1000", metres = "50"] = process.argv.slice(2);
if (!folder) throw new Error("node ways.mjs FOLDER [PEOPLE [FRAMES [METRES]]]");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "ways.csv"), ways(Number(people), Number(frames), Number(metres)));
writeFileSync(join(folder, "scene.toml"), scene(Number(frames)));
