/** Writes sample reports into viewer/out: `node out/make.mjs [NAME…]`, all if none is named. Needs a built page. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { SAMPLES } from "./shots.ts";
import { written } from "./stage.ts";

const [page, folder, ...wanted] = process.argv.slice(2) as [string, string, ...string[]];
const html = readFileSync(page, "utf8");
mkdirSync(folder, { recursive: true });
for (const name of wanted.length > 0 ? wanted : Object.keys(SAMPLES)) {
  const sample = SAMPLES[name]!();
  const text = written(html, sample);
  writeFileSync(`${folder}/${name}.html`, text);
  console.log(`${name}: ${(text.length / 1e6).toFixed(2)} MB, ${sample.report.incidents.length} incidents`);
}
