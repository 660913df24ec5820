/**
 * Incidents over time, a row for each pair. Above the rows a ruler, and a lane with the worst of every frame. Only rows in
 * sight are drawn, and only when they change: the line of the current frame is an element of its own above them, which moves. Ctrl and wheel zoom, shift and wheel move along; a click on a bar goes to that frame of that incident.
 */
import { Surface, fitted, h, hideTip, refill, showTip } from "../dom.ts";
import type { Incident } from "../data.ts";
import { scaled } from "../colour.ts";
import { count, counted, ticks } from "../format.ts";
import { byPair, reach, severity, severityAt } from "../rank.ts";
import type { PairRow } from "../rank.ts";
import type { Store } from "../state.ts";
import { whileShown } from "./frame.ts";
import { legend } from "./legend.ts";

const ROW = 22;
const RULER = 20;
const LANE = 40;
const TOP = RULER + LANE + 4;

export class Timeline {
  readonly element: HTMLElement;
  readonly #store: Store;
  readonly #surface: Surface;
  readonly #scroller: HTMLElement;
  readonly #spacer = h("div", { class: "spacer" });
  readonly #words = h("span", { class: "soft" });
  readonly #line = h("div", { class: "now-line" });
  readonly #label = h("div", { class: "now-label" });
  #rows: PairRow[] = [];
  #frames: ReturnType<Store["frames"]>;
  #from: number;
  #to: number;
  #scrubbing = false;

  constructor(store: Store) {
    this.#store = store;
    this.#frames = store.frames();
    const canvas = h("canvas", {
      tabindex: 0, role: "img", "aria-label": "Timeline of incidents by pair. Arrow keys step by frame, + and − zoom, n and p go to the next and previous incident.",
      onpointerdown: (event: PointerEvent) => this.#press(event),
      onpointermove: (event: PointerEvent) => this.#move(event),
      onpointerup: () => (this.#scrubbing = false),
      onpointerleave: () => hideTip(),
    });
    this.#surface = new Surface(canvas, (context, width, height) => this.#draw(context, width, height));
    const sticky = h("div", { class: "sticky" }, canvas, this.#line, this.#label);
    this.#scroller = h("div", { class: "scroller timeline", onscroll: () => this.#surface.redraw() }, sticky, this.#spacer);
    this.#scroller.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    const button = (word: string, label: string, act: () => void): HTMLElement => h("button", { class: "quiet", "aria-label": label, title: label, onclick: act }, word);
    const tools = h("div", { class: "tools" }, this.#words,
      h("span", { class: "grow" }), legend(store),
      button("−", "Zoom out", () => this.zoom(1.6)), button("+", "Zoom in", () => this.zoom(1 / 1.6)),
      button("incident", "Zoom to the incident", () => this.#zoomTo()), button("all", "Show the whole shot", () => this.#all()));
    this.element = h("div", { class: "pane" }, tools, this.#scroller);
    [this.#from, this.#to] = this.#whole();
    canvas.addEventListener("keydown", (event) => {
      if (event.key === "+" || event.key === "=") this.zoom(1 / 1.6);
      if (event.key === "-") this.zoom(1.6);
    });
    new ResizeObserver(() => this.#resize()).observe(this.#scroller);
    whileShown(store, this.element, ["filter", "order"], () => {
      this.#rows = byPair(store.report, store.listed());
      if (store.state.order === "first") this.#rows.sort((p, q) => earliest(p) - earliest(q));
      if (store.state.order === "longest") this.#rows.sort((p, q) => q.frames - p.frames);
      this.#frames = store.frames();
      this.#spacer.style.height = `${this.#rows.length * ROW + 6}px`;
      refill(this.#words, `${counted(this.#rows.length, "pair")} of objects`);
      this.#surface.redraw();
    });
    whileShown(store, this.element, ["dark", "unit"], () => this.#surface.redraw());
    whileShown(store, this.element, ["frame"], () => this.#now());
    whileShown(store, this.element, ["incident"], () => this.#follow());
  }

  #whole(): [number, number] {
    const { first, last, step } = this.#store.report.frames;
    return [first - step / 2, last + step / 2];
  }

  #all(): void {
    [this.#from, this.#to] = this.#whole();
    this.#surface.redraw();
  }

  #zoomTo(): void {
    const incident = this.#store.incident;
    if (!incident) return;
    const margin = Math.max(5 * this.#store.report.frames.step, (incident.last - incident.first) * 0.5);
    this.#show(incident.first - margin, incident.last + margin);
  }

  /** Shows these frames, as far as there are any, and never fewer than some eight. */
  #show(from: number, to: number): void {
    const [low, high] = this.#whole();
    const least = Math.min(high - low, 8 * this.#store.report.frames.step);
    const span = Math.min(high - low, Math.max(least, to - from));
    const start = Math.min(high - span, Math.max(low, (from + to - span) / 2));
    [this.#from, this.#to] = [start, start + span];
    this.#surface.redraw();
  }

  zoom(by: number, around = this.#store.state.frame): void {
    const at = around < this.#from || around > this.#to ? (this.#from + this.#to) / 2 : around;
    this.#show(at - (at - this.#from) * by, at + (this.#to - at) * by);
  }

  get #gutter(): number {
    return this.#surface.width < 560 ? 96 : 190;
  }

  #x(frame: number): number {
    return this.#gutter + ((frame - this.#from) / (this.#to - this.#from)) * (this.#surface.width - this.#gutter - 8);
  }

  #frameAt(x: number): number {
    return this.#from + ((x - this.#gutter) / (this.#surface.width - this.#gutter - 8)) * (this.#to - this.#from);
  }

  #resize(): void {
    this.#surface.resize(this.#scroller.clientWidth, this.#scroller.clientHeight);
    this.#line.style.height = `${Math.max(0, this.#scroller.clientHeight - RULER + 6)}px`;
  }

  /** Brings the row of the incident into sight. */
  #follow(): void {
    const id = this.#store.state.incident;
    const at = this.#rows.findIndex((row) => row.incidents.some((incident) => incident.id === id));
    if (at >= 0) {
      const room = this.#scroller.clientHeight - TOP;
      if (at * ROW < this.#scroller.scrollTop) this.#scroller.scrollTop = at * ROW;
      if ((at + 1) * ROW > this.#scroller.scrollTop + room) this.#scroller.scrollTop = (at + 1) * ROW - room + 4;
    }
    this.#surface.redraw();
  }

  #draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    const { colours } = this.#store;
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    const scroll = this.#scroller.scrollTop;
    const from = Math.floor(scroll / ROW);
    const to = Math.min(this.#rows.length, Math.ceil((scroll + height - TOP) / ROW));
    const marks = ticks(this.#from, this.#to, (width - this.#gutter) / 80).filter((frame) => Number.isInteger(frame) && this.#x(frame) >= this.#gutter);
    context.strokeStyle = colours.line;
    context.lineWidth = 1;
    for (const frame of marks) line(context, Math.round(this.#x(frame)) + 0.5, TOP, Math.round(this.#x(frame)) + 0.5, height);
    context.save();
    context.beginPath();
    context.rect(0, TOP, width, height - TOP);
    context.clip();
    for (let i = from; i < to; i++) this.#drawRow(context, this.#rows[i]!, TOP + i * ROW - scroll, width, i);
    context.restore();
    this.#drawTop(context, width, height, marks);
    this.#now();
  }

  /** Moves the line of the current frame, and its number, to where it is. */
  #now(): void {
    const { frame } = this.#store.state;
    const x = Math.round(this.#x(frame));
    const isSeen = this.#surface.width > 0 && x >= this.#gutter && x <= this.#surface.width;
    this.#line.hidden = this.#label.hidden = !isSeen;
    if (!isSeen) return;
    this.#line.style.transform = `translateX(${x}px)`;
    this.#label.textContent = `${frame}`;
    // As wide as its digits, and within the chart.
    const half = 3.5 * `${frame}`.length + 6;
    this.#label.style.transform = `translateX(${Math.min(this.#surface.width - half, Math.max(this.#gutter + half, x))}px) translateX(-50%)`;
  }

  #drawRow(context: CanvasRenderingContext2D, row: PairRow, y: number, width: number, at: number): void {
    const { colours, format, state } = this.#store;
    const chosen = row.incidents.some((incident) => incident.id === state.incident);
    if (chosen || at % 2 === 1) {
      context.fillStyle = chosen ? `${colours.accent}22` : `${colours.line}55`;
      context.fillRect(0, y, width, ROW);
    }
    context.fillStyle = chosen ? colours.ink : colours.soft;
    context.fillText(fitted(context, format.shortPair(row.a, row.b), this.#gutter - 20), 10, y + ROW / 2);
    context.save();
    context.beginPath();
    context.rect(this.#gutter, y, width - this.#gutter, ROW);
    context.clip();
    for (const incident of row.incidents) this.#drawBar(context, incident, y);
    context.restore();
  }

  /** A bar whose colour follows the depth from frame to frame. */
  #drawBar(context: CanvasRenderingContext2D, incident: Incident, y: number): void {
    const { colours, report, state } = this.#store;
    const half = report.frames.step / 2;
    const [left, right] = [this.#x(incident.first - half), this.#x(incident.last + half)];
    if (right < this.#gutter || left > this.#surface.width) return;
    const wide = Math.max(3, right - left);
    context.save();
    context.beginPath();
    context.roundRect(left, y + 4, wide, ROW - 8, 3);
    context.fillStyle = scaled(colours, this.#store.fraction(severity(report, incident)));
    // What happens between frames has no series.
    if (incident.series.length === 0 || wide / incident.series.length < 0.75) {
      context.fill();
    } else {
      context.save();
      context.clip();
      // Gaps inside an incident stay pale.
      context.fillStyle = `${colours.soft}44`;
      context.fillRect(left, y, wide, ROW);
      incident.series.forEach((entry, i) => {
        const [from, to] = reach(report, incident, i);
        const x = this.#x(from - half);
        context.fillStyle = scaled(colours, this.#store.fraction(severityAt(report, incident, entry)));
        context.fillRect(x, y, Math.max(1, this.#x(to + half) - x) + 0.5, ROW);
      });
      context.restore();
    }
    const chosen = incident.id === state.incident;
    context.strokeStyle = chosen ? colours.accent : `${colours.ink}33`;
    context.lineWidth = chosen ? 2 : 0.75;
    context.stroke();
    context.restore();
  }

  #drawTop(context: CanvasRenderingContext2D, width: number, height: number, marks: number[]): void {
    const { colours, report, format } = this.#store;
    context.fillStyle = colours.panel;
    context.fillRect(0, 0, width, TOP);
    context.fillStyle = colours.soft;
    context.fillText("frame", 10, RULER / 2);
    context.fillText(fitted(context, report.severity === "pairs" ? "most triangle pairs" : "worst of each frame", this.#gutter - 20), 10, RULER + LANE / 2);
    for (const frame of marks) {
      const x = Math.round(this.#x(frame)) + 0.5;
      context.strokeStyle = colours.line;
      context.lineWidth = 1;
      line(context, x, RULER - 2, x, TOP);
      const word = format.hasTime && this.#surface.width > 700 ? `${frame} · ${format.seconds(frame)}` : `${frame}`;
      context.fillText(word, x + 4, RULER / 2);
    }
    const { first, step, count: n } = report.frames;
    const [a, b] = [Math.max(0, Math.floor((this.#from - first) / step)), Math.min(n - 1, Math.ceil((this.#to - first) / step))];
    const wide = (this.#x(first + step) - this.#x(first)) || width;
    for (let i = a; i <= b; i++) {
      const fraction = this.#store.fraction(this.#frames.worst[i]!);
      if (fraction <= 0) continue;
      const x = Math.max(this.#gutter, this.#x(first + (i - 0.5) * step));
      const tall = Math.max(2, fraction * (LANE - 4));
      context.fillStyle = scaled(colours, fraction);
      context.fillRect(x, RULER + LANE - tall, Math.max(1, wide + 0.4), tall);
    }
    context.strokeStyle = colours.line;
    line(context, 0, TOP - 0.5, width, TOP - 0.5);
    line(context, this.#gutter - 0.5, 0, this.#gutter - 0.5, height);
  }

  /** What is under the pointer: the row and, of its incidents, the one there or within a few pixels. */
  #under(event: PointerEvent): { frame: number; row?: PairRow; incident?: Incident } {
    const box = this.#surface.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const frame = this.#frameAt(Math.max(this.#gutter, x));
    if (y < TOP) return { frame };
    const row = this.#rows[Math.floor((y - TOP + this.#scroller.scrollTop) / ROW)];
    const slack = Math.max(report(this.#store) / 2, this.#frameAt(x + 5) - this.#frameAt(x));
    const incident = x < this.#gutter ? row?.incidents[0] : row?.incidents.find((one) => frame >= one.first - slack && frame <= one.last + slack);
    return { frame: x < this.#gutter && incident ? incident.worst : frame, row, incident };
  }

  #press(event: PointerEvent): void {
    const { frame, incident } = this.#under(event);
    if (incident) {
      this.#store.look(incident, Math.min(incident.last, Math.max(incident.first, Math.round(frame))));
      return;
    }
    this.#scrubbing = true;
    this.#surface.canvas.setPointerCapture(event.pointerId);
    this.#store.set({ playing: false });
    this.#store.seek(frame);
  }

  #move(event: PointerEvent): void {
    if (this.#scrubbing) {
      const box = this.#surface.canvas.getBoundingClientRect();
      this.#store.seek(this.#frameAt(event.clientX - box.left));
      return;
    }
    const { frame, row, incident } = this.#under(event);
    const { format } = this.#store;
    if (incident) {
      showTip(event, format.pair(incident.a, incident.b), `#${incident.id} · ${incident.kind} · ${format.severity(incident)} at frame ${incident.worst}`,
        `frames ${format.span(incident.first, incident.last)}`);
    } else if (row) showTip(event, format.pair(row.a, row.b), format.frame(this.#store.examined(frame)));
    else {
      const at = this.#store.index(frame);
      showTip(event, format.frame(this.#store.examined(frame)), `${count(this.#frames.open[at] ?? 0)} in contact`);
    }
  }

  #wheel(event: WheelEvent): void {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const box = this.#surface.canvas.getBoundingClientRect();
      this.zoom(Math.exp(event.deltaY * 0.002), this.#frameAt(event.clientX - box.left));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      const by = ((event.deltaX || event.deltaY) / this.#surface.width) * (this.#to - this.#from);
      this.#show(this.#from + by, this.#to + by);
    }
  }
}

const report = (store: Store): number => store.report.frames.step;
const earliest = (row: PairRow): number => row.incidents.reduce((least, incident) => Math.min(least, incident.first), Infinity);

function line(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}
