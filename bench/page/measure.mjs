/**
 * What a report costs the browser: `node measure.mjs REPORT [--page PAGE] [--json] [--seconds N] [--left-out]`. With --page, what the report holds is put into that page
 * (crates/elbowroom-cli/assets/report.html, or that of another version) and measured there. Chromium draws in software here, so two things are told apart: what the
 * page's own script takes on the main thread, and how many frames a second come out of it. For the first, the page is measured a second time with
 * drawing left out (calls are counted and thrown away), which is what a card that takes no time at all would leave.
 *
 * Nothing of the page takes part: requestAnimationFrame, the listeners of the window and the draw calls of WebGL are wrapped before it loads, so that any
 * version of it is measured the same way.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(join(here, "../../viewer/package.json"))("playwright-core");
const executablePath = process.env.ELBOWROOM_BROWSER ?? ["chromium", "chromium-browser", "google-chrome"].map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));
const ARGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--enable-precise-memory-info"];

/** Runs in the page before anything else. */
function watch(isDrawing) {
  const m = { frames: [], requested: 0, long: [], handled: 0, first: 0, answered: [], calls: 0, triangles: 0 };
  window.measured = m;
  // Callbacks of one frame share its time.
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) => {
    m.requested++;
    return request((time) => {
      const [start, calls, triangles] = [performance.now(), m.calls, m.triangles];
      callback(time);
      let frame = m.frames[m.frames.length - 1];
      if (frame?.time !== time) m.frames.push((frame = { time, work: 0, calls: 0, triangles: 0, end: 0 }));
      frame.end = performance.now();
      frame.work += frame.end - start;
      frame.calls += m.calls - calls;
      frame.triangles += m.triangles - triangles;
    });
  };
  const wrap = (name, count, instances) => {
    const own = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...args) {
      m.calls++;
      m.triangles += (args[count] / 3) * (instances === undefined ? 1 : args[instances]);
      if (isDrawing) own.apply(this, args);
    };
  };
  wrap("drawElements", 1);
  wrap("drawElementsInstanced", 1, 4);
  wrap("drawArrays", 2);
  wrap("drawArraysInstanced", 2, 3);
  new PerformanceObserver((list) => m.long.push(...list.getEntries().map(({ startTime, duration }) => ({ startTime, duration })))).observe({ type: "longtask", buffered: true });
  let start = 0;
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "keydown", "keypress", "input", "change", "keyup", "pointermove", "wheel"]) {
    window.addEventListener(type, (event) => {
      start = performance.now();
      m.first ||= event.timeStamp;
    }, { capture: true, passive: true });
    window.addEventListener(type, () => (m.handled += performance.now() - start), { passive: true });
  }
}

const args = process.argv.slice(2);
const value = (name, other) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : other);
const seconds = value("--seconds", 6);
const named = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const folder = mkdtempSync(join(tmpdir(), "elbowroom-page-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const file = named("--page") ? within(resolve(named("--page")), resolve(args[0] ?? "")) : resolve(args[0] ?? "");

/** The data of a report in another page. */
function within(page, report) {
  const data = readFileSync(report, "utf8").match(/<script type="application\/(?:json|octet-stream)" id="(?:report|shot)">[\s\S]*?<\/script>/g).join("");
  const out = join(folder, "report.html");
  writeFileSync(out, readFileSync(page, "utf8").split("<!--elbowroom:data-->").join(data));
  return out;
}

const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);
const median = (numbers) => [...numbers].sort((p, q) => p - q)[numbers.length >> 1] ?? NaN;
const high = (numbers) => [...numbers].sort((p, q) => p - q)[Math.min(numbers.length - 1, Math.floor(0.95 * numbers.length))] ?? NaN;

async function open(browser, isDrawing) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 } });
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  page.on("console", (message) => message.type() === "error" && console.error(`the page says: ${message.text()}`));
  page.on("pageerror", (error) => console.error(`the page says: ${error}`));
  await page.addInitScript(watch, isDrawing);
  const cdp = await context.newCDPSession(page);
  // Time that the thread has run: what other programs take of the machine is not in it.
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => window.elbowroom !== undefined);
  await page.evaluate(() => window.elbowroom.ready);
  const settle = async () => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.waitForTimeout(1500);
  };
  const busy = async () => Object.fromEntries((await cdp.send("Performance.getMetrics")).metrics.map(({ name, value }) => [name, 1000 * value]));
  return { page, cdp, context, settle, busy };
}

/** Frames, work and long tasks while something goes on. */
async function during(opened, act) {
  const { page, busy } = opened;
  await page.evaluate(() => Object.assign(window.measured, { frames: [], long: [] }));
  const [before, from] = [await busy(), await page.evaluate(() => performance.now())];
  await act();
  const [after, taken] = [await busy(), await page.evaluate(() => ({ now: performance.now(), frames: window.measured.frames, long: window.measured.long }))];
  const drawn = taken.frames.filter((frame) => frame.calls > 0);
  const work = drawn.map((frame) => frame.work);
  const each = (name) => (after[name] - before[name]) / drawn.length;
  return {
    fps: drawn.length / ((taken.now - from) / 1000), script: median(work), script95: high(work), cpu: each("ScriptDuration"), all: each("TaskDuration"), calls: median(drawn.map((frame) => frame.calls)), triangles: median(drawn.map((frame) => frame.triangles)),
    long: taken.long.length, longest: Math.max(0, ...taken.long.map(({ duration }) => duration)),
  };
}

/** One act at a time: what its listeners and the next frame take of the main thread, and how long until that frame is handed over. */
async function answers({ page }, acts, draws = true) {
  const [work, wait] = [[], []];
  page.setDefaultTimeout(30_000);
  await page.evaluate(() => (window.measured.long = []));
  for (const act of acts) {
    await page.evaluate(() => Object.assign(window.measured, { frames: [], handled: 0, first: 0 }));
    await act();
    const found = await page.waitForFunction((draws) => {
      const { first, frames, handled } = window.measured;
      const at = frames.findIndex((frame) => first > 0 && frame.end - frame.work > first && (!draws || frame.calls > 0));
      if (at < 0) return undefined;
      return { work: handled + frames.slice(0, at + 1).filter((frame) => frame.end > first).reduce((total, frame) => total + frame.work, 0), wait: frames[at].end - first };
    }, draws).then((handle) => handle.jsonValue(), () => undefined);
    // What changes nothing is not drawn, and is not counted.
    if (!found) continue;
    work.push(found.work);
    wait.push(found.wait);
    await page.waitForTimeout(60);
  }
  const long = await page.evaluate(() => window.measured.long.map(({ duration }) => duration));
  return { work: median(work), most: Math.max(...work), wait: median(wait), mostWait: Math.max(...wait), long: long.length, longest: Math.max(0, ...long), n: work.length };
}

async function orbit(page, steps) {
  const box = await page.locator(".view canvas").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let i = 1; i <= steps; i++) {
    await page.mouse.move(x + 120 * Math.sin(i / 9), y + 30 * Math.sin(i / 14));
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  }
  await page.mouse.up();
}

const play = async (page, on) => page.evaluate((playing) => window.elbowroom.store.set({ playing }), on);

async function motion(opened) {
  const { page, settle } = opened;
  const out = {};
  const playing = async () => {
    await play(page, true);
    // The first second is for it to find out what this machine can do.
    await page.waitForTimeout(2500);
    const found = await during(opened, () => page.waitForTimeout(1000 * seconds));
    await play(page, false);
    await settle();
    return found;
  };
  await settle();
  const still = await page.evaluate(() => window.measured.requested);
  await page.waitForTimeout(2000);
  out.idle = (await page.evaluate(() => window.measured.requested)) - still;
  out["playing around the worst incident"] = await playing();
  out["turning around it"] = await during(opened, () => orbit(page, 60));
  await settle();
  await page.keyboard.press("Escape");
  await page.evaluate(() => window.elbowroom.view.look());
  await settle();
  out["playing, everyone in sight"] = await playing();
  out["turning, everyone in sight"] = await during(opened, () => orbit(page, 40));
  await settle();
  return out;
}

async function interactions(opened) {
  const { page } = opened;
  const out = {};
  await page.keyboard.press("n");
  await play(page, true);
  await page.waitForTimeout(3000);
  const on = () => play(page, true);
  const rows = Array.from({ length: 8 }, (_, i) => async () => {
    await page.locator(".list .scroller").evaluate((element, top) => (element.scrollTop = top), 54 * 1777 * i);
    await page.waitForTimeout(400);
    await on();
    // At once, since rows are made anew while one looks for them.
    const box = await page.evaluate(() => {
      const { x, y } = document.querySelectorAll(".row")[4].getBoundingClientRect();
      return { x, y };
    });
    await page.mouse.move(box.x + 90, box.y + 20);
    await page.evaluate(() => Object.assign(window.measured, { frames: [], handled: 0, first: 0 }));
    await page.mouse.click(box.x + 90, box.y + 20);
  });
  out["click on an incident"] = await answers(opened, rows);
  out["next incident (n)"] = await answers(opened, Array.from({ length: 8 }, () => async () => {
    await on();
    await page.waitForTimeout(400);
    await page.evaluate(() => Object.assign(window.measured, { frames: [], handled: 0, first: 0 }));
    await page.keyboard.press("n");
  }));
  const scrub = await page.locator(".scrub").boundingBox();
  out["scrub"] = await answers(opened, Array.from({ length: 10 }, (_, i) => () => page.mouse.click(scrub.x + scrub.width * (0.08 + 0.085 * i), scrub.y + scrub.height / 2)));
  await on();
  for (const name of ["Pairs", "Body parts", "Timeline"]) {
    const box = await page.getByRole("tab", { name }).boundingBox();
    const click = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    out[`tab: ${name}, first`] = await answers(opened, [click], false);
  }
  await on();
  await page.locator("input[type=search]").click();
  out["a letter into the filter"] = await answers(opened, [..."walker 17", ..."hand".padStart(5)].map((letter) => () => page.keyboard.type(letter)), false);
  await page.locator("input[type=search]").fill("");
  await page.waitForTimeout(1500);
  await on();
  const slider = await page.locator(".slider input").boundingBox();
  out["slider of the filter"] = await answers(opened, Array.from({ length: 6 }, (_, i) => () => page.mouse.click(slider.x + slider.width * (0.1 + 0.1 * i), slider.y + slider.height / 2)), false);
  await page.locator("select[aria-label=Order]").focus();
  out["order by name"] = await answers(opened, [() => page.locator("select[aria-label=Order]").press("End")], false);
  return out;
}

async function load(opened) {
  const { page, cdp } = opened;
  const marks = await page.evaluate(() => Object.fromEntries(performance.getEntriesByType("mark").map((mark) => [mark.name.replace("elbowroom: ", ""), mark.startTime])));
  await page.waitForTimeout(1000);
  const long = await page.evaluate(() => window.measured.long.map(({ duration }) => duration));
  await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  return { marks, long: long.length, longest: Math.max(0, ...long), blocked: sum(long.map((ms) => ms - 50)), heap: usedSize / 1e6 };
}

const browser = await chromium.launch({ executablePath, args: ARGS });
const result = {};
for (const isDrawing of args.includes("--left-out") ? [false] : [true, false]) {
  const opened = await open(browser, isDrawing);
  const part = { load: await load(opened), motion: await motion(opened), interactions: await interactions(opened) };
  await opened.context.close();
  result[isDrawing ? "drawn in software" : "drawing left out"] = part;
}
await browser.close();

if (args.includes("--json")) {
  console.log(JSON.stringify(result, null, 1));
} else {
  const ms = (x) => (Number.isFinite(x) ? x.toFixed(x < 10 ? 1 : 0) : "–");
  for (const [name, part] of Object.entries(result)) {
    const { marks, long, longest, blocked, heap } = part.load;
    console.log(`\n### ${name}\n`);
    console.log(`Loading: ${Object.entries(marks).map(([mark, at]) => `${mark} at ${(at / 1000).toFixed(2)} s`).join(", ")}; ${long} long tasks, the longest ${ms(longest)} ms, ${ms(blocked)} ms beyond 50 of each; ${heap.toFixed(0)} MB of heap. ` +
      `Frames asked for in 2 s of nothing: ${part.motion.idle}.\n`);
    console.log("| | frames/s | ms of a frame (95th of 100) | script ms/frame, CPU | main thread ms/frame, CPU | draw calls | triangles | long tasks (longest) |\n|---|---|---|---|---|---|---|---|");
    for (const [what, found] of Object.entries(part.motion)) {
      if (what === "idle") continue;
      console.log(`| ${what} | ${found.fps.toFixed(1)} | ${ms(found.script)} (${ms(found.script95)}) | ${ms(found.cpu)} | ${ms(found.all)} | ${found.calls} | ${Math.round(found.triangles).toLocaleString("en-GB")} | ${found.long} (${ms(found.longest)}) |`);
    }
    console.log("\n| while it plays | main thread ms until answered (most) | ms until that frame is handed over (most) | long tasks (longest) | times |\n|---|---|---|---|---|");
    for (const [what, found] of Object.entries(part.interactions)) {
      console.log(`| ${what} | ${ms(found.work)} (${ms(found.most)}) | ${ms(found.wait)} (${ms(found.mostWait)}) | ${found.long} (${ms(found.longest)}) | ${found.n} |`);
    }
  }
}
