/** A person of capsules, skinned, and how they walk and stand. Faces +z, Y up, feet at 0. */
import type { Quat, Vec3 } from "../src/data.ts";
import { about, add, length, mul, sub, times, turned, unit, cross } from "./math.ts";

interface Bone {
  name: string;
  parent: number;
  head: Vec3;
  tail: Vec3;
  radius: number;
  /** How much wider than deep. */
  wide: number;
}

const bone = (name: string, parent: number, head: Vec3, tail: Vec3, radius: number, wide = 1): Bone => ({ name, parent, head, tail, radius, wide });

/** Parents come first; lengths are those of someone of 1.75 m. */
export const BONES: Bone[] = [
  bone("Hips", -1, [0, 0.93, 0], [0, 1.04, 0], 0.125, 1.25),
  bone("Spine", 0, [0, 1.06, 0], [0, 1.2, 0.005], 0.115, 1.25),
  bone("Chest", 1, [0, 1.22, 0.005], [0, 1.37, 0.0], 0.125, 1.35),
  bone("Neck", 2, [0, 1.46, -0.005], [0, 1.53, 0.005], 0.052),
  bone("Head", 3, [0, 1.58, 0.02], [0, 1.66, 0.02], 0.095, 0.9),
  ...limb("Left", 1, 5),
  ...limb("Right", -1, 11),
];

function limb(side: string, sign: number, at: number): Bone[] {
  return [
    bone(`${side}Arm`, 2, [sign * 0.185, 1.41, -0.01], [sign * 0.225, 1.13, -0.01], 0.05),
    bone(`${side}ForeArm`, at, [sign * 0.225, 1.13, -0.01], [sign * 0.245, 0.89, 0.02], 0.04),
    bone(`${side}Hand`, at + 1, [sign * 0.245, 0.87, 0.02], [sign * 0.25, 0.77, 0.035], 0.036, 0.7),
    bone(`${side}UpLeg`, 0, [sign * 0.095, 0.9, 0], [sign * 0.1, 0.51, 0.01], 0.078),
    bone(`${side}Leg`, at + 3, [sign * 0.1, 0.49, 0.01], [sign * 0.1, 0.1, -0.02], 0.055),
    bone(`${side}Foot`, at + 4, [sign * 0.1, 0.055, -0.02], [sign * 0.11, 0.045, 0.15], 0.045),
  ];
}

export interface BodyArrays {
  positions: number[];
  indices: number[];
  joints: number[];
  weights: number[];
}

const ROUND = 12;

/** A capsule for each bone; vertices at its beginning hang on the parent as well. `stout` makes it wider. */
export function personMesh(stout = 1): BodyArrays {
  const out: BodyArrays = { positions: [], indices: [], joints: [], weights: [] };
  BONES.forEach((b, joint) => {
    const along = unit(sub(b.tail, b.head));
    const side = Math.abs(along[1]) > 0.9 ? ([1, 0, 0] as Vec3) : ([1, 0, 0] as Vec3);
    const front = unit(cross(side, along));
    const across = unit(cross(along, front));
    const radius = b.radius * stout;
    // Rings from pole to pole: angle from the equator, and which end.
    const rings: [number, Vec3, number][] = [];
    for (const angle of [-60, -30, 0]) rings.push([angle, b.head, 0]);
    rings.push([0, mul(add(b.head, b.tail), 0.5), 0.5]);
    for (const angle of [0, 30, 60]) rings.push([angle, b.tail, 1]);
    const first = out.positions.length / 3;
    const put = (point: Vec3, t: number): void => {
      out.positions.push(...point);
      const parentWeight = b.parent < 0 ? 0 : t === 0 ? 77 : 0;
      out.joints.push(joint, Math.max(0, b.parent));
      out.weights.push(255 - parentWeight, parentWeight);
    };
    put(sub(b.head, mul(along, radius)), 0);
    for (const [degrees, centre, t] of rings) {
      const angle = (degrees * Math.PI) / 180;
      for (let k = 0; k < ROUND; k++) {
        const turn = (2 * Math.PI * k) / ROUND;
        const flat = add(mul(across, Math.cos(turn) * b.wide), mul(front, Math.sin(turn)));
        put(add(add(centre, mul(along, Math.sin(angle) * radius)), mul(flat, Math.cos(angle) * radius)), t);
      }
    }
    put(add(b.tail, mul(along, radius)), 1);
    const last = out.positions.length / 3 - 1;
    for (let k = 0; k < ROUND; k++) {
      const next = (k + 1) % ROUND;
      out.indices.push(first, first + 1 + k, first + 1 + next);
      for (let r = 0; r + 1 < rings.length; r++) {
        const p = first + 1 + r * ROUND;
        out.indices.push(p + k, p + ROUND + k, p + next, p + next, p + ROUND + k, p + ROUND + next);
      }
      const top = first + 1 + (rings.length - 1) * ROUND;
      out.indices.push(last, top + next, top + k);
    }
  });
  return out;
}

/** A pose: how each joint is turned from the bind, and where it is, in the space of the body. */
export interface Posed {
  rotations: Quat[];
  positions: Vec3[];
}

/** From turns of joints against their parents. */
export function posed(local: (name: string) => Quat, lift: Vec3): Posed {
  const out: Posed = { rotations: [], positions: [] };
  BONES.forEach((b) => {
    const own = local(b.name);
    if (b.parent < 0) {
      out.rotations.push(own);
      out.positions.push(add(b.head, lift));
      return;
    }
    const parent = out.rotations[b.parent]!;
    out.rotations.push(times(parent, own));
    out.positions.push(add(out.positions[b.parent]!, turned(parent, sub(b.head, BONES[b.parent]!.head))));
  });
  return out;
}

const NONE: Quat = [0, 0, 0, 1];
const X: Vec3 = [1, 0, 0];
const Y: Vec3 = [0, 1, 0];
const Z: Vec3 = [0, 0, 1];

/** One moment of a step cycle, 0 to 1. */
export function walking(phase: number): Posed {
  const t = 2 * Math.PI * phase;
  const swing = (s: number): Record<string, Quat> => {
    const p = t + (s > 0 ? 0 : Math.PI);
    const side = s > 0 ? "Left" : "Right";
    return {
      [`${side}UpLeg`]: about(X, -0.42 * Math.sin(p) - 0.05),
      [`${side}Leg`]: about(X, 0.18 + 0.5 * Math.max(0, Math.sin(p + 1.4)) ** 2),
      [`${side}Foot`]: about(X, -0.1 + 0.2 * Math.sin(p + 0.6)),
      [`${side}Arm`]: times(about(Z, 0.1 * s), about(X, 0.45 * Math.sin(p))),
      [`${side}ForeArm`]: about(X, -0.35 - 0.15 * Math.sin(p - 0.5)),
    };
  };
  const turns: Record<string, Quat> = {
    ...swing(1),
    ...swing(-1),
    Hips: about(Y, -0.08 * Math.sin(t)),
    Spine: about(Y, 0.1 * Math.sin(t)),
    Chest: times(about(Y, 0.1 * Math.sin(t)), about(X, 0.04)),
    Head: about(Y, -0.1 * Math.sin(t)),
  };
  return posed((name) => turns[name] ?? NONE, [0, -0.035 + 0.018 * Math.cos(2 * t), 0]);
}

/** One moment of talking with both hands, 0 to 1. */
export function talking(phase: number): Posed {
  const t = 2 * Math.PI * phase;
  const turns: Record<string, Quat> = {
    Spine: about(Y, 0.08 * Math.sin(t)),
    Head: times(about(Y, 0.25 * Math.sin(t + 1)), about(X, 0.08 * Math.sin(3 * t))),
    LeftArm: times(about(Z, 0.18), about(X, -0.5 - 0.25 * Math.sin(2 * t))),
    LeftForeArm: about(X, -1.15 + 0.3 * Math.sin(3 * t)),
    RightArm: times(about(Z, -0.22), about(X, -0.75 + 0.35 * Math.sin(t + 2))),
    RightForeArm: about(X, -0.95 - 0.35 * Math.sin(2 * t + 1)),
  };
  return posed((name) => turns[name] ?? NONE, [0, 0.004 * Math.sin(t), 0]);
}

/** Capsules of a posed person in the world: for each bone its two ends and its radius. */
export function capsules(pose: Posed, place: Vec3, turn: Quat, stout = 1): { from: Vec3; to: Vec3; radius: number }[] {
  return BONES.map((b, joint) => {
    const tip = turned(pose.rotations[joint]!, sub(b.tail, b.head));
    const from = pose.positions[joint]!;
    return {
      from: add(place, turned(turn, from)),
      to: add(place, turned(turn, add(from, tip))),
      radius: b.radius * stout * (1 + b.wide) * 0.5,
    };
  });
}

/** How far a walk cycle carries, metres. */
export const STRIDE = 1.35;
/** For tests: the length of the whole. */
export const HEIGHT = length(sub(BONES[4]!.tail, [0, 0, 0])) + BONES[4]!.radius;
