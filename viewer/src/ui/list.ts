/** The ranked list, with filter and order. Only the rows in sight are there, so that thousands scroll as ten do. */
import { h, refill } from "../dom.ts";
import type { Incident } from "../data.ts";
import { scaled } from "../colour.ts";
import { count, counted } from "../format.ts";
import { EVERYTHING, severity } from "../rank.ts";
import type { Order } from "../rank.ts";
import type { Store } from "../state.ts";
import { icon } from "./icons.ts";

const ROW = 54;

export function list(store: Store): HTMLElement {
  const rows = h("div", { class: "rows" });
  const scroller = h("div", {
    class: "scroller", tabindex: 0, role: "listbox", "aria-label": "Incidents, worst first",
    onscroll: () => draw(), onkeydown: (event: KeyboardEvent) => byKey(event),
  }, rows);
  const found = h("div", { class: "found soft", role: "status" });
  let shown: readonly Incident[] = [];

  const byKey = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    store.neighbour(by as 1 | -1);
  };

  const draw = (): void => {
    const from = Math.max(0, Math.floor(scroller.scrollTop / ROW) - 3);
    const to = Math.min(shown.length, Math.ceil((scroller.scrollTop + scroller.clientHeight) / ROW) + 3);
    rows.style.height = `${shown.length * ROW}px`;
    refill(rows, ...shown.slice(from, to).map((incident, i) => row(store, incident, from + i)));
    if (shown.length === 0) rows.append(empty(store));
    const at = shown.findIndex((incident) => incident.id === store.state.incident);
    if (at >= from && at < to) scroller.setAttribute("aria-activedescendant", `incident-${shown[at]!.id}`);
    else scroller.removeAttribute("aria-activedescendant");
  };
  const follow = (): void => {
    const at = shown.findIndex((incident) => incident.id === store.state.incident);
    if (at < 0) return;
    if (at * ROW < scroller.scrollTop) scroller.scrollTop = at * ROW;
    const low = (at + 1) * ROW - scroller.clientHeight;
    if (low > scroller.scrollTop) scroller.scrollTop = low;
  };
  store.on(["filter", "order", "unit", "dark"], () => {
    shown = store.listed();
    const all = store.report.incidents.length;
    const many = shown.length === all ? counted(all, "incident") : `${count(shown.length)} of ${counted(all, "incident")}`;
    // The rows have no room for the words.
    found.textContent = all > 0 && store.report.severity === "pairs" ? `${many}, each with its triangle pairs` : many;
    draw();
  });
  store.on(["incident"], () => {
    follow();
    draw();
  });
  new ResizeObserver(draw).observe(scroller);
  const any = store.report.incidents.length > 0;
  return h("section", { class: "panel list", "aria-label": "Incidents" }, any && controls(store), found, scroller);
}

function controls(store: Store): HTMLElement {
  const { report } = store;
  const filter = (change: Partial<typeof EVERYTHING>): void => store.set({ filter: { ...store.state.filter, ...change } });
  const text = h("input", {
    type: "search", placeholder: "Filter by name or part", "aria-label": "Filter by name or body part",
    oninput: (event: Event) => filter({ text: (event.target as HTMLInputElement).value }),
  });
  const kinds = [...new Set(report.incidents.map((incident) => incident.kind))].sort();
  const kind = h("select", { "aria-label": "Kind", onchange: (event: Event) => filter({ kind: (event.target as HTMLSelectElement).value }) },
    h("option", { value: "" }, "all kinds"), ...kinds.map((name) => h("option", { value: name }, name)));
  const order = h("select", { "aria-label": "Order", onchange: (event: Event) => store.set({ order: (event.target as HTMLSelectElement).value as Order }) },
    ...([["rank", "worst first"], ["first", "by time"], ["longest", "longest first"], ["name", "by name"]] as const).map(([value, word]) => h("option", { value }, word)));
  const least = h("input", { type: "range", min: 0, max: 100, value: 0, "aria-label": "Minimum severity" });
  const leastWord = h("output", { class: "soft" });
  const wordLeast = (): void => {
    leastWord.textContent = `≥ ${store.format.measure(store.state.filter.least)}`;
  };
  least.addEventListener("input", () => filter({ least: (Number(least.value) / 100) ** 2 * store.worst }));
  const chips = h("div", { class: "chips" });
  store.on(["filter", "unit"], () => {
    wordLeast();
    const { objects } = store.state.filter;
    refill(chips, objects.length > 0 && h("button", {
      class: "chip", title: "Show all again", onclick: () => filter({ objects: [] }),
    }, objects.length === 2 ? store.format.pair(objects[0]!, objects[1]!) : store.format.name(objects[0]!), icon("close")));
    if (store.state.filter === EVERYTHING) {
      text.value = "";
      kind.value = "";
      least.value = "0";
    }
  });
  return h("div", { class: "controls" }, text,
    h("div", { class: "line" }, kind, order),
    store.worst > 0 && h("label", { class: "line slider" }, least, leastWord),
    chips);
}

function row(store: Store, incident: Incident, at: number): HTMLElement {
  const { format, report, colours } = store;
  const parts = incident.parts[0];
  const where = parts ? [format.part(incident.a, parts.a), format.part(incident.b, parts.b)].filter(Boolean).join(" · ") : "";
  const fraction = store.fraction(severity(report, incident));
  const chosen = incident.id === store.state.incident;
  const element = h("div", {
    class: `row${chosen ? " chosen" : ""}`, id: `incident-${incident.id}`, role: "option", "aria-selected": chosen ? "true" : "false",
    onclick: () => store.look(incident), title: tooltip(store, incident),
  },
    h("span", { class: "rank" }, `${incident.id}`),
    h("span", { class: "who cut" }, format.shortPair(incident.a, incident.b)),
    h("span", { class: "much" }, report.severity === "pairs" ? count(incident.pairs) : format.severity(incident)),
    h("span", { class: "where soft cut" }, [incident.kind === "crossing" && where ? "" : incident.kind, where].filter(Boolean).join(" · ")),
    h("span", { class: "when soft" }, report.frames.count > 1 ? format.span(incident.first, incident.last) : ""),
  );
  element.style.top = `${at * ROW}px`;
  const bar = h("span", { class: "bar" });
  bar.style.width = `${Math.max(2, 100 * fraction)}%`;
  bar.style.background = scaled(colours, fraction);
  element.append(bar);
  if (incident.certainty?.startsWith("estimate")) element.querySelector(".much")!.prepend(h("span", { class: "about", title: incident.certainty }, "≈ "));
  return element;
}

/** Who meets whom by their whole names. */
function tooltip({ format }: Store, incident: Incident): string {
  const objects = incident.a === incident.b ? [incident.a] : [incident.a, incident.b];
  const part = incident.parts[0];
  const parts = part ? [format.wholePart(incident.a, part.a), format.wholePart(incident.b, part.b)].filter(Boolean).join(" × ") : "";
  return [objects.map((object) => format.whole(object)).join(" × "), parts].filter(Boolean).join("\n");
}

function empty(store: Store): HTMLElement {
  if (store.report.incidents.length > 0) {
    return h("div", { class: "empty" }, "No incident matches the filter.",
      h("button", { onclick: () => store.set({ filter: EVERYTHING }) }, "Show all"));
  }
  const { frames_examined, pairs_examined } = store.report.counts;
  return h("div", { class: "empty" }, `No incidents: ${counted(pairs_examined, "pair")} of objects examined in ${counted(frames_examined, "frame")}.`);
}
