import assert from "node:assert/strict";
import { accessibilityFaults } from "./support/accessibility.js";
import { stage } from "./support/stage.js";

const scene = stage();

scene("The inspector shows why a coordinator is alive, the input that created it, its parent, screens and work", {}, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  for (const event of ["showSearch", { back: true }, "showLogin"]) await server.send(session, event.back ? event : { event });
  const view = await visit(session), one = page.get("region", "Coordinator");
  await view.coordinators.says("Choose a coordinator to see why it is alive.");
  await view.coordinators.get("treeitem", /^LoginCoordinator/).click();
  await one.says("It is alive because it shows login");
  await one.says(/Since\nrevision 4 by showLogin, \d+ s ago\nParent\nTabBarCoordinator/);
  const faults = await accessibilityFaults(page);
  assert.ok(faults.length === 0, `${faults.length} findings:\n${faults.join("\n")}`);
  await one.get("button", "revision 4").click();
  await view.shows({ cards: ["home", "login"] });
  await (await view.coordinators.get("treeitem", /^AppCoordinator/).one()).focus();
  await page.keyboard.press("Enter");
  await one.says(/TabBarCoordinator runs below it[^]*revision 1 by open tudy[^]*none: it is the root/);
  await one.get("button", "Close").click();
  await one.disappears();
});

scene("The inspector closes when its coordinator has finished", {}, async ({ server, page, visit }) => {
  const session = await server.session("tudy");
  await server.send(session, { event: "showLogin" });
  const view = await visit(session);
  await view.coordinators.get("treeitem", /^LoginCoordinator/).click();
  await page.get("region", "Coordinator").appears();
  await view.send("close");
  await page.get("region", "Coordinator").disappears();
});
