/** Play, step, speed, and which frame it is. */
import { h, refill } from "../dom.ts";
import type { Store } from "../state.ts";
import { icon } from "./icons.ts";

export function transport(store: Store, frameIncident: () => void): HTMLElement {
  const { report, format } = store;
  const { first, last, step } = report.frames;
  const isMoving = report.frames.count > 1;
  const button = (sign: Parameters<typeof icon>[0], label: string, act: () => void): HTMLButtonElement =>
    h("button", { class: "quiet", "aria-label": label, title: label, onclick: act }, icon(sign));
  const play = button("play", "Play (space)", () => store.set({ playing: !store.state.playing }));
  const scrub = h("input", {
    type: "range", class: "scrub", min: first, max: last, step, "aria-label": "Frame",
    oninput: (event: Event) => {
      store.set({ playing: false });
      store.seek(Number((event.target as HTMLInputElement).value));
    },
  });
  const number = h("input", {
    type: "number", class: "frame-number", min: first, max: last, step, "aria-label": "Frame number",
    onchange: (event: Event) => store.seek(Number((event.target as HTMLInputElement).value)),
  });
  const seconds = h("span", { class: "soft seconds" });
  const speed = h("select", { "aria-label": "Speed", title: "Speed", onchange: (event: Event) => store.set({ speed: Number((event.target as HTMLSelectElement).value) }) },
    ...[0.1, 0.25, 0.5, 1, 2, 4].map((times) => h("option", { value: times, selected: times === 1 }, `${times}×`)));
  const toggle = (sign: "loop" | "ghost" | "xray", label: string): HTMLButtonElement => {
    const element = button(sign, label, () => store.set({ [sign]: !store.state[sign] }));
    store.on([sign], () => element.setAttribute("aria-pressed", String(store.state[sign])));
    return element;
  };
  store.on(["playing"], () => {
    refill(play, icon(store.state.playing ? "pause" : "play"));
    play.setAttribute("aria-label", store.state.playing ? "Pause (space)" : "Play (space)");
  });
  store.on(["frame"], () => {
    const { frame } = store.state;
    scrub.value = String(frame);
    if (document.activeElement !== number) number.value = String(frame);
    seconds.textContent = format.seconds(frame);
  });
  store.on(["incident", "dark"], () => {
    // The incident shows on the track as a stretch of another colour.
    const incident = store.incident;
    const at = (frame: number): string => `${(100 * (frame - first)) / Math.max(1, last - first)}%`;
    const { line, mark } = store.colours;
    scrub.style.setProperty("--track", incident
      ? `linear-gradient(to right, ${line} ${at(incident.first)}, ${mark} ${at(incident.first)}, ${mark} max(calc(${at(incident.first)} + 3px), ${at(incident.last)}), ${line} max(calc(${at(incident.first)} + 3px), ${at(incident.last)}))`
      : line);
  });
  const ghost = toggle("ghost", "Draw the others faintly (g)");
  const xray = toggle("xray", "Make the two objects of the incident transparent (x)");
  const look = button("frame", "Move the camera to the incident (f)", frameIncident);
  if (!isMoving) return h("div", { class: "transport" }, h("span", { class: "soft" }, format.hasTime ? format.frame(first) : "no time: one state"), h("span", { class: "grow" }), look, ghost, xray);
  return h("div", { class: "transport" },
    button("back", "Back one frame (←)", () => store.step(-1)), play, button("on", "Forward one frame (→)", () => store.step(1)),
    scrub, number, seconds, speed, toggle("loop", "Repeat the incident while playing (l)"), look, ghost, xray);
}
