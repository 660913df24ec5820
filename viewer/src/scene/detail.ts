/** Who is drawn how: those of the incident and those near by in full, the next as boxes, the rest as pillars. */

export type Detail = "full" | "boxes" | "pillar";

export interface Candidate {
  /** From the camera. */
  distance: number;
  triangles: number;
  /** Of the incident: always in full. */
  isLookedAt: boolean;
  /** A rigid thing: there is nothing simpler that would look like it. */
  isRigid: boolean;
}

/** Triangles that are drawn in full, at most, beside those that always are. */
export const FULL_TRIANGLES = 200_000;
export const MOST_BOXES = 200;

export function details(candidates: Candidate[]): Detail[] {
  const out = candidates.map((): Detail => "pillar");
  let left = FULL_TRIANGLES;
  let boxes = MOST_BOXES;
  const order = candidates.map((_, i) => i).sort((p, q) => candidates[p]!.distance - candidates[q]!.distance);
  for (const i of order) {
    const one = candidates[i]!;
    if (one.isLookedAt || one.isRigid) {
      out[i] = "full";
    } else if (one.triangles <= left) {
      left -= one.triangles;
      out[i] = "full";
    } else if (boxes > 0) {
      // Whoever comes next is farther away, and not in full either.
      left = 0;
      boxes--;
      out[i] = "boxes";
    }
  }
  return out;
}
