/** Plain meshes: a box, a pipe, a sheet. */
import type { Vec3 } from "../src/data.ts";

export interface Mesh {
  positions: number[];
  indices: number[];
}

/** A box around the origin, by half its edges. */
export function cuboid(half: Vec3): Mesh {
  const positions: number[] = [];
  for (let i = 0; i < 8; i++) positions.push((i & 1 ? 1 : -1) * half[0], (i & 2 ? 1 : -1) * half[1], (i & 4 ? 1 : -1) * half[2]);
  const quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  return { positions, indices: quads.flatMap(([a, b, c, d]) => [a!, b!, c!, a!, c!, d!]) };
}

/** A closed cylinder along x. */
export function pipe(radius: number, half: number, round = 24): Mesh {
  const positions: number[] = [-half, 0, 0, half, 0, 0];
  const indices: number[] = [];
  for (let k = 0; k < round; k++) {
    const t = (2 * Math.PI * k) / round;
    for (const x of [-half, half]) positions.push(x, radius * Math.cos(t), radius * Math.sin(t));
    const [p, q] = [2 + 2 * k, 2 + 2 * ((k + 1) % round)];
    indices.push(p, p + 1, q, q, p + 1, q + 1, 0, p, q, 1, q + 1, p + 1);
  }
  return { positions, indices };
}

/** A sheet that hangs from the height, across z. */
export function sheet(columns: number, rows: number, width: number, height: number): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let r = 0; r <= rows; r++) for (let c = 0; c <= columns; c++) positions.push(0, (height * r) / rows, width * (c / columns - 0.5));
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const p = r * (columns + 1) + c;
      indices.push(p, p + 1, p + columns + 1, p + 1, p + columns + 2, p + columns + 1);
    }
  }
  return { positions, indices };
}
