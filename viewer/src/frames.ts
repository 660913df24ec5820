/**
 * The browser's next frame, asked for once however many parts want it, and only if one does: a page in which nothing moves asks for none. Clocks come first and
 * everything that draws after them, in the same frame, so that what a clock has changed is seen at once and not a frame later.
 */
type Clock = (now: number) => void;
type Draw = (now: number) => void;

let clocks: Clock[] = [];
let draws = new Set<Draw>();
let isAsked = false;

function ask(): void {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(run);
}

function run(now: number): void {
  const due = clocks;
  clocks = [];
  // Asked already: what clocks want drawn is drawn below.
  for (const clock of due) attempt(() => clock(now));
  const wanted = draws;
  draws = new Set();
  isAsked = false;
  for (const draw of wanted) attempt(() => draw(now));
  if (clocks.length > 0 || draws.size > 0) ask();
}

/** One that fails is told on the console, and the others go on. */
function attempt(task: () => void): void {
  try {
    task();
  } catch (error) {
    reportError(error);
  }
}

/** Calls back at the beginning of the next frame, with its time. */
export function atNextFrame(clock: Clock): void {
  clocks.push(clock);
  ask();
}

/** Draws in the next frame, or in this one if a clock asks; once, however often it is asked. */
export function drawSoon(draw: Draw): void {
  draws.add(draw);
  ask();
}
