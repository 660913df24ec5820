/** The frame of the page: head, tabs, and the bar between view and tabs that can be moved. */
import { h } from "../dom.ts";
import type { LengthUnit } from "../format.ts";
import { readable } from "../format.ts";
import type { State, Store } from "../state.ts";
import { icon } from "./icons.ts";

export function titleOf(store: Store): string {
  const { title, files } = store.report;
  const first = files[0]?.path.replace(/^.*[\\/]/, "") ?? "report";
  return readable(title ?? (files.length > 2 ? `${files.length} files` : first));
}

export function head(store: Store, openHelp: () => void): HTMLElement {
  const { report, format } = store;
  const unit = h("select", { "aria-label": "Unit of lengths", title: "Unit of lengths", onchange: (event: Event) => store.set({ unit: (event.target as HTMLSelectElement).value as LengthUnit }) },
    ...(["mm", "cm", "m"] as const).map((name) => h("option", { value: name, selected: name === store.state.unit }, name)));
  const frames = report.frames.count > 1 ? `frames ${format.span(report.frames.first, report.frames.last)}` : "";
  const rate = report.fps === null || report.frames.count === 1 ? "" : `${Number(report.fps.toFixed(3))} fps · ${(report.frames.count * report.frames.step / report.fps).toFixed(1)} s`;
  return h("header", { class: "head" },
    h("span", { class: "brand" }, "elbowroom"),
    h("h1", { class: "cut", title: titleOf(store) }, titleOf(store)),
    h("span", { class: "soft cut wide-only" }, [frames, rate].filter(Boolean).join(" · ")),
    h("span", { class: "grow" }),
    format.hasUnit && unit,
    h("button", { class: "quiet", "aria-label": "Light or dark", title: "Light or dark", onclick: () => store.set({ dark: !store.state.dark }) }, icon("theme")),
    h("button", { class: "quiet", "aria-label": "Keys", title: "Keys (?)", onclick: openHelp }, "?"));
}

const SHOWN = "elbowroom:shown";

/** Calls back when one of these has changed, but only while the pane is shown: else once, when it is shown again. */
export function whileShown(store: Store, pane: HTMLElement, keys: (keyof State)[], told: () => void): void {
  let isStale = true;
  const refresh = (): void => {
    if (!isStale) return;
    isStale = false;
    told();
  };
  store.on(keys, () => {
    isStale = true;
    if (pane.isConnected) refresh();
  });
  pane.addEventListener(SHOWN, refresh);
}

/** Tabs, each made when it is first shown. */
export function tabs(all: [name: string, make: () => HTMLElement][]): HTMLElement {
  const body = h("div", { class: "tab-body", role: "tabpanel", id: "tab-body" });
  const made = new Map<string, HTMLElement>();
  const buttons = all.map(([name], i) => {
    const button = h("button", {
      role: "tab", id: `tab-${i}`, "aria-controls": "tab-body", onclick: () => show(i),
      onkeydown: (event: KeyboardEvent) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (by !== undefined) show((i + by + all.length) % all.length, true);
      },
    }, name);
    return button;
  });
  const show = (at: number, focus = false): void => {
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === at));
      button.tabIndex = i === at ? 0 : -1;
    });
    if (focus) buttons[at]!.focus();
    const [name, make] = all[at]!;
    const pane = made.get(name) ?? make();
    made.set(name, pane);
    body.setAttribute("aria-labelledby", `tab-${at}`);
    body.replaceChildren(pane);
    pane.dispatchEvent(new Event(SHOWN));
  };
  const section = h("section", { class: "panel tabs" }, h("div", { class: "tab-line", role: "tablist" }, ...buttons), body);
  show(0);
  return section;
}

/** A bar that is dragged, or moved with the arrow keys, to share the height. */
export function divider(root: HTMLElement): HTMLElement {
  const set = (height: number): void => root.style.setProperty("--tabs", `${Math.round(Math.min(window.innerHeight - 300, Math.max(120, height)))}px`);
  const height = (): number => root.querySelector(".tabs")!.getBoundingClientRect().height;
  const bar = h("div", { class: "divider", role: "separator", tabindex: 0, "aria-orientation": "horizontal", "aria-label": "Height of the lower part",
    onkeydown: (event: KeyboardEvent) => {
      const by = { ArrowUp: 24, ArrowDown: -24 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      set(height() + by);
    } });
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    const [start, from] = [event.clientY, height()];
    const move = (to: PointerEvent): void => set(from + start - to.clientY);
    bar.addEventListener("pointermove", move);
    bar.addEventListener("pointerup", () => bar.removeEventListener("pointermove", move), { once: true });
  });
  return bar;
}
