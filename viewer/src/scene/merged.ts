/**
 * Many rigid things that are all different, in one draw each for the solid and the faint: assemblies have thousands of parts, and a draw for each
 * would take longer than all their triangles. Which row of poses and which colour a vertex has is written at the vertex, and only where it changes.
 */
import * as THREE from "three";
import type { Shared } from "./material.ts";
import { material } from "./material.ts";
import type { Shape } from "./shapes.ts";

export class Merged {
  readonly meshes: THREE.Mesh[];
  readonly #geometry = new THREE.BufferGeometry();
  /** The first vertex of each slot, and one past the last. */
  readonly #starts: number[] = [0];
  readonly #rows: Float32Array;
  readonly #tints: Float32Array;
  readonly #seen: Uint8Array;
  #changed = false;
  #faint = 0;

  constructor(shapes: Shape[], shared: Shared) {
    for (const shape of shapes) this.#starts.push(this.#starts[this.#starts.length - 1]! + shape.positions.length / 3);
    const vertices = this.#starts[shapes.length]!;
    const positions = new Float32Array(3 * vertices);
    const weights = new Float32Array(4 * vertices);
    const indices = new Uint32Array(shapes.reduce((sum, shape) => sum + shape.indices.length, 0));
    let at = 0;
    shapes.forEach((shape, slot) => {
      const first = this.#starts[slot]!;
      positions.set(shape.positions, 3 * first);
      weights.set(shape.weights, 4 * first);
      for (const index of shape.indices) indices[at++] = first + index;
    });
    this.#rows = new Float32Array(vertices);
    this.#tints = new Float32Array(4 * vertices);
    this.#seen = new Uint8Array(shapes.length);
    const attribute = (name: string, numbers: Float32Array, width: number): void => void this.#geometry.setAttribute(name, new THREE.BufferAttribute(numbers, width));
    attribute("position", positions, 3);
    attribute("normal", new Float32Array(3 * vertices), 3);
    attribute("joints", new Float32Array(4 * vertices), 4);
    attribute("weights", weights, 4);
    attribute("row", this.#rows, 1);
    attribute("tint", this.#tints, 4);
    this.#geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    this.meshes = [false, true].map((faint) => {
      const mesh = new THREE.Mesh(this.#geometry, material(shared, { flat: true, faint, only: faint ? "faint" : "solid" }));
      mesh.frustumCulled = false;
      mesh.renderOrder = faint ? 5 : 0;
      return mesh;
    });
  }

  clear(): void {
    this.#seen.fill(0);
    this.#faint = 0;
  }

  set(slot: number, row: number, colour: readonly [number, number, number], alpha: number): void {
    this.#seen[slot] = 1;
    if (alpha < 1) this.#faint++;
    this.#write(slot, row, [colour[0], colour[1], colour[2], alpha]);
  }

  finish(): void {
    // A person who is absent has no colour, and is not drawn.
    this.#seen.forEach((seen, slot) => {
      if (!seen) this.#write(slot, 0, [0, 0, 0, 0]);
    });
    this.meshes[1]!.visible = this.#faint > 0;
    if (!this.#changed) return;
    this.#changed = false;
    this.#geometry.getAttribute("row").needsUpdate = true;
    this.#geometry.getAttribute("tint").needsUpdate = true;
  }

  #write(slot: number, row: number, tint: readonly number[]): void {
    const [first, last] = [this.#starts[slot]!, this.#starts[slot + 1]!];
    if (first === last) return;
    const isSame = this.#rows[first] === row && tint.every((value, i) => this.#tints[4 * first + i] === Math.fround(value));
    if (isSame) return;
    this.#rows.fill(row, first, last);
    for (let v = first; v < last; v++) this.#tints.set(tint, 4 * v);
    this.#changed = true;
  }
}
