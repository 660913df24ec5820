/** Point, normal and depth of the worst frame: a dot, the depth to scale along the normal, and an arrow from one to the other. Seen through everything. */
import * as THREE from "three";

export class Marker {
  readonly group = new THREE.Group();
  readonly #colour = new THREE.MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true });
  readonly #halo = new THREE.MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true });
  readonly #dot = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 14), this.#colour);
  readonly #ring = new THREE.Mesh(new THREE.SphereGeometry(1.45, 20, 14), this.#halo);
  readonly #bar = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 12), this.#colour);
  readonly #tip = new THREE.Mesh(new THREE.ConeGeometry(1, 1, 16), this.#colour);
  #depth = 0;

  constructor() {
    this.group.add(this.#ring, this.#bar, this.#tip, this.#dot);
    this.group.traverse((part) => (part.renderOrder = 20));
    this.#dot.renderOrder = 21;
    this.group.visible = false;
  }

  show(point: THREE.Vector3, normal: THREE.Vector3 | undefined, depth: number, colour: string, halo: string, opacity: number): void {
    this.group.visible = true;
    this.group.position.copy(point);
    this.#colour.color.set(colour);
    this.#halo.color.set(halo);
    this.#colour.opacity = opacity;
    this.#halo.opacity = opacity;
    this.#depth = depth;
    this.#bar.visible = this.#tip.visible = normal !== undefined;
    if (normal) this.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), normal);
  }

  hide(): void {
    this.group.visible = false;
  }

  /** As large on the screen whatever the distance; `unit` is the length of some ten pixels there. */
  size(unit: number): void {
    this.#dot.scale.setScalar(0.55 * unit);
    this.#ring.scale.setScalar(0.55 * unit);
    const length = Math.max(this.#depth, 5 * unit);
    this.#bar.scale.set(0.16 * unit, length, 0.16 * unit);
    this.#bar.position.y = length / 2 - this.#depth / 2;
    this.#tip.scale.set(0.5 * unit, 1.3 * unit, 0.5 * unit);
    this.#tip.position.y = length - this.#depth / 2 + 0.6 * unit;
  }
}
