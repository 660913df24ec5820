/** How much room actors take in a frame, roughly: enough to put a camera. */
import * as THREE from "three";
import type { Shot } from "../shot.ts";

/** The box of an actor in the space of the shot. */
export function boundsOf(shot: Shot, index: number, frame: number, out = new THREE.Box3()): THREE.Box3 {
  const actor = shot.actors[index]!;
  const body = shot.body(actor.body);
  const matrices = new Float32Array(12 * body.joints);
  shot.pose(actor, frame, matrices, 0);
  out.makeEmpty();
  const point = new THREE.Vector3();
  const put = (m: number, x: number, y: number, z: number): void => {
    const along = (r: number): number => matrices[m + r]! * x + matrices[m + r + 1]! * y + matrices[m + r + 2]! * z + matrices[m + r + 3]!;
    out.expandByPoint(point.set(along(0), along(4), along(8)));
  };
  const stored = actor.cache === undefined ? undefined : shot.cached(actor, frame);
  if (stored) {
    for (let v = 0; v < stored.positions.length; v += 3) put(0, stored.positions[v]!, stored.positions[v + 1]!, stored.positions[v + 2]!);
  } else if (body.joints === 1) {
    for (let k = 0; k < 8; k++) put(0, ...([0, 1, 2].map((axis) => (k & (1 << axis) ? body.max : body.min)[axis]!) as [number, number, number]));
  } else {
    for (let j = 0; j < body.joints; j++) put(12 * j, body.rest[3 * j]!, body.rest[3 * j + 1]!, body.rest[3 * j + 2]!);
    // Flesh around the joints.
    out.expandByScalar(0.07 * out.getSize(point).length());
  }
  return out;
}
