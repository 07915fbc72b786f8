import { axeFaults } from "./accessibility/axe.js";
import { contrastFaults } from "./accessibility/contrast.js";
import { focusFaults } from "./accessibility/focus.js";
import { nameFaults } from "./accessibility/names.js";
import { structureFaults } from "./accessibility/structure.js";
import { targetFaults } from "./accessibility/targets.js";

/**
 * Checks a page in both color schemes for users who cannot see it, see it badly, or have no mouse.
 * @param {import("./page.js").Page} page
 * @returns {Promise<string[]>} the faults, one line each
 */
export async function accessibilityFaults(page) {
  await page.until(() => page.evaluate(isAtRest), "nothing moves any more");
  const faults = [
    ...(await page.evaluate(structureFaults)),
    ...(await page.evaluate(targetFaults)),
    ...(await nameFaults(page)),
    ...(await page.evaluate(contrastFaults)),
    ...(await axeFaults(page)),
  ];
  await page.look({ dark: true });
  await page.until(() => page.evaluate(isAtRest), "nothing moves any more");
  faults.push(...(await page.evaluate(contrastFaults)), ...(await axeFaults(page)).map((fault) => `dark: ${fault}`));
  await page.look({ dark: false });
  faults.push(...(await focusFaults(page)));
  return faults;
}

/** Returns whether no transition is running, because colors would be measured halfway. */
function isAtRest() {
  return document.getAnimations().every((animation) => animation.playState !== "running" || animation.effect.getTiming().iterations === Infinity);
}
