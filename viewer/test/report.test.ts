/**
 * A report as the program has written it, in Chromium: it loads, draws, plays, jumps to the worst incident, says nothing on the console and asks the
 * network for nothing. ELBOWROOM_REPORT names the file. With ELBOWROOM_PROGRAM, `elbowroom view` serves it, too. ELBOWROOM_PICTURES names a folder for screenshots.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import type { Browser, Page } from "playwright-core";
import type { Report } from "../src/data.ts";
import { ARGS, drawn, executablePath, settled, state } from "./look.ts";

const file = resolve(process.env.ELBOWROOM_REPORT ?? "");
const program = process.env.ELBOWROOM_PROGRAM;
const pictures = process.env.ELBOWROOM_PICTURES;
const LIMIT = 20_000_000;
let browser: Browser;
let report: Report;

before(async () => {
  const text = readFileSync(file, "utf8");
  assert.ok(text.length <= LIMIT, `${text.length} bytes`);
  report = JSON.parse(/id="report">(.*?)<\/script>/s.exec(text)![1]!) as Report;
  browser = await chromium.launch({ executablePath, args: ARGS });
});

after(() => browser?.close());

async function open(address: string, dark = false): Promise<{ page: Page; close: () => Promise<void> }> {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, colorScheme: dark ? "dark" : "light" });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const said: string[] = [];
  const asked: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") said.push(message.text());
  });
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url())) asked.push(request.url());
  });
  await page.goto(address);
  await page.waitForFunction(() => window.elbowroom !== undefined);
  await page.evaluate(() => window.elbowroom.ready);
  const close = async (): Promise<void> => {
    assert.deepEqual(said, [], "nothing on the console");
    assert.equal(asked.length, 1, `asked for ${asked.join(", ")}`);
    await context.close();
  };
  return { page, close };
}

async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  await settled(page);
  await page.waitForTimeout(400);
  await page.evaluate(() => window.elbowroom.view!.draw());
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

test("it loads, draws, jumps to the worst incident and plays", async () => {
  const { page, close } = await open(pathToFileURL(file).href);
  assert.ok((await page.title()).endsWith("· elbowroom"));
  assert.ok((await page.locator(".summary").innerText()).includes(`${report.incidents.length.toLocaleString("en-GB")} incident`));
  await page.keyboard.press("Escape");
  await page.evaluate(() => window.elbowroom.view!.look());
  const whole = await drawn(page);
  const there = whole.what.full + whole.what.simple + whole.what.pillar;
  assert.ok(whole.colours > 60, `${whole.colours} colours`);
  assert.ok(there >= 2 && there <= report.objects.length, `${there} of ${report.objects.length} are drawn`);
  // The worst comes first in the list.
  await page.locator(".row").first().click();
  await settled(page);
  const { id, worst } = report.incidents[0]!;
  assert.deepEqual([(await state(page)).incident, (await state(page)).frame], [id, worst]);
  const near = await drawn(page);
  // The two are drawn as they were checked even where nothing else is.
  const least = await page.evaluate(() => window.elbowroom.view!.draw({ full: 0, simple: 0, ratio: 1 }));
  assert.ok(least.full >= 2 && least.full + least.simple + least.pillar + least.unseen <= report.objects.length, JSON.stringify(least));
  assert.ok(near.colours > 60 && near.sum !== whole.sum, `${near.colours} colours`);
  await picture(page, "report-light");
  // Frames go on, and the picture with them.
  await page.keyboard.press("Space");
  await page.waitForFunction((from) => window.elbowroom.store.state.frame !== from, worst);
  assert.ok((await state(page)).playing);
  await page.keyboard.press("Space");
  await settled(page);
  assert.ok(!(await state(page)).playing);
  assert.notEqual((await drawn(page)).sum, near.sum);
  const times = await page.evaluate(() => performance.getEntriesByType("mark").map((mark) => [mark.name, Math.round(mark.startTime)]));
  console.log(`${report.objects.length} objects, ${report.frames.count} frames, ${report.incidents.length} incidents, ${JSON.stringify(whole.what)}, ms ${JSON.stringify(times)}`);
  await close();
});

test("in the dark, all of it at once", { skip: !pictures }, async () => {
  const { page, close } = await open(`${pathToFileURL(file).href}#`, true);
  await page.keyboard.press("Escape");
  await page.evaluate(() => window.elbowroom.view!.look());
  await picture(page, "report-crowd");
  await page.getByRole("tab", { name: "Parts" }).click();
  await page.locator(".row").nth(1).click();
  await picture(page, "report-dark");
  await close();
});

test("the program serves it, to this machine alone", { skip: !program }, async () => {
  const served = spawn(program!, ["view", file, "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const address = await new Promise<string>((done, fail) => {
      createInterface(served.stdout).once("line", done);
      served.once("exit", () => fail(new Error("it has ended")));
    });
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    const { page, close } = await open(address);
    assert.ok((await drawn(page)).colours > 60);
    await close();
    const other = await fetch(`${address}other`);
    assert.equal(other.status, 404);
    const ended = new Promise<number | null>((done) => served.once("exit", (code) => done(code)));
    served.kill("SIGINT");
    assert.equal(await ended, 0);
  } finally {
    served.kill("SIGKILL");
  }
});
