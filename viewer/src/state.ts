/** What the page shows, in one place: parts of the page change it and are notified of changes. */
import type { Incident, Report } from "./data.ts";
import { Format } from "./format.ts";
import type { LengthUnit } from "./format.ts";
import type { Palette } from "./colour.ts";
import { palette } from "./colour.ts";
import type { Filter, Order } from "./rank.ts";
import { EVERYTHING, chosen, perFrame, severity } from "./rank.ts";

export interface State {
  /** The id of the chosen incident. */
  incident: number | null;
  /** A frame number that was examined. */
  frame: number;
  playing: boolean;
  /** Times the rate of the shot. */
  speed: number;
  /** Play around the incident again and again. */
  loop: boolean;
  /** Draw all others faintly. */
  ghost: boolean;
  /** Draw the two of the incident so that one sees into them. */
  xray: boolean;
  filter: Filter;
  order: Order;
  unit: LengthUnit;
  dark: boolean;
}

type Key = keyof State;

/** Frames before and after an incident that belong to its story. */
const AROUND_SECONDS = 0.5;

export class Store {
  readonly report: Report;
  readonly format: Format;
  readonly worst: number;
  state: State;
  readonly #listeners: { keys: Key[]; told: () => void }[] = [];
  readonly #byId = new Map<number, Incident>();
  readonly #kept = new Map<string, { filter: Filter; order: Order; value: unknown }>();

  constructor(report: Report, dark: boolean) {
    this.report = report;
    this.format = new Format(report);
    for (const incident of report.incidents) this.#byId.set(incident.id, incident);
    this.worst = report.incidents.reduce((most, incident) => Math.max(most, severity(report, incident)), 0);
    this.state = {
      incident: null, frame: report.frames.first, playing: false, speed: 1, loop: true, ghost: false, xray: false, filter: EVERYTHING, order: "rank", unit: this.format.unit, dark,
    };
  }

  get colours(): Palette {
    return palette(this.state.dark);
  }

  get incident(): Incident | undefined {
    return this.state.incident === null ? undefined : this.#byId.get(this.state.incident);
  }

  byId(id: number): Incident | undefined {
    return this.#byId.get(id);
  }

  /** How bad, as a fraction of the worst. */
  fraction(value: number): number {
    return this.worst > 0 ? value / this.worst : 0;
  }

  /** Those that the filter lets through, in the chosen order. The same array until one of the two changes: not to be changed. */
  listed(): readonly Incident[] {
    return this.#keep("listed", () => chosen(this.report, this.state.filter, this.state.order));
  }

  /** The worst, and how many, in each frame: of those that are listed. */
  frames(): ReturnType<typeof perFrame> {
    return this.#keep("frames", () => perFrame(this.report, this.listed()));
  }

  /** Several parts of the page ask for the same; it is found out once for a filter and an order. */
  #keep<T>(name: string, make: () => T): T {
    const { filter, order } = this.state;
    const known = this.#kept.get(name);
    if (known && known.filter === filter && known.order === order) return known.value as T;
    const value = make();
    this.#kept.set(name, { filter, order, value });
    return value;
  }

  set(change: Partial<State>): void {
    const keys = (Object.keys(change) as Key[]).filter((key) => this.state[key] !== change[key]);
    if (keys.length === 0) return;
    this.state = { ...this.state, ...change };
    this.format.unit = this.state.unit;
    for (const { keys: wanted, told } of this.#listeners) if (wanted.some((key) => keys.includes(key))) told();
  }

  /** Calls back now, and whenever one of these has changed. */
  on(keys: Key[], told: () => void): void {
    this.#listeners.push({ keys, told });
    told();
  }

  /** Looks at an incident, at its worst frame unless told otherwise. */
  look(incident: Incident, frame = incident.worst): void {
    this.set({ incident: incident.id, frame: this.examined(frame), playing: false });
  }

  /** The frame that was examined and is nearest. */
  examined(frame: number): number {
    const { first, step, count } = this.report.frames;
    const index = Math.round((frame - first) / step);
    return first + step * Math.min(count - 1, Math.max(0, index || 0));
  }

  /** Its index among those that were examined. */
  index(frame = this.state.frame): number {
    return Math.round((this.examined(frame) - this.report.frames.first) / this.report.frames.step);
  }

  seek(frame: number): void {
    this.set({ frame: this.examined(frame) });
  }

  /** Goes on by this many frames. */
  step(by: number): void {
    this.set({ playing: false, frame: this.examined(this.state.frame + by * this.report.frames.step) });
  }

  /** The next incident in the list, or the one before. */
  neighbour(by: 1 | -1): void {
    const list = this.listed();
    if (list.length === 0) return;
    const at = list.findIndex((incident) => incident.id === this.state.incident);
    const next = at < 0 ? (by > 0 ? 0 : list.length - 1) : (at + by + list.length) % list.length;
    this.look(list[next]!);
  }

  /** Which frames are played: the incident with some frames around it, or the whole shot. */
  range(): [number, number] {
    const { first, last, step } = this.report.frames;
    const incident = this.incident;
    if (!incident || !this.state.loop) return [first, last];
    const around = Math.max(5 * step, Math.round((this.report.fps ?? 0) * AROUND_SECONDS));
    return [this.examined(Math.max(first, incident.first - around)), this.examined(Math.min(last, incident.last + around))];
  }

  /** Reads `incident=3&frame=41`; what names nothing is left alone. */
  followLink(hash: string): boolean {
    const asked = new URLSearchParams(hash.replace(/^#/, ""));
    const incident = this.#byId.get(Number(asked.get("incident") ?? NaN));
    const frame = asked.has("frame") ? Number(asked.get("frame")) : NaN;
    if (incident) this.look(incident, Number.isFinite(frame) ? frame : incident.worst);
    else if (Number.isFinite(frame)) this.seek(frame);
    return incident !== undefined || Number.isFinite(frame);
  }

  link(): string {
    const { incident, frame } = this.state;
    return incident === null ? `#frame=${frame}` : `#incident=${incident}&frame=${frame}`;
  }
}
