/**
 * Who is drawn how: the two of the incident always as they were checked, those near by in full as far as the budget goes, the next simplified, the rest as pillars.
 * A slow machine has smaller budgets (quality.ts), never another rule.
 */

export type Detail = "full" | "simple" | "pillar";

export interface Candidate {
  /** From the camera. */
  distance: number;
  triangles: number;
  /** Of the incident: always in full. */
  isLookedAt: boolean;
  /** A rigid thing, or vertices over time: there is nothing simpler that would look like it. */
  isRigid: boolean;
}

export interface Budget {
  /** Triangles that are drawn in full, at most, beside those that always are. */
  full: number;
  /** How many are simplified; people farther away are pillars. */
  simple: number;
}

/** Who has no more triangles than this is not worth simplifying. */
export const FEW_TRIANGLES = 330;

export function details(candidates: readonly Candidate[], budget: Budget): Detail[] {
  const out = candidates.map((): Detail => "pillar");
  let left = budget.full;
  let simple = budget.simple;
  const order = candidates.map((_, i) => i).sort((p, q) => candidates[p]!.distance - candidates[q]!.distance);
  for (const i of order) {
    const one = candidates[i]!;
    if (one.isLookedAt || one.isRigid) {
      out[i] = "full";
    } else if (one.triangles <= left) {
      left -= one.triangles;
      out[i] = "full";
    } else if (simple > 0) {
      // All that follow are farther away, and not in full either.
      left = 0;
      simple--;
      out[i] = one.triangles <= FEW_TRIANGLES ? "full" : "simple";
    }
  }
  return out;
}
