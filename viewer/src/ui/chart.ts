/** Depth over time of one incident: a line over its frames, the worst and the current frame. Own SVG, since it is the only chart of its kind. */
import { svg } from "../dom.ts";
import type { Incident } from "../data.ts";
import { count, ticks } from "../format.ts";
import type { Store } from "../state.ts";

const WIDTH = 288;
const HEIGHT = 126;
const LEFT = 44;
const BOTTOM = 18;
/** Room for the unit, which stands in a line of its own above the numbers. */
const TOP = 18;

export interface Chart {
  element: SVGSVGElement;
  /** Moves the line of the current frame. */
  at: (frame: number) => void;
}

export function chart(store: Store, incident: Incident): Chart {
  const { report, format, colours } = store;
  const hasDepth = incident.series.some(([, depth]) => depth !== null);
  const value = (entry: Incident["series"][number]): number => (hasDepth ? (entry[1] ?? 0) : entry[2]);
  const most = incident.series.reduce((top, entry) => Math.max(top, value(entry)), 0) || 1;
  const step = report.frames.step;
  const span = Math.max(incident.last - incident.first, step);
  const [from, to] = incident.last > incident.first ? [incident.first, incident.last] : [incident.first - span, incident.last + span];
  const x = (frame: number): number => LEFT + ((frame - from) / (to - from)) * (WIDTH - LEFT - 10);
  const y = (v: number): number => HEIGHT - BOTTOM - (v / (most * 1.08)) * (HEIGHT - BOTTOM - TOP);
  const base = HEIGHT - BOTTOM;
  // One area for each run of frames without a gap. The worst of these frames may be twice as far from the next one.
  const every = incident.series_every ?? 1;
  const apart = step * (every > 1 ? 2 * every : 1);
  const runs: Incident["series"][] = [];
  for (const entry of incident.series) {
    const run = runs[runs.length - 1];
    if (run && entry[0] - run[run.length - 1]![0] <= apart) run.push(entry);
    else runs.push([entry]);
  }
  const areas = runs.flatMap((run): SVGElement[] => {
    const points = run.map((entry) => `${x(entry[0]).toFixed(1)},${y(value(entry)).toFixed(1)}`);
    const [left, right] = [x(run[0]![0]).toFixed(1), x(run[run.length - 1]![0]).toFixed(1)];
    if (run.length === 1) return [svg("circle", { cx: left, cy: y(value(run[0]!)), r: 2.5, fill: colours.accent })];
    return [
      svg("polygon", { points: `${left},${base} ${points.join(" ")} ${right},${base}`, fill: colours.accent, "fill-opacity": 0.16 }),
      svg("polyline", { points: points.join(" "), fill: "none", stroke: colours.accent, "stroke-width": 1.75, "stroke-linejoin": "round" }),
    ];
  });
  const scale = hasDepth ? format.scaled(1) : 1;
  const unit = hasDepth ? (format.hasUnit ? store.state.unit : "") : "";
  const levels = ticks(0, most * scale * 1.08, 3).filter((v) => v <= most * scale * 1.05);
  const frames = ticks(from, to, 4).filter((frame) => Number.isInteger(frame));
  const worst = incident.series.find(([frame]) => frame === incident.worst);
  const cursor = svg("line", { y1: TOP - 4, y2: base, stroke: colours.ink, "stroke-width": 1.25 });
  const element = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img",
    "aria-label": `${hasDepth ? "Depth" : "Triangle pairs"} over frames ${format.span(incident.first, incident.last)}, most at frame ${incident.worst}`,
  },
    ...levels.map((v) => svg("g", {},
      svg("line", { x1: LEFT, x2: WIDTH - 10, y1: y(v / scale), y2: y(v / scale), stroke: colours.line }),
      svg("text", { x: LEFT - 6, y: y(v / scale) + 3.5, "text-anchor": "end" }, hasDepth ? `${v}` : count(v)))),
    svg("text", { x: LEFT - 6, y: 9, "text-anchor": "end", class: "unit" }, unit),
    ...frames.map((frame) => svg("text", { x: x(frame), y: HEIGHT - 5, "text-anchor": "middle" }, `${frame}`)),
    ...areas,
    worst && svg("circle", { cx: x(worst[0]), cy: y(value(worst)), r: 4, fill: colours.mark, stroke: colours.panel, "stroke-width": 1.5 }),
    cursor);
  const seek = (event: PointerEvent): void => {
    const box = element.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    store.set({ playing: false });
    store.seek(Math.min(to, Math.max(from, from + ((at - LEFT) / (WIDTH - LEFT - 10)) * (to - from))));
  };
  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    seek(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (event.buttons > 0) seek(event);
  });
  return {
    element,
    at: (frame) => {
      cursor.setAttribute("x1", x(frame).toFixed(1));
      cursor.setAttribute("x2", x(frame).toFixed(1));
      cursor.setAttribute("visibility", frame >= from && frame <= to ? "visible" : "hidden");
    },
  };
}
