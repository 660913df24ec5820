/**
 * The 3-D view: camera, floor, the cast, the marker and names. Draws when something has changed, and not otherwise: at once and as finely as the machine can while
 * things move, and once more, better, when they have come to rest.
 */
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { h, hideTip, showTip } from "../dom.ts";
import { counted } from "../format.ts";
import { atNextFrame, drawSoon } from "../frames.ts";
import { entryAt, struckAt } from "../rank.ts";
import type { Incident, Vec3 } from "../data.ts";
import type { Shot } from "../shot.ts";
import type { Store } from "../state.ts";
import { boundsOf } from "./bounds.ts";
import { Cast } from "./cast.ts";
import type { Drawn } from "./cast.ts";
import { Floor } from "./floor.ts";
import type { Shared } from "./material.ts";
import { Marker } from "./marker.ts";
import { Quality, STEPS } from "./quality.ts";
import type { Step } from "./quality.ts";

const AXES = { x: 0, y: 1, z: 2 } as const;

/** Milliseconds without a change after which things have come to rest, and after which nothing more is expected. */
const REST = 250;
const LONG_REST = 1200;

const SIMPLER = "Other characters are drawn with fewer triangles: the farther away they are and the slower the machine is, the fewer. The two objects of an incident are always drawn as they were checked.";

/** A name over a head, or a number at a place. */
interface Tag {
  element: HTMLElement;
  /** How large it is with the text that it has: asked of the page only when that changes. */
  width: number;
  height: number;
}

const tagged = (kind: string): Tag => ({ element: h("div", { class: `tag ${kind}`, hidden: true }), width: 0, height: 0 });

export class View {
  readonly element: HTMLElement;
  readonly #store: Store;
  readonly #shot: Shot;
  readonly #renderer: THREE.WebGLRenderer;
  readonly #scene = new THREE.Scene();
  readonly #camera = new THREE.PerspectiveCamera(38, 1, 0.02, 2000);
  readonly #controls: OrbitControls;
  /** From the space of the shot to that of the camera, where Y is up. */
  readonly #root = new THREE.Group();
  readonly #cast: Cast;
  readonly #marker = new Marker();
  readonly #shared: Shared = { poses: { value: null }, skyColour: { value: new THREE.Vector3() }, haze: { value: new THREE.Vector2(1e6, 2e6) } };
  readonly #labels = { a: tagged("a"), b: tagged("b"), depth: tagged("depth") };
  readonly #word = h("div", { class: "view-word soft", role: "status" });
  readonly #simpler = h("div", { class: "view-word right soft", title: SIMPLER, hidden: true });
  readonly #sight = new THREE.Frustum();
  readonly #floor: { drawn: Floor; height: number } | undefined;
  readonly #size = { width: 1, height: 1 };
  /** How often each object is in an incident. */
  readonly #times: number[];
  readonly quality: Quality;
  /** Pixels of the canvas for one of the page. */
  readonly #sharpest: number;
  /** A picture that is being drawn, and the time of its frame. */
  #pending: { fence: WebGLSync; since: number } | undefined;
  readonly #context: WebGL2RenderingContext;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #movedAt = 0;
  /** Whether the view is being turned. */
  #isHeld = false;
  /** What was drawn last, and how often it was drawn: for tests. */
  drawn: Drawn & { triangles: number; calls: number; pictures: number } = { full: 0, simple: 0, pillar: 0, unseen: 0, triangles: 0, calls: 0, pictures: 0 };

  constructor(store: Store, shot: Shot, canvas: HTMLCanvasElement, context: WebGL2RenderingContext, hasCard: boolean) {
    this.#store = store;
    this.#shot = shot;
    this.#renderer = new THREE.WebGLRenderer({ canvas, context, antialias: true });
    this.#context = context;
    this.quality = new Quality(hasCard);
    this.#sharpest = hasCard ? Math.min(2, window.devicePixelRatio || 1) : 2;
    this.#renderer.setPixelRatio(this.#sharpest);
    this.#renderer.setScissorTest(true);
    this.#times = store.report.objects.map(() => 0);
    for (const { a, b } of store.report.incidents) for (const object of a === b ? [a] : [a, b]) this.#times[object]!++;
    const up = AXES[store.report.up];
    if (up === 2) this.#root.rotation.x = -Math.PI / 2;
    if (up === 0) this.#root.rotation.z = Math.PI / 2;
    this.#root.updateMatrixWorld(true);
    shot.origin = originOf(store, shot);
    this.#cast = new Cast(shot, this.#shared, up, this.#renderer.capabilities.maxTextureSize, () => this.redraw());
    this.#root.add(this.#cast.group);
    this.#scene.add(this.#root, this.#marker.group);
    const { ground } = shot.directory;
    if (ground !== undefined) {
      const level = [...shot.origin] as Vec3;
      level[up] = ground;
      this.#floor = { drawn: new Floor(), height: this.#world(level).y };
      this.#scene.add(this.#floor.drawn.mesh);
    }
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.enableDamping = false;
    this.#controls.addEventListener("change", () => this.redraw());
    this.#controls.addEventListener("start", () => (this.#isHeld = true));
    this.#controls.addEventListener("end", () => {
      this.#isHeld = false;
      this.#await();
    });
    this.element = h("div", { class: "view" }, canvas, this.#labels.a.element, this.#labels.b.element, this.#labels.depth.element, this.#word, this.#simpler);
    new ResizeObserver(() => this.#resize()).observe(this.element);
    this.#listen(canvas);
    canvas.addEventListener("webglcontextrestored", () => {
      this.#cast.lost();
      this.#pending = undefined;
      this.redraw();
    });
    this.look();
    store.on(["dark"], () => this.#recolour());
    store.on(["frame", "ghost", "xray", "unit"], () => this.redraw());
    store.on(["playing"], () => this.#await());
    let last: number | null = null;
    store.on(["incident"], () => {
      if (store.state.incident !== null && store.state.incident !== last) this.look();
      last = store.state.incident;
      this.redraw();
    });
  }

  /** Names under the pointer; a click that is no drag shows that object's incidents. */
  #listen(canvas: HTMLCanvasElement): void {
    let pressed: [number, number] | undefined;
    canvas.addEventListener("pointerdown", (event) => (pressed = [event.clientX, event.clientY]));
    canvas.addEventListener("pointermove", (event) => {
      const object = event.buttons === 0 ? this.pick(event.clientX, event.clientY) : undefined;
      if (object === undefined) return hideTip();
      showTip(event, this.#store.format.name(object), counted(this.#times[object] ?? 0, "incident"));
    });
    canvas.addEventListener("pointerleave", hideTip);
    canvas.addEventListener("click", (event) => {
      if (!pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return;
      const object = this.pick(event.clientX, event.clientY);
      const { filter } = this.#store.state;
      if (object !== undefined) this.#store.set({ filter: { ...filter, objects: [object] } });
    });
  }

  /** The object under a point of the window: the nearest whose upright capsule is there. */
  pick(x: number, y: number): number | undefined {
    const box = this.element.getBoundingClientRect();
    const height = box.height || 1;
    const pointer = new THREE.Vector2(x - box.left, y - box.top);
    const seen = (point: THREE.Vector3): THREE.Vector2 => new THREE.Vector2(((point.x + 1) / 2) * box.width, ((1 - point.y) / 2) * height);
    let best: { object: number; distance: number } | undefined;
    for (const { object, middle, tall, wide } of this.#cast.present) {
      const centre = this.#root.localToWorld(new THREE.Vector3(...middle));
      const distance = centre.distanceTo(this.#camera.position);
      if (best && distance >= best.distance) continue;
      const pixels = height / (2 * distance * Math.tan((this.#camera.fov * Math.PI) / 360));
      const half = Math.max(0, tall / 2 - wide / 2);
      const ends = [-half, half].map((up) => centre.clone().setY(centre.y + up).project(this.#camera));
      if (ends.some((end) => end.z > 1)) continue;
      const nearest = new THREE.Line3(...(ends.map((end) => new THREE.Vector3(...seen(end).toArray(), 0)) as [THREE.Vector3, THREE.Vector3]))
        .closestPointToPoint(new THREE.Vector3(pointer.x, pointer.y, 0), true, new THREE.Vector3());
      if (Math.hypot(nearest.x - pointer.x, nearest.y - pointer.y) <= Math.max(3, (pixels * wide) / 2)) best = { object, distance };
    }
    return best?.object;
  }

  /** Turns the camera to the incident as it is now, from the side; or to everyone. */
  look(): void {
    const incident = this.#store.incident;
    const box = new THREE.Box3();
    const index = this.#store.index(incident?.worst);
    const objects = incident ? [incident.a, incident.b] : undefined;
    const actors = objects ? objects.map((object) => this.#shot.actorOf(object)) : this.#shot.actors.map((_, i) => i);
    const room = new THREE.Box3();
    // Of a crowd a sample is enough to see where it is.
    const stride = Math.max(1, Math.floor(actors.length / 300));
    actors.forEach((actor, i) => {
      if (actor === undefined || i % stride !== 0 || !this.#shot.isPresent(this.#shot.actors[actor]!, index)) return;
      box.union(boundsOf(this.#shot, actor, index, room).applyMatrix4(this.#root.matrixWorld));
    });
    const point = incident?.point ? this.#world(incident.point) : undefined;
    if (box.isEmpty()) box.setFromCenterAndSize(point ?? new THREE.Vector3(), new THREE.Vector3(2, 2, 2));
    const size = box.getSize(new THREE.Vector3());
    const centre = box.getCenter(new THREE.Vector3());
    // From the side a box is as wide as its floor is long, at most.
    const half = { wide: Math.hypot(size.x, size.z) / 2, tall: size.y / 2 };
    if (point) {
      // Large things: the place of the incident counts, not the whole slab.
      const tight = this.#tight(objects!, index);
      const isLarge = tight < Math.max(half.wide, half.tall);
      half.wide = Math.min(half.wide, tight);
      half.tall = Math.min(half.tall, tight);
      centre.lerp(point, isLarge ? 0.85 : 0.15);
    }
    const slope = Math.tan((this.#camera.fov * Math.PI) / 360);
    const fit = Math.max(half.tall / slope, half.wide / slope / this.#camera.aspect, 1e-3) * 1.22 + half.wide * 0.5;
    this.#controls.target.copy(centre);
    this.#camera.position.copy(centre).addScaledVector(this.#side(incident, point?.clone().sub(box.getCenter(new THREE.Vector3())), size.length()), fit);
    this.#camera.near = fit / 200;
    this.#camera.far = fit * 300;
    this.#camera.updateProjectionMatrix();
    this.#controls.update();
    this.redraw();
  }

  /** The radius of the smaller of the two, with some air; enough to see of the larger one what it is. */
  #tight(objects: number[], index: number): number {
    const sizes = objects.flatMap((object) => {
      const actor = this.#shot.actorOf(object);
      return actor === undefined ? [] : [boundsOf(this.#shot, actor, index).getSize(new THREE.Vector3()).length() / 2];
    });
    return sizes.length > 0 ? Math.max(1.5 * Math.min(...sizes), 0.3 * Math.max(...sizes)) : Infinity;
  }

  /** A direction from which the two stand side by side: across the normal, a little from above, from the side on which they meet. */
  #side(incident: Incident | undefined, off: THREE.Vector3 | undefined, size: number): THREE.Vector3 {
    const across = new THREE.Vector3(0.55, 0, 1);
    if (incident?.normal) {
      const normal = new THREE.Vector3(...incident.normal).applyQuaternion(this.#root.quaternion);
      normal.y = 0;
      if (normal.lengthSq() > 0.05) {
        across.crossVectors(normal.normalize(), new THREE.Vector3(0, 1, 0));
        // Where they meet in the middle, from where the camera already is rather than from behind.
        const nearer = off && Math.abs(across.dot(off)) > 0.02 * size ? off : this.#camera.position.clone().sub(this.#controls.target);
        if (across.dot(nearer) < 0) across.negate();
        across.addScaledVector(normal, 0.25);
      }
    }
    return across.normalize().setY(incident ? 0.28 : 0.5).normalize();
  }

  /** A point of the report where the camera sees it. */
  #world(point: Vec3): THREE.Vector3 {
    const { origin } = this.#shot;
    return new THREE.Vector3(point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]).applyMatrix4(this.#root.matrixWorld);
  }

  /** Something has changed. */
  redraw(): void {
    drawSoon(this.#move);
  }

  /** Draws as finely as the machine can keep up with, and looks how long it takes. */
  readonly #move = (now: number): void => {
    this.#movedAt = now;
    this.draw(this.quality.moving);
    this.#await();
    if (this.#pending) return;
    const fence = this.#context.fenceSync(this.#context.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!fence) return;
    this.#context.flush();
    this.#pending = { fence, since: now };
    atNextFrame(this.#judge);
  };

  /**
   * Asks frame by frame whether what was drawn is there. That frames come is not enough: browsers go on while drawing is behind. One picture is checked at a time.
   */
  readonly #judge = (now: number): void => {
    if (!this.#pending) return;
    const { fence, since } = this.#pending;
    const isThere = this.#context.getSyncParameter(fence, this.#context.SYNC_STATUS) !== this.#context.UNSIGNALED;
    if (!isThere) {
      atNextFrame(this.#judge);
      return;
    }
    this.#context.deleteSync(fence);
    this.#pending = undefined;
    this.quality.took(now - since);
  };

  /** Once nothing moves any more there is time for a better picture, and later for the best. */
  #await(): void {
    clearTimeout(this.#rest);
    // On a slow machine frames are farther apart than that: as long as it plays or is held, more are to come.
    if (this.#store.state.playing || this.#isHeld) return;
    this.#rest = setTimeout(() => {
      drawSoon(this.#settle);
      if (this.quality.still !== this.quality.best) this.#rest = setTimeout(() => drawSoon(this.#finish), LONG_REST);
    }, REST);
  }

  readonly #settle = (now: number): void => {
    // Something has moved in the same frame after all.
    if (this.#movedAt !== now) this.draw(this.quality.still);
  };
  readonly #finish = (now: number): void => {
    if (this.#movedAt !== now) this.draw(this.quality.best);
  };

  /** Draws now, the best there is unless told otherwise, and says what. */
  draw(step: Step = STEPS[0]!): View["drawn"] {
    this.#sharpen(step.ratio);
    this.#update(step);
    const distance = this.#camera.position.distanceTo(this.#controls.target);
    this.#shared.haze.value.set(5 * distance, 25 * distance);
    this.#floor?.drawn.place(this.#controls.target, this.#floor.height, distance);
    this.#renderer.render(this.#scene, this.#camera);
    this.#place();
    const { triangles, calls } = this.#renderer.info.render;
    this.drawn = { ...this.#cast.drawn, triangles, calls, pictures: this.drawn.pictures + 1 };
    return this.drawn;
  }

  /** How the work on simplified bodies went, for tests. */
  get made(): { turns: number; most: number } {
    return this.#cast.made;
  }

  /**
   * Pixels of the picture for one of the page: fewer are drawn into a corner of the canvas, which is shown larger. The canvas itself keeps its size, since
   * another would make the page wait until all that was drawn before is done.
   */
  #sharpen(ratio: number): void {
    const part = Math.min(1, ratio / this.#sharpest);
    const { width, height } = this.#size;
    // Whole pixels, so that nothing beside them shows.
    const [wide, tall] = [width, height].map((length) => Math.ceil(length * part * this.#sharpest) / this.#sharpest) as [number, number];
    this.#renderer.setViewport(0, 0, wide, tall);
    this.#renderer.setScissor(0, 0, wide, tall);
    const { style } = this.#renderer.domElement;
    const larger = part < 1 ? `scale(${1 / part})` : "";
    if (style.transform !== larger) style.transform = larger;
  }

  #update(budget: Step): void {
    const { state, incident, colours, report } = this.#store;
    const eye = this.#root.worldToLocal(this.#camera.position.clone()).toArray() as Vec3;
    const focus = this.#root.worldToLocal(this.#controls.target.clone()).toArray() as Vec3;
    this.#camera.updateMatrixWorld();
    const seen = this.#camera.projectionMatrix.clone().multiply(this.#camera.matrixWorldInverse).multiply(this.#root.matrixWorld);
    this.#sight.setFromProjectionMatrix(seen);
    const struck = incident ? NOBODY : struckAt(report, state.frame);
    for (const [object, bad] of struck) struck.set(object, this.#store.fraction(bad));
    this.#cast.update({
      index: this.#store.index(), frame: state.frame, eye, focus, sight: this.#sight, budget, incident, ghost: state.ghost, xray: state.xray, colours, struck,
    });
    const isWithin = incident !== undefined && state.frame >= incident.first && state.frame <= incident.last;
    if (incident?.point && isWithin) {
      const normal = incident.normal ? new THREE.Vector3(...incident.normal).applyQuaternion(this.#root.quaternion).normalize() : undefined;
      const isWorst = state.frame === incident.worst;
      this.#marker.show(this.#world(incident.point), normal, incident.depth ?? 0, colours.mark, colours.panel, isWorst ? 1 : 0.3);
    } else {
      this.#marker.hide();
    }
    const held = this.#cast.held.map((object) => this.#store.format.name(object));
    say(this.#word, held.length > 0 ? `not stored in this frame, held: ${held.join(", ")}` : "");
    this.#simpler.hidden = this.#cast.drawn.simple + this.#cast.drawn.pillar === 0;
    say(this.#simpler, incident ? "others are simplified" : "those far away are simplified");
  }

  /** Sizes the marker and puts the names where heads are. */
  #place(): void {
    const { incident, format, state } = this.#store;
    const { height } = this.#size;
    if (this.#marker.group.visible) {
      const distance = this.#camera.position.distanceTo(this.#marker.group.position);
      this.#marker.size((12 * 2 * distance * Math.tan((this.#camera.fov * Math.PI) / 360)) / height);
    }
    const box = new THREE.Box3();
    const over = (object: number): THREE.Vector3 | undefined => {
      const actor = this.#shot.actorOf(object);
      if (actor === undefined || !this.#shot.isPresent(this.#shot.actors[actor]!, this.#store.index())) return undefined;
      boundsOf(this.#shot, actor, this.#store.index(), box).applyMatrix4(this.#root.matrixWorld);
      return box.getCenter(new THREE.Vector3()).setY(box.max.y);
    };
    const isPair = incident && incident.a !== incident.b;
    const { a, b, depth } = this.#labels;
    const at = this.#tag(a, incident ? format.name(incident.a) : "", incident ? over(incident.a) : undefined);
    // Two names over one another become one over the other.
    this.#tag(b, isPair ? format.name(incident.b) : "", isPair ? over(incident.b) : undefined, ([x, y]) => {
      const isOver = at && Math.abs(at[0] - x) < (a.width + b.width) / 2 && y - b.height < at[1] && at[1] - a.height < y;
      return isOver ? at[1] - a.height - 2 : y;
    });
    const now = incident && entryAt(this.#store.report, incident, state.frame);
    const words = now ? (now[1] !== null ? format.length(now[1]) : counted(now[2], "triangle pair")) : "";
    this.#tag(depth, words, this.#marker.group.visible && now ? this.#marker.group.position : undefined);
  }

  /** Puts a tag at a point, its middle above it, and says where on the page that is. `lift` may put its lower edge elsewhere. */
  #tag(tag: Tag, text: string, point: THREE.Vector3 | undefined, lift = ([, y]: readonly [number, number]): number => y): [number, number] | undefined {
    const seen = point?.clone().project(this.#camera);
    const isSeen = seen !== undefined && seen.z <= 1 && Math.abs(seen.x) <= 1.1 && Math.abs(seen.y) <= 1.1;
    tag.element.hidden = !isSeen;
    if (!isSeen) return undefined;
    if (say(tag.element, text) || tag.width === 0) [tag.width, tag.height] = [tag.element.offsetWidth, tag.element.offsetHeight];
    const x = ((seen.x + 1) / 2) * this.#size.width;
    const y = lift([x, ((1 - seen.y) / 2) * this.#size.height]);
    tag.element.style.transform = `translate(-50%, -100%) translate(${x}px, ${y}px)`;
    return [x, y];
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    const before = this.#camera.aspect;
    Object.assign(this.#size, { width, height });
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    // The first size that is known: now it can be framed.
    if (before === 1) this.look();
    // At once, for what was drawn is gone.
    this.draw(this.quality.moving);
    this.#await();
  }

  #recolour(): void {
    const { colours } = this.#store;
    const sky = new THREE.Color(colours.sky);
    this.#renderer.setClearColor(sky);
    const raw = new THREE.Color().setStyle(colours.sky, THREE.LinearSRGBColorSpace);
    this.#shared.skyColour.value.set(raw.r, raw.g, raw.b);
    this.#floor?.drawn.colour(colours.floor);
    this.redraw();
  }
}

const NOBODY = new Map<number, number>();

/** Text that is there already is left alone: it would be laid out again. */
function say(element: HTMLElement, text: string): boolean {
  if (element.textContent === text) return false;
  element.textContent = text;
  return true;
}

/** The middle of where actors begin, in whole units: taken from everything, so that cards, which count in single precision, see small numbers. */
function originOf(store: Store, shot: Shot): Vec3 {
  const box = new THREE.Box3();
  for (const actor of shot.actors) {
    const body = shot.directory.bodies[actor.body]!;
    const place = new THREE.Vector3(...shot.whereabouts(actor, actor.first ?? 0).place);
    const middle = body.skin ? [0, 0, 0] : [0, 1, 2].map((axis) => body.box.min[axis]! + 32767 * body.box.step[axis]!);
    box.expandByPoint(place.add(new THREE.Vector3(...(middle as Vec3))));
  }
  if (box.isEmpty()) return store.report.incidents[0]?.point ?? [0, 0, 0];
  return box.getCenter(new THREE.Vector3()).round().toArray() as Vec3;
}
