/** The clock: moves the frame on while playing, at the rate of the shot times the speed. Frames are left out where drawing is slower. */
import { atNextFrame } from "./frames.ts";
import type { Store } from "./state.ts";

/** Frames a second where the shot has no rate. */
const WITHOUT_TIME = 12;

export function startPlayer(store: Store): void {
  let since = 0;
  let from = 0;
  let isWaiting = false;
  const wait = (): void => {
    // Once, though it may be stopped and started again before the next frame.
    if (!isWaiting) atNextFrame(tick);
    isWaiting = true;
  };
  const tick = (now: number): void => {
    isWaiting = false;
    if (!store.state.playing) return;
    const [first, last] = store.range();
    const { step } = store.report.frames;
    const rate = (store.report.fps ?? WITHOUT_TIME) * store.state.speed;
    const length = Math.max(1, Math.round((last - first) / step) + 1);
    // The time of a frame may be a little before the moment at which it was asked for.
    const done = Math.max(0, Math.floor((((now - since) / 1000) * rate) / step));
    const start = Math.max(0, Math.round((from - first) / step));
    if (!store.state.loop && start + done >= length - 1) {
      store.set({ frame: last, playing: false });
      return;
    }
    store.seek(first + step * ((start + done) % length));
    wait();
  };
  const restart = (): void => {
    if (!store.state.playing) return;
    since = performance.now();
    const [first, last] = store.range();
    const { frame } = store.state;
    // From its beginning if the frame is elsewhere, or already at the end.
    from = frame < first || frame >= last ? first : frame;
    wait();
  };
  store.on(["playing"], restart);
  // The clock starts again, so that a change of speed does not jump.
  store.on(["speed", "loop", "incident"], () => {
    if (store.state.playing) {
      since = performance.now();
      from = store.state.frame;
    }
  });
}
