/** One incident in words and numbers, with its depth over time. */
import { h, refill } from "../dom.ts";
import type { Incident } from "../data.ts";
import { count, counted } from "../format.ts";
import { involved } from "../rank.ts";
import type { Store } from "../state.ts";
import { chart } from "./chart.ts";
import type { Chart } from "./chart.ts";
import { icon } from "./icons.ts";

const KINDS: Record<string, string> = {
  duplicate: "The same shape, twice in one place.",
  containment: "One is inside the other.",
  crossing: "They pass through each other.",
  touching: "They touch; neither is in the other.",
  clearance: "Apart, but nearer than the clearance.",
  passing: "They pass through each other between two frames, and in no frame.",
};

export function inspector(store: Store): HTMLElement {
  const body = h("div", { class: "scroller pad" });
  let shown: Chart | undefined;
  store.on(["incident", "unit", "dark"], () => {
    const incident = store.incident;
    shown = incident && incident.series.length > 0 && store.report.frames.count > 1 ? chart(store, incident) : undefined;
    refill(body, ...(incident ? details(store, incident, shown) : [nothing(store)]));
    shown?.at(store.state.frame);
  });
  store.on(["frame"], () => shown?.at(store.state.frame));
  return h("section", { class: "panel inspector", "aria-label": "The incident" }, body);
}

function details(store: Store, incident: Incident, shown: Chart | undefined): (Node | false)[] {
  const { format, report, colours } = store;
  const facts: [string, string][] = [];
  if (incident.depth !== null) facts.push(["Depth", `${incident.certainty?.startsWith("estimate") ? "about " : ""}${format.length(incident.depth)}`]);
  if (incident.distance !== null && incident.distance !== undefined) facts.push(["Distance", format.length(incident.distance)]);
  if (report.frames.count > 1) {
    const seconds = report.fps ? ` · ${((incident.last - incident.first + report.frames.step) / report.fps).toFixed(2)} s` : "";
    facts.push(["Frames", `${format.span(incident.first, incident.last)} (${count(incident.frames)})${seconds}`]);
    facts.push(["Worst", format.frame(incident.worst)]);
  }
  facts.push(["Triangle pairs", count(incident.pairs)]);
  const finer: [string, string][] = [];
  if (incident.certainty) finer.push(["Certainty", incident.certainty]);
  if (incident.point) finer.push(["Point", vector(store, incident.point)]);
  if (incident.normal) finer.push(["Normal", incident.normal.map((x) => x.toFixed(2)).join("  ")]);
  const terms = (pairs: [string, string][]): HTMLElement => h("dl", {}, ...pairs.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  const dot = (colour: string): HTMLElement => {
    const element = h("span", { class: "dot" });
    element.style.background = colour;
    return element;
  };
  const only = (object: number): void => store.set({ filter: { ...store.state.filter, objects: [object] } });
  const who = (object: number, colour: string): HTMLElement =>
    h("button", { class: "who quiet", title: `Show only incidents of ${format.whole(object)}`, onclick: () => only(object) }, dot(colour), h("span", { class: "cut" }, format.name(object)));
  return [
    h("div", { class: "inspector-head" },
      h("span", { class: "badge" }, `#${incident.id}`), h("span", { class: "badge kind" }, incident.kind), h("span", { class: "grow" }),
      h("button", { class: "quiet", title: "Copy a link to this incident and frame", "aria-label": "Copy link", onclick: (event: Event) => void copy(store, event.currentTarget as HTMLElement) }, icon("link"), "link")),
    h("div", { class: "pairing" }, who(incident.a, colours.a), incident.a === incident.b ? h("span", { class: "soft" }, "with itself") : who(incident.b, colours.b)),
    h("p", { class: "soft" }, KINDS[incident.kind] ?? incident.kind),
    shown ? h("div", { class: "chart-box" }, h("div", { class: "label" }, incident.series.some(([, depth]) => depth !== null) ? "Depth over time" : "Triangle pairs over time"), shown.element) : false,
    terms(facts),
    incident.parts.length > 0 && h("div", { class: "meeting" },
      h("div", { class: "label" }, `Parts that meet, ${incident.parts.some((part) => part.depth != null) ? "depth" : "triangle pairs"}`),
      h("table", { class: "tight" }, h("tbody", {}, ...incident.parts.slice(0, 8).map((part) => h("tr", {},
        h("td", { class: "cut", title: format.wholePart(incident.a, part.a) }, format.part(incident.a, part.a) || format.name(incident.a)),
        h("td", { class: "cut", title: format.wholePart(incident.b, part.b) }, format.part(incident.b, part.b) || format.name(incident.b)),
        h("td", { class: "number" }, part.depth !== undefined && part.depth !== null ? format.length(part.depth) : count(part.pairs))))))),
    incident.parts.length > 8 && h("div", { class: "soft" }, `and ${counted(incident.parts.length - 8, "more", "more")}`),
    terms(finer),
  ];
}

function vector(store: Store, point: [number, number, number]): string {
  const { unit } = store.report;
  const digits = unit === "m" ? 2 : 3;
  return `${point.map((x) => x.toFixed(digits)).join("  ")}${unit === null ? "" : ` ${unit}`}`;
}

async function copy(store: Store, button: HTMLElement): Promise<void> {
  const link = location.href.replace(/#.*$/, "") + store.link();
  try {
    await navigator.clipboard.writeText(link);
    button.lastChild!.textContent = "copied";
  } catch {
    // Not every browser lets files write to the clipboard: the address bar has the link.
    history.replaceState(null, "", store.link());
    button.lastChild!.textContent = "see address";
  }
  setTimeout(() => (button.lastChild!.textContent = "link"), 1500);
}

/** No incident is chosen: lists who is in the most incidents. */
function nothing(store: Store): HTMLElement {
  const { report, format } = store;
  if (report.incidents.length === 0) return h("div", { class: "empty" }, "There are no incidents. The view plays the shot.");
  const rows = involved(report).slice(0, 12).map((object) => {
    const own = report.incidents.filter((incident) => incident.a === object || incident.b === object);
    const only = (): void => store.set({ filter: { ...store.state.filter, objects: [object] } });
    return h("tr", {},
      h("td", { class: "cut" }, h("button", { class: "quiet", onclick: only, title: "Show only incidents of this object" }, format.name(object))),
      h("td", { class: "number" }, count(own.length)), h("td", { class: "number" }, format.severity(own[0]!)));
  });
  return h("div", {},
    h("p", { class: "soft" }, "Choose an incident: in the list, on the timeline, or with n."),
    h("div", { class: "label" }, "In the most incidents, and the worst of each"),
    h("table", { class: "tight" }, h("tbody", {}, ...rows)));
}
