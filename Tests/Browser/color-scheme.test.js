import assert from "node:assert/strict";
import { stage } from "./support/stage.js";

const scene = stage();

/** Returns the brightness of the page's background, from 0 to 255. */
function lightness() {
  const canvas = document.createElement("canvas").getContext("2d");
  for (const element of [document.documentElement, document.body]) {
    canvas.fillStyle = getComputedStyle(element).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
  }
  const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  // If nothing is painted, the browser's canvas is visible, which follows the color scheme.
  if (!alpha) return matchMedia("(prefers-color-scheme: dark)").matches ? 18 : 255;
  return (red + green + blue) / 3;
}

for (const [path, words] of [["/", "the list"], ["/#/sessions/", "a session"]]) {
  scene(`The page with ${words} follows the system's light or dark scheme`, {}, async ({ server, page }) => {
    const session = await server.session("tudy");
    await page.open(server.url + path + (path === "/" ? "" : session));
    await page.get(path === "/" ? "form" : "article").appears();
    assert.ok((await page.evaluate(lightness)) > 200);
    await page.look({ dark: true });
    await page.until(async () => (await page.evaluate(lightness)) < 80, "the page is dark");
    const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    assert.match(scheme, /dark/);
  });
}

scene("No change of the page is a transition if the user prefers reduced motion", {}, async ({ server, page, visit }) => {
  const view = await visit(await server.session("tudy"));
  await view.journal.get("button", /^1 open/).appears();
  /** Returns the properties that change gradually after the height of a table's cell has changed. */
  const gradual = () => {
    const cell = document.querySelector(".inputs [data-revision] td");
    cell.style.height = "100px";
    return cell.getAnimations().map((each) => each.transitionProperty);
  };
  assert.deepEqual(await page.evaluate(gradual), []);
});
