/** What was asked, what was read, and what to know about the answers. */
import { h } from "../dom.ts";
import { count, counted, readable } from "../format.ts";
import type { Store } from "../state.ts";

export function notes(store: Store): HTMLElement {
  const { report, format } = store;
  const { asked, counts, frames } = report;
  const facts: [string, string][] = [
    ["Command", report.command],
    ["Program", `elbowroom ${report.program_version}`],
    ["Frames", frames.count > 1 ? `${frames.first} to ${frames.last}${frames.step > 1 ? `, every ${frames.step}` : ""}; ${count(counts.frames_examined)} examined${report.fps ? `; ${report.fps} per second` : ""}` : "one"],
    ["Compared", asked.mode === "solid" ? "solids: what the meshes enclose" : "surfaces: the boundaries of the meshes"],
    ["Touching", asked.touching === "count" ? "counts as contact" : "is left out"],
    ["Clearance", asked.clearance === null ? "not measured" : format.length(asked.clearance)],
    ["Depth", asked.depth ?? "not measured (--depth measures it)"],
    ["Object pairs examined", `${count(counts.pairs_examined)}; ${count(counts.contacts)} in contact`],
    ["Unit", report.unit === null ? "that of the files" : report.unit === "m" ? "metres" : report.unit],
  ];
  if (asked.gap !== undefined) facts.push(["An incident", `ends after ${counted(asked.gap, "frame")} without contact`]);
  const said = report.notes.map((note) => h("li", { class: ["warning", "unreadable", "interrupted"].includes(note.kind) ? "warn" : "" },
    h("b", {}, { warning: "Warning", "open-mesh": "Open mesh", estimate: "Estimate", unreadable: "Not read", interrupted: "Interrupted", other: "Note" }[note.kind] ?? "Note"), " ",
    note.objects && note.objects.length > 0 ? `${note.objects.slice(0, 6).map((object) => format.name(object)).join(", ")}${note.objects.length > 6 ? "…" : ""}: ` : "", readable(note.text)));
  const files = report.files.map((file) => h("tr", { class: file.status === "error" ? "warn" : "" },
    h("td", {}, file.status === "ok" ? "✓" : "✗"), h("td", { class: "path" }, readable(file.path)), h("td", {}, file.error ? readable(file.error) : "")));
  return h("div", { class: "pane" }, h("div", { class: "scroller pad columns", tabindex: 0, "aria-label": "Input and notes" },
    h("div", {}, h("h3", {}, "Notes"), said.length > 0 ? h("ul", { class: "notes" }, ...said) : h("p", { class: "soft" }, "None."),
      h("h3", {}, "Files"), h("table", { class: "tight files" }, h("tbody", {}, ...files))),
    h("div", {}, h("h3", {}, "Settings"), h("dl", {}, ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, readable(value))])))));
}
