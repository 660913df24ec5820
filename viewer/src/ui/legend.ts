/** What the colours mean: from nothing to the worst of this report. */
import { h, refill } from "../dom.ts";
import type { Store } from "../state.ts";

export function legend(store: Store): HTMLElement {
  const bar = h("span", { class: "legend-bar" });
  const most = h("span");
  const word = { depth: "depth", pairs: "triangle pairs", length: "length of contact", distance: "within the clearance by" }[store.report.severity];
  store.on(["dark", "unit"], () => {
    bar.style.background = `linear-gradient(to right, ${store.colours.scale.join(", ")})`;
    refill(most, store.format.measure(store.worst));
  });
  return h("span", { class: "legend soft", hidden: store.worst === 0 }, h("span", { class: "wide-only" }, `${word}: 0`), bar, most);
}
