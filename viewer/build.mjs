/**
 * Builds the page: `node build.mjs` writes crates/elbowroom-cli/assets/report.html, `node build.mjs FILE` another file.
 * The same sources and packages give the same bytes.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
export const ASSET = join(here, "../crates/elbowroom-cli/assets/report.html");
export const MARKER = "<!--elbowroom:data-->";

async function bundled(entry, options) {
  const result = await build({ entryPoints: [join(here, entry)], bundle: true, write: false, minify: true, absWorkingDir: here, ...options });
  return result.outputFiles[0].text;
}

/** The whole page. */
export async function page() {
  // Licences of what is bundled stay at the end of the script; a script that says "</script" would end itself.
  const licence = readFileSync(join(here, "node_modules/three/LICENSE"), "utf8").trim();
  const footer = { js: `/*! three.js\n${licence}\n*/` };
  const script = (await bundled("src/main.ts", { format: "iife", target: "es2022", legalComments: "eof", charset: "utf8", footer }))
    .replaceAll(/<\/script/gi, "<\\/script").replaceAll("<!--", "<\\!--");
  const style = await bundled("src/style.css", {});
  const hash = createHash("sha256").update(script).digest("base64");
  const parts = { HASH: `sha256-${hash}`, STYLE: style, SCRIPT: script };
  const html = readFileSync(join(here, "src/page.html"), "utf8").replaceAll(/%(HASH|STYLE|SCRIPT)%/g, (_, name) => parts[name]);
  if (html.split(MARKER).length !== 2) throw new Error(`${MARKER} has to be in the page once`);
  return html;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const html = await page();
  const out = process.argv[2] ?? ASSET;
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, html);
  const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
  console.log(`${out}: ${kilobytes(Buffer.byteLength(html))}, ${kilobytes(gzipSync(html, { level: 9 }).length)} gzipped`);
}
