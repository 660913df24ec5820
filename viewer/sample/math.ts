/** The little geometry that the samples need, on plain arrays. */
import type { Quat, Vec3 } from "../src/data.ts";

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const mul = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vec3): number => Math.sqrt(dot(a, a));
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const unit = (a: Vec3): Vec3 => mul(a, 1 / (length(a) || 1));

export function about(axis: Vec3, angle: number): Quat {
  const s = Math.sin(angle / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

export function times(a: Quat, b: Quat): Quat {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

export function turned(q: Quat, v: Vec3): Vec3 {
  const u: Vec3 = [q[0], q[1], q[2]];
  const t = mul(cross(u, v), 2);
  return add(add(v, mul(t, q[3])), cross(u, t));
}

/** The nearest points of two segments. */
export function nearest(p0: Vec3, p1: Vec3, q0: Vec3, q1: Vec3): [Vec3, Vec3] {
  const d = sub(p1, p0);
  const e = sub(q1, q0);
  const r = sub(p0, q0);
  const a = dot(d, d);
  const b = dot(d, e);
  const c = dot(e, e);
  const f = dot(e, r);
  const g = dot(d, r);
  const clamp = (x: number): number => Math.min(1, Math.max(0, x));
  const denominator = a * c - b * b;
  let s = denominator > 1e-12 ? clamp((b * f - g * c) / denominator) : 0;
  let t = c > 0 ? (b * s + f) / c : 0;
  if (t < 0 || t > 1) {
    t = clamp(t);
    s = a > 0 ? clamp((b * t - g) / a) : 0;
  }
  return [add(p0, mul(d, s)), add(q0, mul(e, t))];
}

/** Random numbers from a seed, the same everywhere: a linear congruential generator. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
