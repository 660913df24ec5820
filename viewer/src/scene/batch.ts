/** Many who look alike in one draw: a shape, and for each of them a row of the pose texture and a colour. */
import * as THREE from "three";
import type { Shape } from "./shapes.ts";
import type { Look, Shared } from "./material.ts";
import { material } from "./material.ts";

export class Batch {
  readonly mesh: THREE.Mesh;
  readonly #geometry = new THREE.InstancedBufferGeometry();
  #rows = new Float32Array(0);
  #tints = new Float32Array(0);
  #count = 0;

  constructor(shape: Shape, shared: Shared, look: Look, order = 0) {
    this.#geometry.setAttribute("position", new THREE.BufferAttribute(shape.positions, 3));
    this.#geometry.setAttribute("joints", new THREE.BufferAttribute(Float32Array.from(shape.joints), 4));
    this.#geometry.setAttribute("weights", new THREE.BufferAttribute(shape.weights, 4));
    this.#geometry.setIndex(new THREE.BufferAttribute(shape.indices, 1));
    if (look.flat) this.#geometry.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(shape.positions.length), 3));
    else this.#geometry.computeVertexNormals();
    this.mesh = new THREE.Mesh(this.#geometry, material(shared, look));
    // Where it is drawn is known to the shader alone.
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = order;
    this.#grow(4);
  }

  #grow(room: number): void {
    const [rows, tints] = [new Float32Array(room), new Float32Array(4 * room)];
    rows.set(this.#rows);
    tints.set(this.#tints);
    [this.#rows, this.#tints] = [rows, tints];
    // New attributes, since buffers on the card do not grow.
    this.#geometry.dispose();
    this.#geometry.setAttribute("row", new THREE.InstancedBufferAttribute(rows, 1));
    this.#geometry.setAttribute("tint", new THREE.InstancedBufferAttribute(tints, 4));
  }

  clear(): void {
    this.#count = 0;
  }

  add(row: number, colour: readonly [number, number, number], alpha: number): void {
    if (this.#count === this.#rows.length) this.#grow(2 * this.#count);
    this.#rows[this.#count] = row;
    this.#tints.set([colour[0], colour[1], colour[2], alpha], 4 * this.#count);
    this.#count++;
  }

  /** After the last one was added. */
  finish(): void {
    this.#geometry.instanceCount = this.#count;
    this.mesh.visible = this.#count > 0;
    if (this.#count === 0) return;
    this.#geometry.getAttribute("row").needsUpdate = true;
    this.#geometry.getAttribute("tint").needsUpdate = true;
  }

  /** For vertices that come frame by frame. */
  setPositions(positions: Float32Array): void {
    const attribute = this.#geometry.getAttribute("position") as THREE.BufferAttribute;
    attribute.copyArray(positions);
    attribute.needsUpdate = true;
  }

  dispose(): void {
    this.#geometry.dispose();
    (this.mesh.material as THREE.Material).dispose();
    this.mesh.removeFromParent();
  }
}
