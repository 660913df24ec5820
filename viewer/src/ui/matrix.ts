/** Who with whom: a cell for every two objects that meet, coloured by the worst of their incidents. Only what is in sight is drawn. */
import { Surface, fittedEnd, h, hideTip, showTip } from "../dom.ts";
import { scaled } from "../colour.ts";
import { counted } from "../format.ts";
import { byPair, involved } from "../rank.ts";
import type { PairRow } from "../rank.ts";
import type { Store } from "../state.ts";
import { whileShown } from "./frame.ts";
import { legend } from "./legend.ts";

const LEFT = 132;
const TOP = 84;

export function matrix(store: Store): HTMLElement {
  const order = involved(store.report);
  const n = order.length;
  const place = new Map(order.map((object, at) => [object, at]));
  const cells = new Map<number, PairRow>();
  let hover: [number, number] | undefined;
  const canvas = h("canvas", { role: "img", "aria-label": `Pairs of objects: ${counted(n, "object")} in incidents. The list of incidents has the same in words.` });
  const sticky = h("div", { class: "sticky both" }, canvas);
  const spacer = h("div", { class: "spacer" });
  const scroller = h("div", { class: "scroller matrix", tabindex: 0, "aria-label": "Pairs of objects" }, sticky, spacer);
  // Few objects get large cells, many small ones; smaller than the eye can hit they do not get.
  const cell = (): number => Math.max(15, Math.min(30, Math.floor(Math.min(scroller.clientWidth - LEFT, scroller.clientHeight - TOP + 60) / Math.max(1, n))));

  const surface = new Surface(canvas, (context, width, height) => {
    const { colours, format, state } = store;
    const size = cell();
    const [x0, y0] = [scroller.scrollLeft, scroller.scrollTop];
    const columns = span(x0, width - LEFT, size, n);
    const rows = span(y0, height - TOP, size, n);
    const chosen = store.incident;
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.save();
    context.beginPath();
    context.rect(LEFT, TOP, width - LEFT, height - TOP);
    context.clip();
    for (let r = rows[0]; r < rows[1]; r++) {
      for (let c = columns[0]; c < columns[1]; c++) {
        const [x, y] = [LEFT + c * size - x0, TOP + r * size - y0];
        const row = cells.get(key(order[r]!, order[c]!));
        context.fillStyle = row ? scaled(colours, store.fraction(row.worst)) : `${colours.line}66`;
        context.fillRect(x + 0.5, y + 0.5, size - 1, size - 1);
        const isChosen = chosen !== undefined && key(order[r]!, order[c]!) === key(chosen.a, chosen.b);
        if (isChosen || (hover?.[0] === r && hover[1] === c)) {
          context.strokeStyle = isChosen ? colours.accent : colours.ink;
          context.lineWidth = 2;
          context.strokeRect(x + 1, y + 1, size - 2, size - 2);
        }
      }
    }
    context.restore();
    const inPair = (object: number): boolean => state.incident !== null && (chosen?.a === object || chosen?.b === object);
    for (let r = rows[0]; r < rows[1]; r++) {
      const y = TOP + r * size - y0 + size / 2;
      if (y < TOP - 2) continue;
      context.textAlign = "right";
      context.fillStyle = inPair(order[r]!) || hover?.[0] === r ? colours.ink : colours.soft;
      context.fillText(fittedEnd(context, format.name(order[r]!), LEFT - 16), LEFT - 8, y);
    }
    for (let c = columns[0]; c < columns[1]; c++) {
      const x = LEFT + c * size - x0 + size / 2;
      if (x < LEFT - 2) continue;
      context.save();
      context.translate(x, TOP - 6);
      context.rotate(-Math.PI / 3);
      context.textAlign = "left";
      context.fillStyle = inPair(order[c]!) || hover?.[1] === c ? colours.ink : colours.soft;
      context.fillText(fittedEnd(context, format.name(order[c]!), TOP), 0, 0);
      context.restore();
    }
    context.textAlign = "left";
  });
  const resize = (): void => {
    const size = cell();
    // Spacer and canvas share one cell of a grid, so that the canvas stays while the spacer scrolls.
    spacer.style.width = `${LEFT + n * size + 30}px`;
    spacer.style.height = `${TOP + n * size + 8}px`;
    surface.resize(scroller.clientWidth, scroller.clientHeight);
    surface.redraw();
  };
  const under = (event: MouseEvent): [number, number] | undefined => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left - LEFT, event.clientY - box.top - TOP];
    if (x < 0 || y < 0) return undefined;
    const [r, c] = [Math.floor((y + scroller.scrollTop) / cell()), Math.floor((x + scroller.scrollLeft) / cell())];
    return r < n && c < n ? [r, c] : undefined;
  };
  canvas.addEventListener("pointermove", (event) => {
    hover = under(event);
    surface.redraw();
    if (!hover) return hideTip();
    const [a, b] = [order[hover[0]]!, order[hover[1]]!];
    const row = cells.get(key(a, b));
    const worst = row?.incidents[0];
    showTip(event, store.format.pair(a, b), worst ? `${counted(row.incidents.length, "incident")}, worst ${store.format.severity(worst)} at frame ${worst.worst}` : "no contact");
  });
  canvas.addEventListener("pointerleave", () => {
    hover = undefined;
    hideTip();
    surface.redraw();
  });
  canvas.addEventListener("click", (event) => {
    const at = under(event);
    if (!at) return;
    const [a, b] = [order[at[0]]!, order[at[1]]!];
    const row = cells.get(key(a, b));
    if (!row) return;
    store.set({ filter: { ...store.state.filter, objects: [a, b] } });
    store.look(row.incidents[0]!);
  });
  scroller.addEventListener("scroll", () => surface.redraw());
  new ResizeObserver(resize).observe(scroller);
  if (n === 0) return h("div", { class: "pane" }, h("div", { class: "empty" }, "No two objects meet."));
  const pane = h("div", { class: "pane" }, h("div", { class: "tools" }, h("span", { class: "soft" }, `${counted(n, "object")} in incidents, those with the most first. Click a cell to show the pair.`), h("span", { class: "grow" }), legend(store)), scroller);
  let kind: string | undefined;
  whileShown(store, pane, ["filter"], () => {
    // Of the filter the kind alone counts here: one on objects picks from the matrix, and does not empty it.
    if (kind === store.state.filter.kind) return;
    kind = store.state.filter.kind;
    cells.clear();
    const shown = store.report.incidents.filter((incident) => (kind ? incident.kind === kind : true));
    for (const row of byPair(store.report, shown)) cells.set(key(row.a, row.b), row);
    surface.redraw();
  });
  whileShown(store, pane, ["incident", "dark", "unit"], () => surface.redraw());
  return pane;

  function key(a: number, b: number): number {
    const [p, q] = [place.get(a)!, place.get(b)!];
    return p <= q ? p * n + q : q * n + p;
  }
}

/** Which cells are in sight. */
function span(from: number, room: number, size: number, n: number): [number, number] {
  return [Math.max(0, Math.floor(from / size)), Math.min(n, Math.ceil((from + room) / size))];
}
