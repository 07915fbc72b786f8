import assert from "node:assert/strict";
import { stage } from "./support/stage.js";

const scene = stage();
const look = { width: 360, height: 740 };

/** Returns the elements that extend beyond the right edge, for the message. */
function overflowing() {
  const room = document.documentElement.clientWidth;
  const isClipped = (element) => {
    for (let above = element.parentElement; above; above = above.parentElement) {
      if (getComputedStyle(above).overflowX !== "visible") return true;
    }
    return false;
  };
  const wide = [...document.body.querySelectorAll("*")].filter(
    (element) => element.getBoundingClientRect().right > room + 1 && !isClipped(element),
  );
  return {
    isFitting: document.documentElement.scrollWidth <= innerWidth,
    wide: wide.map((element) => `${element.tagName}.${element.getAttribute("class") ?? ""}`),
  };
}

const fits = { isFitting: true, wide: [] };

scene("The list fits a narrow phone", { look }, async ({ server, page }) => {
  const session = await server.session("tudy");
  await page.open(`${server.url}/#/`);
  await page.get("link", session.slice(0, 8)).appears();
  await page.get("option", "tudy").appears();
  assert.deepEqual(await page.evaluate(overflowing), fits);
});

scene("A session fits a narrow phone, with a wide tree and a sheet", { look }, async ({ server, page, visit }) => {
  const session = await server.session("sooda", { launch: { home: { workspaceID: 7 } } });
  await server.send(session, { event: "done" });
  const view = await visit(session);
  await view.shows({ cards: ["homeDefault"], figures: { live: 6 } });
  assert.deepEqual(await page.evaluate(overflowing), fits);
  await view.send("presentWorkspaceList");
  await view.send("askToLeave");
  await view.shows({ cards: ["homeDefault", "workspaceList", "confirmLeave"] });
  assert.deepEqual(await page.evaluate(overflowing), fits);
  const slider = view.journal.get("slider", "Revision");
  await (await slider.one()).focus();
  await page.keyboard.press("ArrowLeft");
  await view.device.says(/read-only/i);
  assert.deepEqual(await page.evaluate(overflowing), fits);
});

scene("A sample's walk works on a narrow phone", { look }, async ({ server, visit }) => {
  const view = await visit(await server.session("tudy"));
  await view.send("showLogin");
  await view.shows({ cards: ["home", "login"] });
  await view.send("close");
  await view.shows({ cards: ["home"], figures: { finished: 1 } });
});
