/** Which parts of bodies are in contact: a figure where names say where a part is, and a table. */
import { h, refill, svg } from "../dom.ts";
import { scaled } from "../colour.ts";
import type { Report } from "../data.ts";
import { count, readable } from "../format.ts";
import { countsPartFrames, involved, partHeat, partMeetings, region } from "../rank.ts";
import type { PartHeat } from "../rank.ts";
import type { Store } from "../state.ts";
import { whileShown } from "./frame.ts";

/** Where regions are on a figure of 100 by 210 that faces us, so that its left is on our right. Each is a capsule: from, to, radius. */
const FIGURE: Record<string, [number, number, number, number, number]> = {
  head: [50, 17, 50, 23, 11],
  neck: [50, 38, 50, 42, 5],
  chest: [50, 56, 50, 68, 17],
  belly: [50, 86, 50, 90, 14.5],
  hips: [50, 105, 50, 109, 16],
};
for (const [side, sign] of [["left", 1], ["right", -1]] as const) {
  const x = (offset: number): number => 50 + sign * offset;
  FIGURE[`${side}-arm`] = [x(25), 55, x(29), 80, 6.5];
  FIGURE[`${side}-forearm`] = [x(30), 91, x(33), 112, 5.5];
  FIGURE[`${side}-hand`] = [x(34), 122, x(35), 130, 5];
  FIGURE[`${side}-thigh`] = [x(10), 124, x(11), 149, 8];
  FIGURE[`${side}-shin`] = [x(11), 162, x(12), 184, 6.500];
  FIGURE[`${side}-foot`] = [x(12), 196, x(17), 200, 5];
}

type Measure = "frames" | "pairs" | "depth";

export function parts(store: Store): HTMLElement {
  const { report } = store;
  let measure: Measure = countsPartFrames(report) || report.incidents.every((incident) => incident.frames <= 1) ? "frames" : "pairs";
  let only: number | null = null;
  const body = h("div", { class: "heat" });
  const hasDepth = report.incidents.some((incident) => incident.depth !== null);
  const who = h("select", { "aria-label": "Parts of which object", onchange: (event: Event) => {
    const value = (event.target as HTMLSelectElement).value;
    only = value === "" ? null : Number(value);
    draw();
  } }, h("option", { value: "" }, "everyone"),
    ...involved(report).filter((object) => report.objects[object]!.parts.length > 0).slice(0, 500).map((object) => h("option", { value: object }, store.format.name(object))));
  const by = h("select", { "aria-label": "Measure", onchange: (event: Event) => {
    measure = (event.target as HTMLSelectElement).value as Measure;
    draw();
  } }, h("option", { value: "frames", selected: measure === "frames" }, framesWord(store)),
    h("option", { value: "pairs", selected: measure === "pairs" }, "triangle pairs"), hasDepth && h("option", { value: "depth" }, "worst depth"));

  let later: ReturnType<typeof setTimeout> | undefined;
  const draw = (): void => {
    clearTimeout(later);
    const heat = partHeat(report, store.listed(), only);
    const value = (part: PartHeat): number => (measure === "depth" ? (part.depth ?? 0) : part[measure]);
    heat.sort((p, q) => value(q) - value(p));
    const most = heat.length > 0 ? value(heat[0]!) : 0;
    const fraction = (part: PartHeat): number => (most > 0 ? value(part) / most : 0);
    if (heat.length === 0) {
      refill(body, h("div", { class: "empty" }, "No body parts: the files name no joints or links."));
      return;
    }
    refill(body, figure(store, heat, fraction), table(store, heat, fraction));
    // The other half in a task of its own: of a large crowd each takes a while.
    later = setTimeout(() => body.append(meetings(store, only, measure)), 0);
  };
  const pane = h("div", { class: "pane" }, h("div", { class: "tools" }, h("span", { class: "soft" }, "Parts of"), who, h("span", { class: "soft" }, "by"), by), body);
  // Not with the pane itself, for the same reason.
  whileShown(store, pane, ["filter", "unit", "dark"], () => {
    clearTimeout(later);
    later = setTimeout(draw, 0);
  });
  return pane;
}

function figure(store: Store, heat: PartHeat[], fraction: (part: PartHeat) => number): SVGElement | null {
  const regions = new Map<string, { worst: PartHeat; names: string[] }>();
  for (const part of heat) {
    const where = region(part.part);
    if (!where) continue;
    const known = regions.get(where);
    if (known) known.names.push(part.part);
    else regions.set(where, { worst: part, names: [part.part] });
  }
  if (regions.size < 2) return null;
  const { colours } = store;
  return svg("svg", { viewBox: "0 0 100 210", class: "figure", role: "img", "aria-label": "Body parts in contact, on a figure that faces you; the table has the same in words" },
    ...Object.entries(FIGURE).map(([name, [x0, y0, x1, y1, radius]]) => {
      const found = regions.get(name);
      const limb = svg("line", {
        x1: x0, y1: y0, x2: x1, y2: y1, "stroke-width": 2 * radius, "stroke-linecap": "round",
        stroke: found ? scaled(colours, fraction(found.worst)) : colours.line, class: found ? "hot" : "",
        onclick: () => found && store.look(found.worst.worst),
      });
      if (found) limb.append(svg("title", {}, found.names.map(readable).join(", ")));
      return limb;
    }));
}

const framesWords = new WeakMap<Report, string>();

/** What frames of parts are; found out once, since it may take a look at all meetings of parts. */
function framesWord({ report }: Store): string {
  const word = framesWords.get(report) ?? (countsPartFrames(report) ? "frames in contact" : "frames of their incidents");
  framesWords.set(report, word);
  return word;
}

function table(store: Store, heat: PartHeat[], fraction: (part: PartHeat) => number): HTMLElement {
  const { colours, format } = store;
  const cells = heat.map((part) => {
    const bar = h("span", { class: "bar" });
    bar.style.width = `${Math.max(1, 100 * fraction(part))}%`;
    bar.style.background = scaled(colours, fraction(part));
    return h("tr", { onclick: () => store.look(part.worst), tabindex: 0, onkeydown: (event: KeyboardEvent) => event.key === "Enter" && store.look(part.worst) },
      h("td", { class: "cut" }, readable(part.part)),
      h("td", { class: "bars" }, bar),
      h("td", { class: "number" }, count(part.frames)),
      h("td", { class: "number" }, count(part.pairs)),
      h("td", { class: "number" }, format.length(part.depth)),
      h("td", { class: "number" }, count(part.incidents)));
  });
  return h("div", { class: "scroller", tabindex: -1 }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", {}, "part"), h("th", {}), h("th", { class: "number", title: framesWord(store) }, "frames"), h("th", { class: "number" }, "triangle pairs"), h("th", { class: "number" }, "worst depth"),
      h("th", { class: "number" }, "incidents"))),
    h("tbody", {}, ...cells)));
}

/** Which part with which. */
function meetings(store: Store, only: number | null, measure: Measure): HTMLElement {
  const all = partMeetings(store.report, store.listed(), only);
  const found = all.sort((p, q) => (q[measure] ?? 0) - (p[measure] ?? 0)).slice(0, 60);
  const name = (part: string): string => (part ? readable(part) : "(whole)");
  const rows = found.map((one) => h("tr", { onclick: () => store.look(one.worst), tabindex: 0, onkeydown: (event: KeyboardEvent) => event.key === "Enter" && store.look(one.worst) },
    h("td", { class: "cut" }, `${name(one.names[0])} × ${name(one.names[1])}`),
    h("td", { class: "number" }, count(one.frames)), h("td", { class: "number" }, count(one.pairs)),
    h("td", { class: "number" }, store.format.length(one.depth))));
  return h("div", { class: "scroller", tabindex: -1 }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", {}, "pairs of parts"), h("th", { class: "number", title: framesWord(store) }, "frames"), h("th", { class: "number" }, "triangle pairs"), h("th", { class: "number" }, "worst depth"))),
    h("tbody", {}, ...rows)));
}
