/** Reads the data in the page, and puts the page together. */
import { unpack } from "./container.ts";
import type { Report } from "./data.ts";
import { SCHEMA_VERSION } from "./data.ts";
import { h } from "./dom.ts";
import { startPlayer } from "./player.ts";
import { Shot } from "./shot.ts";
import { Store } from "./state.ts";
import { hasCard } from "./scene/card.ts";
import { View } from "./scene/view.ts";
import { divider, head, tabs, titleOf } from "./ui/frame.ts";
import { bindKeys, help } from "./ui/help.ts";
import { inspector } from "./ui/inspector.ts";
import { list } from "./ui/list.ts";
import { matrix } from "./ui/matrix.ts";
import { notes } from "./ui/notes.ts";
import { parts } from "./ui/parts.ts";
import { printed } from "./ui/print.ts";
import { summary } from "./ui/summary.ts";
import { Timeline } from "./ui/timeline.ts";
import { transport } from "./ui/transport.ts";

/** What tests and the curious get at, as `window.elbowroom`. */
interface Handle {
  store: Store;
  view?: View;
  /** Once the view is there, or it is known that it cannot be. */
  ready: Promise<void>;
}

function start(): void {
  const text = document.getElementById("report")?.textContent;
  if (!text) return fail("This page has no report in it. The program writes a page with a report: elbowroom check shot.glb -o report.html");
  let report: Report;
  try {
    report = JSON.parse(text) as Report;
  } catch (error) {
    return fail(`The report in this page cannot be read: ${String(error)}. Was the file cut off?`);
  }
  if (report.schema_version !== SCHEMA_VERSION) {
    return fail(`The report has version ${report.schema_version}, and this page reads version ${SCHEMA_VERSION}. Write the report again with this version of the program.`);
  }
  // Read before the page takes the place of what it was read from.
  const packed = document.getElementById("shot")?.textContent;
  const wanted = window.matchMedia("(prefers-color-scheme: dark)");
  const store = new Store(report, wanted.matches);
  wanted.addEventListener("change", () => store.set({ dark: wanted.matches }));
  const handle: Handle = { store, ready: Promise.resolve() };
  (window as unknown as { elbowroom: Handle }).elbowroom = handle;
  if (!store.followLink(location.hash) && report.incidents[0]) store.look(report.incidents[0]);
  build(store, handle, packed);
}

/** A report that is not as it should be is told so, in words, where one would look. */
function startOrSay(): void {
  try {
    start();
  } catch (error) {
    fail(`The report in this page is malformed: ${error instanceof Error ? error.message : String(error)}. docs/report-data.md describes it.`);
  }
}

function build(store: Store, handle: Handle, packed: string | null | undefined): void {
  document.title = `${titleOf(store)} · elbowroom`;
  const keys = help();
  const look = (): void => handle.view?.look();
  const stage = h("div", { class: "stage" }, h("div", { class: "view empty" }, "…"));
  const middle = h("main", { class: "panel middle", "aria-label": "The shot" }, stage, transport(store, look));
  const app = h("div", { class: "app" });
  const several: [string, () => HTMLElement][] = [
    ["Pairs", () => matrix(store)],
    ["Parts", () => parts(store)],
    ["Input and notes", () => notes(store)],
  ];
  // Where there is no time there is no timeline.
  if (store.report.frames.count > 1) several.unshift(["Timeline", () => new Timeline(store).element]);
  app.append(head(store, () => keys.showModal()), summary(store), list(store), middle, inspector(store), divider(app), tabs(several),
    printed(store, () => picture(handle)));
  document.body.replaceChildren(app, keys);
  store.on(["dark"], () => (document.documentElement.dataset.theme = store.state.dark ? "dark" : "light"));
  bindKeys(store, keys, look);
  startPlayer(store);
  followLinks(store);
  performance.mark("elbowroom: page");
  handle.ready = show(store, handle, stage, packed);
}

/** Keeps the address at what is shown, and goes where it is changed to. */
function followLinks(store: Store): void {
  const write = (): void => {
    if (!store.state.playing) history.replaceState(null, "", store.link());
  };
  // Browsers limit how often the address may change.
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.on(["incident", "frame", "playing"], () => {
    clearTimeout(timer);
    timer = setTimeout(write, 250);
  });
  window.addEventListener("hashchange", () => {
    clearTimeout(timer);
    store.followLink(location.hash);
  });
}

async function show(store: Store, handle: Handle, stage: HTMLElement, packed: string | null | undefined): Promise<void> {
  const say = (text: string): void => stage.replaceChildren(h("div", { class: "view empty" }, text));
  if (!packed) return say("This report has no shot to play. Everything else is here.");
  const canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": "The shot in 3-D. Drag to orbit, wheel to zoom; ? lists the keys." });
  const isStrong = hasCard();
  // Where there is no card, edges are smoothed by drawing larger once nothing moves: smoothing them in every frame takes as long as all the rest.
  const context = canvas.getContext("webgl2", { antialias: isStrong });
  if (!context) return say("This browser cannot draw 3-D (WebGL 2 is off), so the view is empty. Everything else works.");
  say("unpacking …");
  try {
    const data = await unpack(packed);
    performance.mark("elbowroom: unpacked");
    const shot = new Shot(data, store.report.frames.count, store.report.up);
    const view = new View(store, shot, canvas, context, isStrong);
    stage.replaceChildren(view.element);
    handle.view = view;
    performance.mark("elbowroom: drawn");
  } catch (error) {
    say(`The shot cannot be shown: ${error instanceof Error ? error.message : String(error)}. Everything else works.`);
  }
}

/** The view as it is, for print. */
function picture(handle: Handle): string | undefined {
  if (!handle.view) return undefined;
  handle.view.draw();
  return handle.view.element.querySelector("canvas")?.toDataURL("image/png");
}

function fail(text: string): void {
  document.body.replaceChildren(h("div", { class: "app failed" }, h("div", { class: "empty" }, text)));
}

startOrSay();
