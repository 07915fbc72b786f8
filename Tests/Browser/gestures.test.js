import { stage } from "./support/stage.js";

const scene = stage({ program: "gallery" });
const refused = [/status of (409|422)/];

/** Drags the top card: from its left edge to the right, or its head down. */
async function drag(view, direction, distance = 220) {
  const card = await view.top();
  await card.call(function () {
    this.scrollIntoView({ block: "center", behavior: "instant" });
  });
  const { x, y, width } = await card.box();
  const from = direction === "right" ? { x: x + 8, y: y + 60 } : { x: x + width / 2, y: y + 16 };
  const to = direction === "right" ? { x: from.x + distance, y: from.y } : { x: from.x, y: from.y + distance };
  await view.page.mouse.drag(from, to);
}

scene("A swipe from the edge pops the screen", {}, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("deep", { count: 2 });
  await view.shows({ cards: ["menu", "step", "step"] });
  await drag(view, "right");
  await view.shows({ cards: ["menu", "step"] });
  await drag(view, "right");
  await view.shows({ cards: ["menu"] });
});

scene("A swipe that is released too early changes nothing", {}, async ({ server, visit }) => {
  const session = await server.session("gallery");
  const view = await visit(session);
  await view.send("deep", { count: 1 });
  await view.shows({ cards: ["menu", "step"] });
  await drag(view, "right", 20);
  await view.send("next");
  await view.shows({ cards: ["menu", "step", "step"] });
});

scene("The user pulls a sheet down by its header", {}, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("sheet");
  await view.shows({ cards: ["menu", "cover"] });
  await drag(view, "down");
  await view.shows({ cards: ["menu"] });
});

for (const [event, card, how] of [["popover", "cover", "popover"], ["actions", "question", "action sheet"]]) {
  scene(`The user closes a screen that is shown as ${how}`, {}, async ({ server, visit }) => {
    const view = await visit(await server.session("gallery"));
    for (const button of ["Pull down", "Back"]) {
      await view.send(event);
      await view.shows({ cards: ["menu", card] });
      await view.device.says(how);
      await view.device.get("button", button).click();
      await view.shows({ cards: ["menu"] });
    }
  });
}

scene("A full screen cannot be pulled down, and shows the reason", { troubles: refused }, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("cover");
  await view.shows({ cards: ["menu", "cover"] });
  await drag(view, "down");
  await view.device.get("alert").appears();
  await view.shows({ cards: ["menu", "cover"] });
});

scene("The buttons have the same effects as the gestures", {}, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("deep", { count: 2 });
  await view.shows({ cards: ["menu", "step", "step"] });
  await view.device.get("button", "Swipe back").click();
  await view.shows({ cards: ["menu", "step"] });
  await view.device.get("button", "Back").click();
  await view.shows({ cards: ["menu"] });
  await view.send("sheet");
  await view.shows({ cards: ["menu", "cover"] });
  await view.device.get("button", "Pull down").click();
  await view.shows({ cards: ["menu"] });
});
