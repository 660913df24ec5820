/**
 * The page in a real browser: Chromium, drawing in software. Driven by frames, never by the clock, since software draws as slowly as it likes.
 * ELBOWROOM_BROWSER names the browser; ELBOWROOM_PICTURES a folder to write screenshots to.
 */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import type { Browser, Page } from "playwright-core";
import type { Report } from "../src/data.ts";
import { HOSTILE, SAMPLES } from "../sample/shots.ts";
import { written } from "../sample/stage.ts";
import type { View } from "../src/scene/view.ts";
import { ARGS, drawn, executablePath, settled, state } from "./look.ts";

const ASSET = "../crates/elbowroom-cli/assets/report.html";
const LIMIT = 20_000_000;
const pictures = process.env.ELBOWROOM_PICTURES;
const pages = new Map<string, { file: string; bytes: number; report: Report }>();
let browser: Browser;

before(async () => {
  mkdirSync("out/pages", { recursive: true });
  const page = readFileSync(ASSET, "utf8");
  for (const [name, make] of Object.entries(SAMPLES)) {
    const sample = make();
    const text = written(page, sample);
    const file = join(process.cwd(), "out/pages", `${name}.html`);
    writeFileSync(file, text);
    pages.set(name, { file, bytes: Buffer.byteLength(text), report: sample.report });
  }
  writeFileSync("out/pages/empty.html", page);
  browser = await chromium.launch({ executablePath, args: ARGS });
});

after(() => browser?.close());

interface Look {
  width?: number;
  height?: number;
  dark?: boolean;
  hash?: string;
  from?: Browser;
}

/** Opens a sample, and fails at its close if it complained or asked for anything. */
async function open(name: string, look: Look = {}): Promise<{ page: Page; report: Report; close: () => Promise<void> }> {
  const context = await (look.from ?? browser).newContext({ viewport: { width: look.width ?? 1366, height: look.height ?? 768 }, colorScheme: look.dark ? "dark" : "light" });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const said: string[] = [];
  const asked: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") said.push(message.text());
  });
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith("data:") && !request.url().startsWith("blob:")) asked.push(request.url());
  });
  const { file, report } = pages.get(name)!;
  await page.goto(pathToFileURL(file).href + (look.hash ?? ""));
  await page.waitForFunction(() => window.elbowroom !== undefined);
  await page.evaluate(() => window.elbowroom.ready);
  const close = async (): Promise<void> => {
    assert.deepEqual(said, [], `${name}: nothing on the console`);
    assert.equal(asked.length, 1, `${name}: asked for ${asked.join(", ")}`);
    await context.close();
  };
  return { page, report, close };
}

async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  await settled(page);
  await page.waitForTimeout(400);
  await page.evaluate(() => window.elbowroom.view!.draw());
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

test("every sample loads, draws and is silent", async () => {
  let views = 0;
  for (const [name, { report, bytes }] of pages) {
    const { page, close } = await open(name);
    const title = await page.title();
    assert.ok(title.endsWith("· elbowroom"), title);
    const text = await page.locator(".summary").innerText();
    assert.ok(text.includes(report.incidents.length > 0 ? `${report.incidents.length.toLocaleString("en-GB")} incident` : "Clean"), text);
    if (name === "no-depth") {
      assert.ok((await page.locator(".view.empty").innerText()).includes("no shot"));
      assert.ok(text.includes("Not read"));
    } else {
      const { colours } = await drawn(page);
      assert.ok(colours > 60, `${name}: ${colours} colours`);
      views++;
    }
    assert.ok(bytes <= LIMIT, `${name}: ${bytes}`);
    await close();
  }
  assert.equal(views, pages.size - 1);
});

test("an empty page says what it is", async () => {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(join(process.cwd(), "out/pages/empty.html")).href);
  assert.ok((await page.locator(".empty").innerText()).includes("elbowroom check"));
  await page.close();
});

test("a report that is not as it should be is told so", async () => {
  const html = readFileSync(ASSET, "utf8");
  let met = 0;
  for (const [json, word] of [["{", "cannot be read"], ['{"schema_version":99}', "version 99"], ['{"schema_version":1}', "is malformed"]] as const) {
    writeFileSync("out/pages/wrong.html", html.replace("<!--elbowroom:data-->", `<script type="application/json" id="report">${json}</script>`));
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(process.cwd(), "out/pages/wrong.html")).href);
    assert.ok((await page.locator(".empty").innerText()).includes(word), word);
    await page.close();
    met++;
  }
  assert.equal(met, 3);
});

test("begins at the worst incident, and plays by frame", async () => {
  const { page, report, close } = await open("pair");
  const worst = report.incidents[0]!;
  assert.deepEqual([(await state(page)).incident, (await state(page)).frame], [worst.id, worst.worst]);
  const sums = new Set<number>();
  for (let i = 0; i < 5; i++) {
    sums.add((await drawn(page)).sum);
    await page.keyboard.press("ArrowRight");
    assert.equal((await state(page)).frame, worst.worst + i + 1);
  }
  assert.equal(sums.size, 5, "each frame is another picture");
  await page.keyboard.press("Shift+ArrowLeft");
  assert.equal((await state(page)).frame, worst.worst + 5 - 10);
  await page.keyboard.press("Space");
  await page.waitForFunction((from) => window.elbowroom.store.state.playing && window.elbowroom.store.state.frame !== from, worst.worst - 5);
  await page.keyboard.press("Space");
  const { playing, frame } = await state(page);
  assert.ok(!playing && frame >= worst.first - 15 && frame <= worst.last + 15, `${frame}`);
  await close();
});

test("keys", async () => {
  const { page, report, close } = await open("pair", { hash: "#incident=2&frame=65" });
  assert.deepEqual([(await state(page)).incident, (await state(page)).frame], [2, 65]);
  await page.keyboard.press("n");
  assert.equal((await state(page)).incident, 3);
  await page.keyboard.press("p");
  await page.keyboard.press("p");
  assert.equal((await state(page)).incident, 1);
  await page.keyboard.press("Home");
  assert.equal((await state(page)).frame, report.incidents[0]!.first);
  await page.keyboard.press("w");
  assert.equal((await state(page)).frame, report.incidents[0]!.worst);
  const before = await drawn(page);
  await page.keyboard.press("g");
  assert.ok((await state(page)).ghost);
  assert.notEqual((await drawn(page)).sum, before.sum, "ghosts look different");
  await page.keyboard.press("x");
  await page.keyboard.press("f");
  await page.keyboard.press("?");
  assert.ok(await page.locator("dialog").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(!(await page.locator("dialog").isVisible()));
  // Letters that are typed are letters.
  await page.locator("input[type=search]").fill("");
  await page.locator("input[type=search]").pressSequentially("nnn");
  assert.equal((await state(page)).incident, 1);
  assert.ok((await page.locator(".list .empty").innerText()).includes("No incident matches"));
  await page.locator(".list .empty button").click();
  await page.locator(".list .scroller").focus();
  await page.keyboard.press("ArrowDown");
  assert.equal((await state(page)).incident, 2);
  await page.waitForFunction(() => location.hash.startsWith("#incident=2&"));
  await close();
});

test("every chart leads to the view", async () => {
  const { page, report, close } = await open("pair", { hash: "#incident=2" });
  await page.locator(".tile.worst").click();
  assert.equal((await state(page)).incident, 1);
  await page.locator(".row").nth(2).click();
  assert.deepEqual([(await state(page)).incident, (await state(page)).frame], [3, report.incidents[2]!.worst]);
  // The second row of the timeline: a click on the name goes to the worst frame.
  await settled(page);
  const timeline = page.locator(".timeline canvas");
  await timeline.click({ position: { x: 60, y: 64 + 22 + 11 } });
  assert.deepEqual([(await state(page)).incident, (await state(page)).frame], [2, report.incidents[1]!.worst]);
  // The ruler seeks.
  await timeline.click({ position: { x: 700, y: 10 } });
  assert.notEqual((await state(page)).frame, report.incidents[1]!.worst);
  await page.getByRole("tab", { name: "Pairs" }).click();
  await settled(page);
  const size = await page.locator(".matrix").evaluate((element) => Math.max(15, Math.min(30, Math.floor(Math.min(element.clientWidth - 132, element.clientHeight - 84 + 60) / 4))));
  await page.locator(".matrix canvas").click({ position: { x: 132 + size * 1.5, y: 84 + size * 0.5 } });
  assert.equal((await state(page)).incident, 1);
  assert.equal(await page.locator(".chip").count(), 1);
  assert.equal(await page.locator(".row").count(), 1, "the pair alone is listed");
  await page.locator(".chip").click();
  assert.equal(await page.locator(".row").count(), 3);
  await page.locator(".chart").click({ position: { x: 60, y: 50 } });
  assert.equal((await state(page)).frame, report.incidents[0]!.first);
  await page.getByRole("tab", { name: "Parts" }).click();
  await page.locator(".heat tbody tr", { hasText: "LeftHand" }).first().click();
  assert.equal((await state(page)).incident, 2);
  assert.ok((await page.locator(".figure .hot").count()) >= 4);
  await page.getByRole("tab", { name: "Input and notes" }).click();
  assert.ok((await page.locator(".tab-body").innerText()).includes("not closed"));
  // Who is under the pointer: the tag of the one is above his head.
  await settled(page);
  const tag = (await page.locator(".tag.b").boundingBox())!;
  const [x, y] = [tag.x + tag.width / 2, tag.y + tag.height + 60];
  const picked = await page.evaluate(([px, py]) => window.elbowroom.view!.pick(px!, py!), [x, y]);
  assert.ok([1, 2].includes(picked!), `${picked}`);
  await page.mouse.click(x, y);
  assert.equal(await page.locator(".chip").count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".chip").count(), 0);
  assert.ok((await page.locator(".inspector").innerText()).includes("In the most incidents"));
  await close();
});

test("the timeline zooms, moves along and stays within the shot", async () => {
  const { page, report, close } = await open("pair");
  const canvas = page.locator(".timeline canvas");
  /** Which frame is under a point of the ruler: where a click there goes. */
  const under = async (x: number): Promise<number> => {
    await canvas.click({ position: { x, y: 8 } });
    return (await state(page)).frame;
  };
  const width = (await canvas.boundingBox())!.width;
  const [left, right] = [await under(192), await under(width - 10)];
  assert.deepEqual([left, right], [report.frames.first, report.frames.last]);
  await page.keyboard.press("w");
  await page.getByRole("button", { name: "Zoom to the incident" }).click();
  const zoomed = [await under(192), await under(width - 10)] as const;
  const worst = report.incidents[0]!;
  assert.ok(zoomed[0] > left && zoomed[0] < worst.first && zoomed[1] > worst.last && zoomed[1] < right, zoomed.join(" "));
  await canvas.hover({ position: { x: 700, y: 90 } });
  await page.keyboard.down("Shift");
  await page.mouse.wheel(0, 300);
  await page.keyboard.up("Shift");
  await settled(page);
  assert.ok((await under(192)) > zoomed[0]);
  await page.keyboard.down("Control");
  for (let i = 0; i < 8; i++) await page.mouse.wheel(0, 500);
  await page.keyboard.up("Control");
  await settled(page);
  assert.deepEqual([await under(192), await under(width - 10)], [left, right]);
  await close();
});

test("what passes between frames is listed, drawn and looked at", async () => {
  const { page, close } = await open("one-object", { hash: "#incident=2" });
  assert.deepEqual([(await state(page)).incident, (await state(page)).frame], [2, 50]);
  assert.ok((await page.locator(".inspector").innerText()).includes("between two frames"));
  assert.ok((await drawn(page)).colours > 60);
  // Both are of one pair: the second bar of the only row.
  await page.keyboard.press("p");
  await settled(page);
  const canvas = page.locator(".timeline canvas");
  const width = (await canvas.boundingBox())!.width;
  await canvas.click({ position: { x: 190 + ((50.5 / 60) * (width - 198)), y: 64 + 11 } });
  assert.equal((await state(page)).incident, 2);
  await close();
});

test("light and dark, by the system and by hand", async () => {
  const ground = (page: Page): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await open("pair");
  const dark = await open("pair", { dark: true });
  assert.notEqual(await ground(light.page), await ground(dark.page));
  assert.ok((await state(dark.page)).dark);
  await dark.page.getByRole("button", { name: "Light or dark" }).click();
  assert.equal(await ground(light.page), await ground(dark.page));
  await light.close();
  await dark.close();
});

test("a laptop shows all at once, a narrow window scrolls down only", async () => {
  for (const [width, height] of [[1366, 768], [1024, 700], [800, 900], [390, 844]] as const) {
    const { page, close } = await open("pair", { width, height });
    const size = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
    assert.ok(size[0]! <= width, `${width}: as wide as ${size[0]}`);
    if (width > 900) assert.ok(size[1]! <= height, `${width}: as tall as ${size[1]}`);
    const view = await page.locator(".view").boundingBox();
    assert.ok(view!.width > 250 && view!.height > 200, JSON.stringify(view));
    if (width === 800) await picture(page, "report-narrow");
    await close();
  }
});

test("a thousand people over a thousand frames", async () => {
  const { page, report, close } = await open("crowd");
  assert.equal(report.objects.length, 1000);
  assert.equal(report.frames.count, 1000);
  assert.ok(report.incidents.length > 500, `${report.incidents.length}`);
  // At the incident most are out of sight; from afar the near are in full, the next simplified, the rest pillars.
  const near = await drawn(page);
  assert.equal(near.what.full + near.what.simple + near.what.pillar + near.what.unseen, 1000);
  assert.ok(near.what.full >= 2 && near.what.unseen >= 900 && near.what.calls < 30, JSON.stringify(near.what));
  await page.evaluate(() => {
    window.elbowroom.store.set({ incident: null });
    window.elbowroom.view!.look();
  });
  // Who is to be simplified is simplified once that is made, a bit at a time.
  await page.waitForFunction(() => window.elbowroom.view!.draw().simple > 0);
  const made = await page.evaluate(() => window.elbowroom.view!.made);
  assert.ok(made.turns > 2 && made.most <= 10, JSON.stringify(made));
  const { what, colours } = await drawn(page);
  assert.equal(what.full + what.simple + what.pillar, 1000);
  assert.ok(what.full >= 50 && what.simple >= 300 && what.pillar >= 100, JSON.stringify(what));
  assert.ok(what.calls < 30 && what.triangles < 400_000, JSON.stringify(what));
  assert.ok(colours > 200);
  assert.ok((await page.locator(".row").count()) < 40, "only rows in sight are there");
  await page.locator(".list .scroller").evaluate((element) => (element.scrollTop = 1e9));
  await settled(page);
  assert.ok((await page.locator(".row").last().innerText()).includes(String(report.incidents.length)));
  await page.getByRole("tab", { name: "Pairs" }).click();
  await settled(page);
  await page.keyboard.press("Escape");
  assert.equal((await state(page)).incident, null);
  await page.evaluate(() => window.elbowroom.view!.look());
  const times = await page.evaluate(() => performance.getEntriesByType("mark").map((mark) => [mark.name, Math.round(mark.startTime)]));
  console.log(`crowd: ${(pages.get("crowd")!.bytes / 1e6).toFixed(2)} MB, ${report.incidents.length} incidents, ${JSON.stringify(what)}, ms ${JSON.stringify(times)}`);
  await close();
});

test("a crowd costs what is in sight and what the machine can do, and nothing while nothing moves", async () => {
  const { page, report, close } = await open("crowd");
  const draw = (full: number, simple: number): Promise<ReturnType<View["draw"]>> => page.evaluate((step) => window.elbowroom.view!.draw(step), { full, simple, ratio: 1 });
  // The two of the incident stay as they are, whatever the budget.
  const near = await draw(0, 0);
  const own = [report.incidents[0]!.a, report.incidents[0]!.b].map((object) => report.objects[object]!.triangles).reduce((sum, n) => sum + n, 0);
  assert.ok(near.full === 2 && near.simple === 0 && near.pillar > 0 && near.unseen > 900 && near.triangles > own, JSON.stringify(near));
  assert.equal(await page.locator(".view-word.right").innerText(), "others are simplified");
  // Everyone in sight: few draws, no one is lost, and on a slow machine a fifth of the triangles.
  await page.keyboard.press("Escape");
  await page.evaluate(() => window.elbowroom.view!.look());
  await page.waitForFunction(() => window.elbowroom.view!.draw().simple === 600);
  const [most, least] = [await draw(200_000, 600), await draw(0, 40)];
  for (const all of [most, least]) assert.ok(all.unseen === 0 && all.full + all.simple + all.pillar === 1000 && all.calls < 20, JSON.stringify(all));
  assert.ok(least.full === 0 && least.simple === 40 && 5 * least.triangles < most.triangles, JSON.stringify([least, most]));
  assert.equal(await page.locator(".view-word.right").innerText(), "those far away are simplified");
  // At rest no frame is asked for. Whatever was still to come has come when two looks are alike.
  const asked = await page.evaluate(async () => {
    const own = window.requestAnimationFrame;
    let asked = 0;
    let before = -1;
    window.requestAnimationFrame = (callback) => {
      asked++;
      return own(callback);
    };
    for (let looks = 0; looks < 20 && asked !== before; looks++) {
      before = asked;
      await new Promise((done) => setTimeout(done, 2000));
    }
    const last = window.elbowroom.view!.drawn.pictures;
    const idle = asked;
    await new Promise((done) => setTimeout(done, 2000));
    const still = { frames: asked - idle, pictures: window.elbowroom.view!.drawn.pictures - last };
    // Many changes at once are one picture, in one frame.
    for (let i = 1; i <= 30; i++) window.elbowroom.store.seek(i);
    await new Promise<void>((done) => own(() => done()));
    return { ...still, burst: window.elbowroom.view!.drawn.pictures - last };
  });
  assert.deepEqual(asked, { frames: 0, pictures: 0, burst: 1 });
  await close();
});

test("while it plays, each frame is drawn in the frame that moves the clock", async () => {
  const { page, close } = await open("pair");
  const behind = await page.evaluate(async () => {
    const { store, view } = window.elbowroom;
    let most = 0;
    store.set({ playing: true });
    for (let i = 0; i < 12; i++) {
      const [frame, pictures] = [store.state.frame, view!.drawn.pictures];
      // Frames that are far apart are no rest: nothing better is drawn in between.
      for (const end = performance.now() + (i % 3 === 0 ? 400 : 0); performance.now() < end; );
      await new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done, 0)));
      const drawn = view!.drawn.pictures - pictures;
      // The frame has moved, so the picture has been drawn, once for each time that frames came.
      if (store.state.frame !== frame) most = Math.max(most, drawn === 0 ? 1 : drawn - 1);
    }
    store.set({ playing: false });
    return most;
  });
  assert.equal(behind, 0);
  await close();
});

test("parts that are all different are drawn together", async () => {
  const { page, report, close } = await open("assembly");
  assert.equal(report.objects.length, 1500);
  const solid = await drawn(page);
  assert.equal(solid.what.full, 1500);
  assert.ok(solid.what.calls <= 12, JSON.stringify(solid.what));
  await page.keyboard.press("g");
  const ghost = await drawn(page);
  assert.ok(ghost.what.calls <= 13 && ghost.sum !== solid.sum, JSON.stringify(ghost.what));
  await page.keyboard.press("n");
  assert.notEqual((await drawn(page)).sum, ghost.sum);
  await close();
});

test("names are names, whatever they say", async () => {
  const { page, close } = await open("hostile", { hash: "#incident=1&frame=<script>" });
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  for (const tab of ["Pairs", "Parts", "Input and notes"]) {
    await page.getByRole("tab", { name: tab }).click();
    await settled(page);
  }
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("img, b:not(.notes b), i, svg[onload]").count(), 0);
  assert.ok((await page.locator(".list").innerText()).includes(HOSTILE[0]!.slice(0, 20)));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await close();
});

test("no script runs but the page's own", async () => {
  const page = await browser.newPage();
  const evil = readFileSync(pages.get("pair")!.file, "utf8").replace("</body>", "<script>window.hacked = 9</script></body>");
  writeFileSync("out/pages/evil.html", evil);
  await page.goto(pathToFileURL(join(process.cwd(), "out/pages/evil.html")).href);
  await page.waitForFunction(() => window.elbowroom !== undefined);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await page.close();
});

test("without WebGL all but the view works", async () => {
  const plain = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-3d-apis"] });
  const { page, report, close } = await open("pair", { from: plain });
  assert.ok((await page.locator(".view.empty").innerText()).includes("WebGL"));
  await page.keyboard.press("n");
  assert.equal((await state(page)).incident, report.incidents[1]!.id);
  await close();
  await plain.close();
});

test("a broken shot says so, and the rest works", async () => {
  const { file } = pages.get("pair")!;
  const text = readFileSync(file, "utf8").replace(/(id="shot">.{2000})[^<]*/, "$1");
  writeFileSync("out/pages/cut.html", text);
  const page = await browser.newPage();
  await page.goto(pathToFileURL(join(process.cwd(), "out/pages/cut.html")).href);
  await page.waitForFunction(() => document.querySelector(".view.empty")?.textContent?.includes("cannot be shown"));
  assert.equal(await page.locator(".row").count(), 3);
  await page.close();
});

test("one still moment has no timeline and nothing to play", async () => {
  for (const name of ["one-frame", "cad"]) {
    const { page, close } = await open(name);
    assert.equal(await page.getByRole("tab", { name: "Timeline" }).count(), 0);
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowRight");
    const { playing, frame } = await state(page);
    assert.deepEqual([playing, frame], [false, name === "cad" ? 0 : 86]);
    await close();
  }
});

test("controls have names, and focus is seen", async () => {
  const { page, close } = await open("pair");
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, [role]")].filter((element) => {
    const label = element.getAttribute("aria-label") ?? element.getAttribute("aria-labelledby") ?? element.textContent;
    return !label?.trim() && element.getAttribute("role") !== "status";
  }).map((element) => element.outerHTML.slice(0, 120)));
  assert.deepEqual(nameless, []);
  let met = 0;
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
    if (outline !== "none") met++;
  }
  assert.equal(met, 12);
  await close();
});

test("prints: the summary, a picture and the incidents", async () => {
  const { page, close } = await open("pair", { dark: true });
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  assert.ok(!(await state(page)).dark, "paper is light");
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>(".print-only img")?.complete);
  assert.equal(await page.locator(".print-only tbody tr").count(), 3);
  assert.ok(!(await page.locator(".list").isVisible()));
  const pdf = await page.pdf();
  assert.ok(pdf.length > 20_000, `${pdf.length}`);
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.ok((await state(page)).dark);
  await close();
});

// The others are of a real report: report.test.ts takes them.
test("pictures for the documents of what the built-in scene does not show", { skip: !pictures }, async () => {
  const shots: [string, string, Look][] = [["report-matrix", "cad", {}], ["report-clean", "clean", { dark: true }]];
  for (const [name, sample, look] of shots) {
    const { page, close } = await open(sample, look);
    await picture(page, name);
    await close();
  }
});
