/** Which browser, how it is started, and how tests look at a page in it. */
import { existsSync } from "node:fs";
import type { Page } from "playwright-core";
import type { Store } from "../src/state.ts";
import type { View } from "../src/scene/view.ts";

declare global {
  interface Window {
    elbowroom: { store: Store; view?: View; ready: Promise<void> };
    hacked?: number;
  }
}

export const executablePath = process.env.ELBOWROOM_BROWSER ?? ["chromium", "chromium-browser", "google-chrome"].map((name) => `/usr/bin/${name}`).find((path) => existsSync(path))!;
export const ARGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

export const state = (page: Page): Promise<{ incident: number | null; frame: number; playing: boolean; ghost: boolean; dark: boolean }> =>
  page.evaluate(() => {
    const { incident, frame, playing, ghost, dark } = window.elbowroom.store.state;
    return { incident, frame, playing, ghost, dark };
  });

/** How many colours the view has, a number that changes with the picture, and what was drawn. */
export const drawn = (page: Page): Promise<{ colours: number; sum: number; what: ReturnType<View["draw"]> }> =>
  page.evaluate(() => {
    const what = window.elbowroom.view!.draw();
    const from = document.querySelector<HTMLCanvasElement>(".view canvas")!;
    const to = document.createElement("canvas");
    [to.width, to.height] = [320, 200];
    const context = to.getContext("2d")!;
    context.drawImage(from, 0, 0, 320, 200);
    const { data } = context.getImageData(0, 0, 320, 200);
    const seen = new Set<number>();
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) {
      const colour = (data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!;
      seen.add(colour);
      sum = (Math.imul(sum, 31) + colour) | 0;
    }
    return { colours: seen.size, sum, what };
  });

export const settled = (page: Page): Promise<void> => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
