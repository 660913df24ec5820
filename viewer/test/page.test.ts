/** The page that is in the tree: that of these sources, whole, with its licences, and closed to the network. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const page = readFileSync("../crates/elbowroom-cli/assets/report.html", "utf8");

test("the page in the tree is what the sources give", () => {
  const { status, stderr } = spawnSync(process.execPath, ["build.mjs", "out/fresh.html"], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.ok(readFileSync("out/fresh.html", "utf8") === page, "it is not: run scripts/viewer --build and commit crates/elbowroom-cli/assets/report.html");
});

test("it has one place for data, and one script, by its hash", () => {
  assert.equal(page.split("<!--elbowroom:data-->").length, 2);
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)];
  assert.equal(scripts.length, 1);
  const hash = createHash("sha256").update(scripts[0]![1]!).digest("base64");
  assert.ok(page.includes(`script-src 'sha256-${hash}'`));
  assert.ok(page.includes("default-src 'none'"));
});

test("it loads nothing and carries the licence of three.js", () => {
  assert.ok(!/(src|href)=["']?(https?:)?\/\//i.test(page.replace(/<script>[\s\S]*<\/script>/, "")));
  assert.ok(!/@import|url\(["']?http/i.test(page));
  assert.ok(page.includes("The MIT License") && page.includes("three.js authors"));
  const size = Buffer.byteLength(page);
  assert.ok(size < 800_000, `${size}`);
  console.log(`report.html: ${Math.round(size / 1000)} kB, ${Math.round(gzipSync(page, { level: 9 }).length / 1000)} kB gzipped`);
});
