/**
 * Many who look alike in one draw: a shape, and rows of the pose texture one after the other, one for each of them, with their colours at the end.
 *
 * Large shapes are drawn as instances. Small ones are repeated in one geometry: cards are slow at many instances of a few dozen vertices, and without a card each
 * instance costs as much as a draw of its own.
 */
import * as THREE from "three";
import type { Shape } from "./shapes.ts";
import type { Look, Shared } from "./material.ts";
import { material } from "./material.ts";

/** The most triangles of a shape that is repeated. */
const SMALL = 400;

export class Batch<Member = unknown> {
  readonly mesh: THREE.Mesh;
  readonly members: Member[] = [];
  readonly #shape: Shape;
  readonly #normals: Float32Array;
  readonly #isSmall: boolean;
  readonly #own = { base: { value: 0 }, dye: { value: new THREE.Vector4(0, 0, 0, -1) } };
  #geometry: THREE.BufferGeometry;
  #room = 0;

  constructor(shape: Shape, shared: Shared, look: Look, order = 0) {
    this.#shape = shape;
    this.#isSmall = shape.indices.length <= 3 * SMALL && look.mark === undefined;
    this.#normals = look.flat ? new Float32Array(shape.positions.length) : smooth(shape);
    this.#geometry = this.#isSmall ? this.#repeated(4) : this.#single();
    this.mesh = new THREE.Mesh(this.#geometry, material(shared, { ...look, isRepeated: this.#isSmall }, this.#own));
    // Where it is drawn is known to the shader alone.
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = order;
  }

  /** Attributes of this many copies. */
  #fill(geometry: THREE.BufferGeometry, copies: number): void {
    const put = (name: string, numbers: ArrayLike<number>, width: number): void => {
      const all = new Float32Array(numbers.length * copies);
      for (let i = 0; i < copies; i++) all.set(numbers, i * numbers.length);
      geometry.setAttribute(name, new THREE.BufferAttribute(all, width));
    };
    put("position", this.#shape.positions, 3);
    put("normal", this.#normals, 3);
    put("joints", this.#shape.joints, 4);
    put("weights", this.#shape.weights, 4);
  }

  #single(): THREE.BufferGeometry {
    const geometry = new THREE.InstancedBufferGeometry();
    this.#fill(geometry, 1);
    geometry.setIndex(new THREE.BufferAttribute(this.#shape.indices, 1));
    return geometry;
  }

  #repeated(copies: number): THREE.BufferGeometry {
    const geometry = new THREE.BufferGeometry();
    const { indices, positions } = this.#shape;
    const vertices = positions.length / 3;
    this.#fill(geometry, copies);
    geometry.setAttribute("copy", new THREE.BufferAttribute(Float32Array.from({ length: copies * vertices }, (_, v) => Math.floor(v / vertices)), 1));
    geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from({ length: copies * indices.length }, (_, i) => indices[i % indices.length]! + vertices * Math.floor(i / indices.length)), 1));
    this.#room = copies;
    return geometry;
  }

  clear(): void {
    this.members.length = 0;
  }

  /** After the last one was added: their rows begin here. A colour, if given, is taken instead of those of the rows. */
  finish(base: number, colour?: readonly [number, number, number], alpha = 1): void {
    const n = this.members.length;
    this.mesh.visible = n > 0;
    this.#own.base.value = base;
    if (colour) this.#own.dye.value.set(colour[0], colour[1], colour[2], alpha);
    if (!this.#isSmall) {
      (this.#geometry as THREE.InstancedBufferGeometry).instanceCount = n;
      return;
    }
    if (n > this.#room) {
      this.#geometry.dispose();
      // Twice as many as now, since buffers on the card do not grow.
      this.mesh.geometry = this.#geometry = this.#repeated(2 * n);
    }
    this.#geometry.setDrawRange(0, n * this.#shape.indices.length);
  }

  /** For vertices that come frame by frame. */
  setPositions(positions: Float32Array): void {
    const attribute = this.#geometry.getAttribute("position") as THREE.BufferAttribute;
    attribute.array.set(positions);
    attribute.needsUpdate = true;
  }

  dispose(): void {
    this.#geometry.dispose();
    (this.mesh.material as THREE.Material).dispose();
    this.mesh.removeFromParent();
  }
}

function smooth({ positions, indices }: Shape): Float32Array {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  geometry.setIndex(new THREE.BufferAttribute(indices, 1));
  geometry.computeVertexNormals();
  return geometry.getAttribute("normal").array as Float32Array;
}
