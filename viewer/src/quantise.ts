/**
 * Numbers in few bits, both ways: points as 16 bits an axis within a box, rotations as the three smallest components of a quaternion.
 *
 * Errors: a point is within half a `step` on each axis. A rotation is within 1.3e-4 radians: the three numbers are off by 2.2e-5, 2.2e-5 (they give
 * their last bit to the place of the largest component) and 1.1e-5 at most, and the fourth, which is at least as large as each of them, by their sum. A
 * vertex half a metre from its joint moves by 0.065 mm.
 */
import type { Box, Vec3 } from "./data.ts";

const Q16 = 65535;

/** The box of points, x y z each. */
export function boxOf(points: ArrayLike<number>): Box {
  const min: Vec3 = [Infinity, Infinity, Infinity];
  const max: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    const axis = i % 3;
    const value = points[i]!;
    if (value < min[axis]!) min[axis] = value;
    if (value > max[axis]!) max[axis] = value;
  }
  if (points.length === 0) return { min: [0, 0, 0], step: [0, 0, 0] };
  return { min, step: [0, 1, 2].map((axis) => (max[axis]! - min[axis]!) / Q16) as Vec3 };
}

/** Points as 16 bits an axis. An axis without extent has step 0 and number 0. */
export function quantisePoints(points: ArrayLike<number>, box: Box): Uint16Array {
  return Uint16Array.from({ length: points.length }, (_, i) => {
    const step = box.step[i % 3]!;
    return step > 0 ? Math.min(Q16, Math.max(0, Math.round((points[i]! - box.min[i % 3]!) / step))) : 0;
  });
}

/** All points again. */
export function restorePoints(numbers: Uint16Array, box: Box): Float32Array {
  const out = new Float32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) out[i] = box.min[i % 3]! + box.step[i % 3]! * numbers[i]!;
  return out;
}

// The three smallest components are within 1/√2 of zero.
const SMALL = Math.SQRT1_2;
const Q15 = 32767;

/** The largest component is left out and positive; which it was is in the last bits of the first two numbers. */
export function quantiseRotation(q: ArrayLike<number>, out: Int16Array, at: number): void {
  let largest = 0;
  for (let i = 1; i < 4; i++) if (Math.abs(q[i]!) > Math.abs(q[largest]!)) largest = i;
  const sign = q[largest]! < 0 ? -1 : 1;
  for (let i = 0, k = 0; i < 4; i++) {
    if (i === largest) continue;
    const exact = ((sign * q[i]!) / SMALL) * Q15;
    if (k === 2) {
      out[at + k] = clamp(Math.round(exact));
    } else {
      const bit = (largest >> k) & 1;
      // The nearest number with that last bit.
      out[at + k] = clamp(2 * Math.round((exact - bit) / 2) + bit);
    }
    k++;
  }
}

// An odd and an even bound, so that clamping keeps the last bit.
function clamp(value: number): number {
  if (value > 32766) return value % 2 === 0 ? 32766 : 32767;
  if (value < -32767) return value % 2 === 0 ? -32766 : -32767;
  return value;
}

/** Puts x y z w into `out`. */
export function restoreRotation(numbers: Int16Array, at: number, out: Float64Array | number[], to: number): void {
  const n0 = numbers[at]!;
  const n1 = numbers[at + 1]!;
  const a = (n0 / Q15) * SMALL;
  const b = (n1 / Q15) * SMALL;
  const c = (numbers[at + 2]! / Q15) * SMALL;
  const rest = Math.sqrt(Math.max(0, 1 - a * a - b * b - c * c));
  const largest = (n0 & 1) | ((n1 & 1) << 1);
  out[to] = largest === 0 ? rest : a;
  out[to + 1] = largest === 1 ? rest : largest === 0 ? a : b;
  out[to + 2] = largest === 2 ? rest : largest === 3 ? c : b;
  out[to + 3] = largest === 3 ? rest : c;
}

/** A turn to the left about the up axis, as 65536 parts. */
export function quantiseTurn(angle: number): number {
  return Math.round((angle / (2 * Math.PI)) * 65536) & 0xffff;
}
