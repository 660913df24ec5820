/** Elements from code. Text goes in as text, always: there is no way to put markup in, so names cannot be more than names. */
import { drawSoon } from "./frames.ts";

type Child = Node | string | number | null | undefined | false;
type Handler = (event: never) => void;
type Attributes = Record<string, string | number | boolean | Handler | null | undefined>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  put(element, children);
}

/** An element: `h("button", { class: "quiet", onclick: go }, "Go")`. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** The same of SVG. */
export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

/** Puts these in place of all that is in the element. */
export function refill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  put(element, children);
}

function put(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
  }
}

/** A canvas that is sharp on any screen; `draw` is called when its size changes and when `redraw` is, at most once a frame. */
export class Surface {
  readonly canvas: HTMLCanvasElement;
  width = 0;
  height = 0;
  readonly #draw: (context: CanvasRenderingContext2D, width: number, height: number) => void;

  constructor(canvas: HTMLCanvasElement, draw: (context: CanvasRenderingContext2D, width: number, height: number) => void) {
    this.canvas = canvas;
    this.#draw = draw;
  }

  resize(width: number, height: number): void {
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.redraw();
  }

  redraw(): void {
    drawSoon(this.#now);
  }

  readonly #now = (): void => {
    const context = this.canvas.getContext("2d");
    if (!context || this.width === 0 || this.height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.#draw(context, this.width, this.height);
  };
}

/** Text cut off with an ellipsis so that it fits. */
export function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low > 0 ? `${text.slice(0, low)}…` : "";
}

/** The same, cut off at its beginning: numbered names differ at their end. */
export function fittedEnd(context: CanvasRenderingContext2D, text: string, width: number): string {
  const turned = (name: string): string => [...name].reverse().join("");
  if (context.measureText(text).width <= width) return text;
  return turned(fitted(context, turned(text), width));
}

/** The one tooltip of the page. */
const tip = h("div", { class: "tip", role: "status", hidden: true });

export function showTip(event: { clientX: number; clientY: number }, ...lines: string[]): void {
  if (!tip.isConnected) document.body.append(tip);
  refill(tip, ...lines.map((line, i) => h("div", { class: i === 0 ? "tip-head" : "" }, line)));
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const x = Math.min(event.clientX + 14, window.innerWidth - width - 8);
  const y = event.clientY + 18 + height > window.innerHeight ? event.clientY - height - 10 : event.clientY + 18;
  tip.style.transform = `translate(${Math.max(4, x)}px, ${Math.max(4, y)}px)`;
}

export function hideTip(): void {
  tip.hidden = true;
}
