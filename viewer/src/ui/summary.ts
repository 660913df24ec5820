/** What a lead reads in ten seconds: the verdict, how many, the worst, what was examined, what is only an estimate. */
import { h, refill } from "../dom.ts";
import { count, counted, readable, roughly } from "../format.ts";
import { byPair, involved, perFrame } from "../rank.ts";
import type { Store } from "../state.ts";
import { icon } from "./icons.ts";

export function verdict(store: Store, pairs: number): { tone: "good" | "bad" | "open"; head: string; text: string } {
  const { incidents, complete, counts, asked } = store.report;
  const n = incidents.length;
  if (n > 0) {
    const text = `between ${counted(pairs, "pair")} of objects${complete ? "" : "; not everything was examined"}`;
    return { tone: "bad", head: counted(n, "incident"), text };
  }
  if (counts.pairs_examined === 0) return { tone: "open", head: "Nothing examined", text: "There is no pair of objects to compare" };
  if (!complete) return { tone: "open", head: "Incomplete", text: "No contact in what was examined" };
  const nothing = asked.clearance === null ? "No contact found" : `Nothing nearer than ${store.format.length(asked.clearance)}`;
  return { tone: "good", head: "Clean", text: nothing };
}

export function summary(store: Store): HTMLElement {
  const root = h("section", { class: "summary", "aria-label": "Summary" });
  // Of all incidents, whatever the filter: found out once.
  const frames = perFrame(store.report);
  const pairs = byPair(store.report, store.report.incidents).length;
  store.on(["unit"], () => refill(root, ...tiles(store, frames, pairs)));
  return root;
}

function tiles(store: Store, frames: ReturnType<typeof perFrame>, pairs: number): HTMLElement[] {
  const { report, format } = store;
  const judged = verdict(store, pairs);
  const head = h("div", { class: `tile verdict ${judged.tone}` },
    h("div", { class: "verdict-sign" }, icon(judged.tone === "good" ? "good" : "bad")),
    h("div", {}, h("h2", { class: "big" }, judged.head), h("div", { class: "soft" }, judged.text)),
  );
  const out: HTMLElement[] = [head];
  const worst = report.incidents[0];
  if (worst) {
    const when = format.hasTime ? format.frame(worst.worst) : `${worst.kind}`;
    out.push(
      h("button", { class: "tile worst", onclick: () => store.look(worst), title: "Show this incident" },
        h("div", { class: "label" }, severityWord(store)),
        h("div", { class: "big" }, format.severity(worst)),
        h("div", { class: "soft cut" }, `${format.shortPair(worst.a, worst.b)} · ${when}`),
      ),
    );
    const people = involved(report).length;
    out.push(tile("Involved", `${count(people)} of ${count(report.objects.length)}`, "objects are in an incident"));
    if (report.frames.count > 1) {
      const struck = frames.open.reduce((sum, open) => sum + (open > 0 ? 1 : 0), 0);
      const share = report.counts.frames_examined > 0 ? (100 * struck) / report.counts.frames_examined : 0;
      out.push(tile("Frames in contact", count(struck), `${share < 10 ? share.toFixed(1) : Math.round(share)} % of ${count(report.counts.frames_examined)}`));
    }
  }
  const { frames_examined, pairs_examined } = report.counts;
  const much = frames_examined > 1 ? `over ${counted(frames_examined, "frame")}` : `of ${counted(report.objects.length, "object")}`;
  out.push(tile("Object pairs examined", roughly(pairs_examined), much, `${counted(pairs_examined, "pair")} of objects, counted once for each frame`));
  const estimates = report.incidents.filter((incident) => incident.certainty?.startsWith("estimate")).length;
  const bad = report.files.filter((file) => file.status === "error").length;
  if (bad > 0) out.push(tile("Not read", counted(bad, "file"), readable(report.files.find((file) => file.status === "error")!.path), undefined, "warn"));
  out.push(certainty(store, estimates));
  return out;
}

/** Exact is said only where nothing speaks against it: a mesh that is not closed may hide what is inside it. */
function certainty(store: Store, estimates: number): HTMLElement {
  const { notes, asked } = store.report;
  if (estimates > 0) return tile("Certainty", counted(estimates, "estimate"), "the rest is exact", "See Input and notes", "warn");
  const doubts = notes.filter((note) => note.kind === "estimate" || (note.kind === "open-mesh" && asked.mode === "solid")).length;
  if (doubts > 0) return tile("Certainty", "With notes", `${counted(doubts, "note")} on uncertain results`, "See Input and notes", "warn");
  return tile("Certainty", "Exact", asked.mode === "solid" ? "solids compared" : "surfaces compared");
}

function severityWord(store: Store): string {
  const word = { depth: "Deepest", pairs: "Most triangle pairs", length: "Longest curve", distance: "Nearest" }[store.report.severity];
  return store.format.hasUnit || store.report.severity === "pairs" ? word : `${word}, in the unit of the files`;
}

function tile(label: string, big: string, soft: string, title?: string, tone = ""): HTMLElement {
  return h("div", { class: `tile ${tone}`, title },
    h("div", { class: "label" }, label),
    h("div", { class: "big" }, big),
    h("div", { class: "soft cut" }, soft),
  );
}
