/** The keys, and the window that tells them. */
import { h } from "../dom.ts";
import type { Store } from "../state.ts";

const KEYS: [string, string][] = [
  ["space", "play, pause"],
  ["← →", "one frame back, forward"],
  ["shift ← →", "ten frames back, forward"],
  ["home end", "first and last frame of the incident"],
  ["n  p", "next, previous incident"],
  ["w", "the worst frame of the incident"],
  ["f", "move the camera to the incident"],
  ["g", "draw the others faintly"],
  ["x", "make the two objects of the incident transparent"],
  ["l", "repeat the incident while playing"],
  ["esc", "clear the incident and the filter"],
  ["?", "show these keys"],
  ["drag, wheel", "orbit, pan (right button), zoom in the view"],
  ["ctrl wheel", "zoom the timeline; shift wheel scrolls it"],
];

export function help(): HTMLDialogElement {
  const dialog = h("dialog", { class: "help", "aria-label": "Keys" },
    h("h2", {}, "Keys"),
    h("table", { class: "tight" }, h("tbody", {}, ...KEYS.map(([key, what]) => h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", {}, what))))),
    h("p", { class: "soft" }, "In a crowd, other characters are drawn with fewer triangles: the farther away they are and the slower the machine is, the fewer. A slow machine also draws fewer pixels while something moves. The two objects of an incident are always drawn as they were checked."),
    h("form", { method: "dialog" }, h("button", { autofocus: true }, "Close")));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}

/** Acts on keys, unless something is being typed or a control wants them. */
export function bindKeys(store: Store, dialog: HTMLDialogElement, frameIncident: () => void): void {
  const acts: Record<string, () => void> = {
    " ": () => store.report.frames.count > 1 && store.set({ playing: !store.state.playing }),
    ArrowLeft: () => store.step(-1),
    ArrowRight: () => store.step(1),
    "shift ArrowLeft": () => store.step(-10),
    "shift ArrowRight": () => store.step(10),
    Home: () => store.seek(store.incident?.first ?? store.report.frames.first),
    End: () => store.seek(store.incident?.last ?? store.report.frames.last),
    n: () => store.neighbour(1),
    p: () => store.neighbour(-1),
    w: () => store.incident && store.seek(store.incident.worst),
    f: frameIncident,
    g: () => store.set({ ghost: !store.state.ghost }),
    x: () => store.set({ xray: !store.state.xray }),
    l: () => store.set({ loop: !store.state.loop }),
    "?": () => dialog.showModal(),
    Escape: () => store.set({ incident: null, filter: { ...store.state.filter, objects: [] } }),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    const target = event.target as HTMLElement;
    const typed = target instanceof HTMLInputElement && target.type !== "range";
    if (typed || target instanceof HTMLSelectElement) return;
    // A button is pressed by the space bar, tabs move by arrows.
    if (event.key === " " && (target instanceof HTMLButtonElement || target.tagName === "TR")) return;
    if (target.getAttribute("role") === "tab" && event.key.startsWith("Arrow")) return;
    if (target instanceof HTMLInputElement && event.key.startsWith("Arrow") && !target.classList.contains("scrub")) return;
    const name = event.shiftKey && event.key.startsWith("Arrow") ? `shift ${event.key}` : event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = acts[name];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
