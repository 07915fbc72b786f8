import { platform } from "../../../Clients/JavaScript/source/world.js";
import { random } from "./random.js";

/** Longer timers are not pauses but limits of silent requests and streams, and stay unchanged for busy machines. */
const longestPause = 20_000;
/** These timers are also limits: of the time until a stream's head, and until its first state. */
const streamBounds = [10_000, 5_000];

/** Sets a timer for a hundredth of the time, even if the timer is a limit. */
export const setHastyTimer = (run, milliseconds) => setTimeout(run, milliseconds / 100);

/** Returns the platform with pauses of a hundredth of the time, and with random numbers from a seed. */
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

/** Waits until a condition is true; fails after ten seconds. */
export async function until(holds, what) {
  const deadline = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`it did not come to pass: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
