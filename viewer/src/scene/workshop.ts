/**
 * Makes what takes a while, a few bits at a time, so that the page never waits for it: a caller that wants something that is not there yet does without, and is told
 * when it is.
 */

/** Bits at a time: a few milliseconds. */
const BITS = 10;

export class Workshop<Key, Thing> {
  readonly #begin: (key: Key) => Generator<void, Thing>;
  readonly #told: () => void;
  readonly #made = new Map<Key, Thing>();
  readonly #waiting: Key[] = [];
  #work: Generator<void, Thing> | undefined;
  /** How often it has worked, and the most bits that it has done at once: for tests. */
  readonly done = { turns: 0, most: 0 };

  constructor(begin: (key: Key) => Generator<void, Thing>, told: () => void) {
    this.#begin = begin;
    this.#told = told;
  }

  /** The thing, or nothing yet: then it is begun. */
  get(key: Key): Thing | undefined {
    const made = this.#made.get(key);
    if (made !== undefined || this.#waiting.includes(key)) return made;
    this.#waiting.push(key);
    if (this.#waiting.length === 1) this.#later();
    return undefined;
  }

  #later(): void {
    setTimeout(() => this.#turn(), 0);
  }

  #turn(): void {
    const key = this.#waiting[0]!;
    this.#work ??= this.#begin(key);
    this.done.turns++;
    for (let bits = 1; bits <= BITS; bits++) {
      this.done.most = Math.max(this.done.most, bits);
      const { done, value } = this.#work.next();
      if (!done) continue;
      this.#made.set(key, value);
      this.#waiting.shift();
      this.#work = undefined;
      this.#told();
      break;
    }
    if (this.#waiting.length > 0) this.#later();
  }
}
