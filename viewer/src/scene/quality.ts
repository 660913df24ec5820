/**
 * How much is drawn, by how long frames take: a strong machine draws many in full and sharp, a weak one few, and fewer pixels, so that it keeps up. The two of an
 * incident are the same on all. What counts is how long a picture takes until it is there while something moves, which is told; there is no clock in here.
 */
import type { Budget } from "./detail.ts";

export interface Step extends Budget {
  /** Pixels of the picture for one of the page, at most. */
  ratio: number;
}

/** From the best to the least. */
export const STEPS: readonly Step[] = [
  { full: 200_000, simple: 600, ratio: 2 },
  { full: 100_000, simple: 400, ratio: 1.5 },
  { full: 40_000, simple: 200, ratio: 1 },
  { full: 15_000, simple: 100, ratio: 1 },
  { full: 6_000, simple: 60, ratio: 0.75 },
  { full: 0, simple: 40, ratio: 0.6 },
];

/** Milliseconds of a picture beyond which it is too slow (15 a second), and below which there is room for more: those of one frame of a screen, and some. */
const SLOW = 66;
const QUICK = 25;
/** How many times slower than that a picture is for two steps at once. */
const VERY = 2.5;
/** Frames by which is judged, and that must be quick before more is tried. One that hiccups decides nothing. */
const JUDGED = 4;
const PATIENCE = 45;
const MOST_PATIENCE = 2880;

export class Quality {
  /** An index of STEPS. */
  step: number;
  readonly #last: number[] = [];
  #quick = 0;
  #patience = PATIENCE;
  #hasRisen = false;

  readonly #hasCard: boolean;

  /** In the middle to begin with, since nothing is known of the machine; lower if the browser says that it has no card. */
  constructor(hasCard: boolean) {
    this.#hasCard = hasCard;
    this.step = hasCard ? 2 : 4;
  }

  /** What is drawn while something moves. */
  get moving(): Step {
    return STEPS[this.step]!;
  }

  /** What is drawn once nothing moves: better, as there is time for one such picture. */
  get still(): Step {
    return STEPS[Math.max(this.#least, this.step - 3)]!;
  }

  /** What is drawn when nothing has moved for a while. Without a card not the very best: a reader who comes back would wait for that to be done. */
  get best(): Step {
    return STEPS[this.#least]!;
  }

  get #least(): number {
    return this.#hasCard ? 0 : 1;
  }

  /** Tells how long a picture took, and says whether the step has changed. */
  took(milliseconds: number): boolean {
    this.#last.push(milliseconds);
    this.#quick = milliseconds < QUICK ? this.#quick + 1 : 0;
    if (this.#last.length < JUDGED) return false;
    if (this.#last.length > JUDGED) this.#last.shift();
    const middle = [...this.#last].sort((p, q) => p - q)[JUDGED >> 1]!;
    if (middle > SLOW && this.step < STEPS.length - 1) {
      // What was tried last was too much: the next try waits longer, so that it does not go up and down for ever.
      if (this.#hasRisen) this.#patience = Math.min(MOST_PATIENCE, 2 * this.#patience);
      return this.#go(Math.min(STEPS.length - 1, this.step + (middle > VERY * SLOW ? 2 : 1)), false);
    }
    if (this.#quick >= this.#patience && this.step > 0) return this.#go(this.step - 1, true);
    return false;
  }

  #go(step: number, hasRisen: boolean): boolean {
    this.step = step;
    this.#hasRisen = hasRisen;
    this.#quick = 0;
    this.#last.length = 0;
    return true;
  }
}
