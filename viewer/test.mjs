/**
 * Tests: `node test.mjs` runs those that need node alone, `node test.mjs browser` those in Chromium as well, `node test.mjs report` those of one report that
 * the program has written. TypeScript is bundled first.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { build } from "esbuild";

const every = ["data", "rank", "scene", "page", "real", ...(process.argv.includes("browser") ? ["browser"] : [])];
const all = process.argv.includes("report") ? ["report"] : every;
rmSync("out/test", { recursive: true, force: true });
await build({
  entryPoints: all.map((name) => `test/${name}.test.ts`), bundle: true, platform: "node", format: "esm", outdir: "out/test", outExtension: { ".js": ".mjs" },
  external: ["playwright-core", "esbuild"], logLevel: "error",
});
const { status } = spawnSync(process.execPath, ["--test", ...all.map((name) => `out/test/${name}.test.mjs`)], { stdio: "inherit" });
process.exit(status ?? 1);
