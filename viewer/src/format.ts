/** How numbers, frames and names read. */
import type { Incident, Report } from "./data.ts";

export type LengthUnit = "mm" | "cm" | "m";
const PER_METRE: Record<LengthUnit, number> = { mm: 1000, cm: 100, m: 1 };
/** Metres in the units that a report may be in. */
const METRES: Record<string, number> = { m: 1, dm: 0.1, cm: 0.01, mm: 1e-3, um: 1e-6, "µm": 1e-6, km: 1000, in: 0.0254, inch: 0.0254, ft: 0.3048, yd: 0.9144 };
const DIGITS: Record<LengthUnit, number> = { mm: 0, cm: 1, m: 3 };

/** 1234567 as 1,234,567. */
export function count(n: number): string {
  return Math.round(n).toLocaleString("en-GB");
}

/** 499,500,000 as 499.5 M: for places without room. */
export function roughly(n: number): string {
  if (n < 1e6) return count(n);
  const [size, letter] = n < 1e9 ? [1e6, "M"] : [1e9, "G"];
  return `${Number((n / size).toPrecision(4))} ${letter}`;
}

/** "1 incident", "2 incidents". */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** The unit that lengths are first shown in: that of the other outputs of the check, or one of like size. */
export function startUnit(unit: string | null): LengthUnit {
  const metres = unit === null ? undefined : METRES[unit];
  if (metres === undefined) return "cm";
  if (metres < 0.005) return "mm";
  return metres < 0.05 ? "cm" : "m";
}

export class Format {
  unit: LengthUnit;
  readonly #report: Report;

  constructor(report: Report) {
    this.#report = report;
    this.unit = startUnit(report.report_unit ?? report.unit);
  }

  /** Whether the unit of lengths is known, so that they may be shown in others. */
  get hasUnit(): boolean {
    return this.#metres !== undefined;
  }

  get #metres(): number | undefined {
    return this.#report.unit === null ? undefined : METRES[this.#report.unit];
  }

  /** A length of the report in the unit that is shown. */
  scaled(value: number): number {
    return value * (this.#metres ?? 1) * (this.hasUnit ? PER_METRE[this.unit] : 1);
  }

  length(value: number | null | undefined): string {
    if (value === null || value === undefined) return "–";
    if (!this.hasUnit) return trimmed(value);
    const shown = this.scaled(value);
    const digits = DIGITS[this.unit];
    // What is not nothing is not shown as nothing.
    if (value > 0 && shown < 0.5 * 10 ** -digits) return `<${(10 ** -digits).toFixed(digits)} ${this.unit}`;
    return `${shown.toFixed(digits)} ${this.unit}`;
  }

  /** The severity of an incident, as the report ranks it. */
  severity(incident: Incident): string {
    switch (this.#report.severity) {
      case "depth":
        return incident.depth === null ? counted(incident.pairs, "triangle pair") : this.length(incident.depth);
      case "distance":
        return this.length(incident.distance);
      case "length":
        return this.length(incident.length);
      default:
        return counted(incident.pairs, "triangle pair");
    }
  }

  /** A number that the severity scale shows. */
  measure(value: number): string {
    return this.#report.severity === "pairs" ? count(value) : this.length(value);
  }

  get hasTime(): boolean {
    return this.#report.fps !== null;
  }

  seconds(frame: number): string {
    const fps = this.#report.fps;
    return fps === null ? "" : `${((frame - (this.#report.frames.zero ?? 0)) / fps).toFixed(2)} s`;
  }

  /** "frame 41 · 1.37 s" */
  frame(frame: number): string {
    return this.hasTime ? `frame ${frame} · ${this.seconds(frame)}` : `frame ${frame}`;
  }

  /** "41–67" */
  span(first: number, last: number): string {
    return first === last ? `${first}` : `${first}–${last}`;
  }

  name(object: number): string {
    return readable(this.#report.objects[object]?.name ?? `object ${object}`);
  }

  pair(a: number, b: number): string {
    return a === b ? `${this.name(a)} × itself` : `${this.name(a)} × ${this.name(b)}`;
  }

  /** The same for places without room: a beginning that both names have is said once. */
  shortPair(a: number, b: number): string {
    const [p, q] = [this.name(a), this.name(b)];
    let same = 0;
    while (same < p.length && p[same] === q[same]) same++;
    const cut = Math.max(...[" ", "_", "-", ":", "/"].map((sign) => p.lastIndexOf(sign, same - 1)));
    return a !== b && cut >= 3 && cut < q.length - 1 ? `${p} × ${q.slice(cut + 1)}` : this.pair(a, b);
  }

  /** What people call a part. */
  part(object: number, part: number | null): string {
    return part === null ? "" : readable(partLabel(this.#report, object, part));
  }

  /** The whole name of an object and where it comes from, for a tooltip. */
  whole(object: number): string {
    const { name, path } = this.#report.objects[object] ?? {};
    return path === undefined ? this.name(object) : `${readable(name ?? "")} (${readable(path)})`;
  }

  /** The whole name of a part, for a tooltip. */
  wholePart(object: number, part: number | null): string {
    return part === null ? "" : readable(this.#report.objects[object]?.parts[part] ?? `part ${part}`);
  }
}

/** What people call a part: its name without what all names have. */
export function partLabel(report: Report, object: number, part: number): string {
  const info = report.objects[object];
  return info?.part_labels?.[part] ?? info?.parts[part] ?? `part ${part}`;
}

/** Without control characters and marks that turn the direction of what follows. */
export function readable(name: string): string {
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g, "·") || "(no name)";
}

function trimmed(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-4 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

/** Round steps for an axis: about `want` of them from `low` to `high`. */
export function ticks(low: number, high: number, want: number): number[] {
  const rough = (high - low) / Math.max(1, want);
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? rough;
  const out: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) out.push(Number((k * step).toPrecision(12)));
  return out;
}
