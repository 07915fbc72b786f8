import assert from "node:assert/strict";
import { stage } from "./support/stage.js";

const scene = stage();
const walk = ["done", "exploreChannels", "openChannel", "openSetting", "backHome", "presentWorkspaceList"];

/** Returns the position of each part, and whether the whole part is in the window. */
function places() {
  const parts = { device: ".phone", backs: ".backs", tree: ".coordinators", slider: "#revision", inputs: ".inputs-window", inspector: ".inspector", memory: ".memory" };
  return Object.fromEntries(Object.entries(parts).map(([name, selector]) => {
    const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
    const isWhole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    return [name, { isWhole, box: [left, top, right, bottom].map(Math.round).join(" ") }];
  }));
}

for (const [width, height] of [[1440, 900], [1366, 768]]) {
  scene(`At ${width} by ${height} the device, journal and inspector are in one view, and stay in place at each revision`, { look: { width, height } }, async (given) => {
    const { server, page, visit } = given;
    const session = await server.session("sooda", { launch: { home: { workspaceID: 7 } } });
    for (const event of walk) {
      const { stack } = await server.ask("GET", `/sessions/${session}`);
      await server.send(session, { event: { [event]: stack.at(-1).events[event] } });
    }
    const view = await visit(session);
    await view.journal.says(/presentWorkspaceList/);
    await view.inspector.says(/Revision 7/);
    const first = await page.evaluate(places);
    for (const [name, { isWhole, box }] of Object.entries(first)) assert.ok(isWhole, `${name} is in view as a whole: ${box}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), "the page need not be scrolled");
    const slider = view.journal.get("slider", "Revision");
    await (await slider.one()).focus();
    for (let revision = 6; revision >= 1; revision--) {
      await page.keyboard.press("ArrowLeft");
      await view.coordinators.says(`at revision ${revision}`);
      await view.inspector.says(`Revision ${revision}`);
      assert.deepEqual(await page.evaluate(places), first, `at revision ${revision}`);
    }
  });
}

scene("The memory section names the revision of its figures", {}, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  await server.send(session, { event: "showLogin" });
  const view = await visit(session);
  await view.memory.says(/Coordinators live 5/);
  await view.send("close");
  await view.memory.says(/Coordinators live 4/);
  await (await view.journal.get("slider", "Revision").one()).focus();
  await page.keyboard.press("ArrowLeft");
  await view.memory.says(/at revision 2[^]*Coordinators live 5/);
  await view.memory.get("image", /^Coordinators live: 5 at revision 2;/).appears();
  await page.keyboard.press("ArrowLeft");
  await view.memory.says(/at revision 1[^]*Coordinators live 4/);
  await view.journal.get("button", "Return to now").click();
  await page.until(async () => !/at revision/.test(await view.memory.text()), "it is of now again");
});

scene("The memory section shows revisions from before the page was opened, and where memory was reclaimed", {}, async ({ server, visit }) => {
  const session = await server.session("tudy");
  for (const event of ["showLogin", "close"]) await server.send(session, { event });
  const view = await visit(session);
  await view.memory.says("Memory was reclaimed at 1 revision.");
  await view.memory.get("image", /^Coordinators live: 4 at revision 3; between 4 and 5 since revision 1/).appears();
  await view.send("showLogin");
  await view.send("close");
  await view.memory.says("Memory was reclaimed at 2 revisions.");
});
