import { platform } from "../../../Clients/JavaScript/source/world.js";
import { random } from "./random.js";

/** From here on a timer is no pause, but what ends a request or a stream that says nothing: a busy machine is to be let off. */
const longestPause = 20_000;
/** So are those that bound the time to a stream's head, and to its first state. */
const streamBounds = [10_000, 5_000];

/** Sets a timer a hundredth as long, also where that bounds something. */
export const setHastyTimer = (run, milliseconds) => setTimeout(run, milliseconds / 100);

/** The platform with pauses a hundredth as long, and with chance that a seed decides. */
export function hastyWorld(seed = 1, changes = {}) {
  const next = random(seed);
  const node = platform();
  return {
    ...node,
    random: next,
    setTimer: (run, milliseconds) =>
      (milliseconds > longestPause || streamBounds.includes(milliseconds) ? setTimeout : setHastyTimer)(run, milliseconds),
    ...changes,
  };
}

/** Waits until something holds; fails where it does not within ten seconds. */
export async function until(holds, what) {
  const deadline = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`it did not come to pass: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
