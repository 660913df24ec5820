/** What a printed report has instead of scrolling panels: the first incidents as a table, and the view as a picture. */
import { h, refill } from "../dom.ts";
import { count } from "../format.ts";
import type { Store } from "../state.ts";

const MOST = 60;

export function printed(store: Store, picture: () => string | undefined): HTMLElement {
  const root = h("section", { class: "print-only" });
  window.addEventListener("beforeprint", () => {
    const { format, report } = store;
    const list = store.listed();
    const source = picture();
    refill(root,
      source !== undefined && h("img", { src: source, alt: "The view" }),
      list.length > 0 && h("table", {},
        h("thead", {}, h("tr", {}, ...["#", "who", "kind", "parts", "frames", "worst frame", report.severity].map((word) => h("th", {}, word)))),
        h("tbody", {}, ...list.slice(0, MOST).map((incident) => h("tr", {},
          h("td", {}, `${incident.id}`), h("td", {}, format.pair(incident.a, incident.b)), h("td", {}, incident.kind),
          h("td", {}, incident.parts[0] ? `${format.part(incident.a, incident.parts[0].a)} · ${format.part(incident.b, incident.parts[0].b)}` : ""),
          h("td", {}, format.span(incident.first, incident.last)), h("td", {}, `${incident.worst}`), h("td", {}, format.severity(incident)))))),
      list.length > MOST && h("p", {}, `and ${count(list.length - MOST)} more`));
  });
  return root;
}
