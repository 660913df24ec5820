/** Soft round spots on the floor, which tie people to it: squares in one geometry, whose corners are written again in every frame. */
import * as THREE from "three";
import type { Vec3 } from "../data.ts";

/** Half of a spot, in metres. */
const HALF = 0.5;
const CORNERS = [[-1, -1], [1, -1], [1, 1], [-1, 1]] as const;

export class Shadows {
  readonly mesh: THREE.Mesh;
  readonly #geometry = new THREE.BufferGeometry();
  readonly #positions: THREE.BufferAttribute;
  readonly #up: 0 | 1 | 2;
  readonly #height: number;

  constructor(most: number, up: 0 | 1 | 2, height: number) {
    this.#up = up;
    this.#height = height;
    this.#positions = new THREE.BufferAttribute(new Float32Array(12 * most), 3);
    this.#geometry.setAttribute("position", this.#positions);
    this.#geometry.setAttribute("uv", new THREE.BufferAttribute(Float32Array.from({ length: 8 * most }, (_, i) => (CORNERS[(i >> 1) % 4]![i % 2]! + 1) / 2), 2));
    this.#geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from({ length: 6 * most }, (_, i) => 4 * Math.floor(i / 6) + [0, 1, 2, 0, 2, 3][i % 6]!), 1));
    this.mesh = new THREE.Mesh(this.#geometry, new THREE.MeshBasicMaterial({ map: spot(), transparent: true, depthWrite: false, side: THREE.DoubleSide, forceSinglePass: true }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1;
  }

  /** Below this place. */
  add(at: number, below: Vec3): void {
    const { array } = this.#positions;
    const [u, v] = this.#up === 0 ? [1, 2] : this.#up === 1 ? [0, 2] : [0, 1];
    for (let k = 0; k < 4; k++) {
      const i = 3 * (4 * at + k);
      array[i + this.#up] = this.#height;
      array[i + u!] = below[u!]! + HALF * CORNERS[k]![0];
      array[i + v!] = below[v!]! + HALF * CORNERS[k]![1];
    }
  }

  finish(count: number): void {
    this.#geometry.setDrawRange(0, 6 * count);
    this.mesh.visible = count > 0;
    this.#positions.clearUpdateRanges();
    this.#positions.addUpdateRange(0, 12 * count);
    this.#positions.needsUpdate = true;
  }
}

function spot(): THREE.DataTexture {
  const size = 32;
  const texels = new Uint8Array(4 * size * size);
  for (let i = 0; i < size * size; i++) {
    const [x, y] = [((i % size) + 0.5) / size - 0.5, (Math.floor(i / size) + 0.5) / size - 0.5];
    texels[4 * i + 3] = 110 * Math.max(0, 1 - 2 * Math.hypot(x, y)) ** 1.5;
  }
  const map = new THREE.DataTexture(texels, size, size);
  map.magFilter = THREE.LinearFilter;
  map.needsUpdate = true;
  return map;
}
