import assert from "node:assert/strict";
import { asJSON } from "./support/open-form.js";
import { stage } from "./support/stage.js";

const scene = stage({ program: "gallery" });
const markup = `<img src=x onerror="window.isBroken=1"><script>window.isBroken=1</script><b title='"'>&lt;</b>`;

/** Fails if the page has interpreted a string as anything but text. */
async function staysText(page) {
  const broken = await page.evaluate(() => ({
    hasRun: "isBroken" in window,
    images: document.querySelectorAll("img").length,
    scripts: document.querySelectorAll("script:not([src])").length,
  }));
  assert.deepEqual(broken, { hasRun: false, images: 0, scripts: 0 });
}

/** Returns how long the page does not respond. */
async function pause(page) {
  const begin = Date.now();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  return Date.now() - begin;
}

scene("Markup in a state is shown as text and does not run", {}, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  const view = await visit(session);
  await view.send("echo", { text: markup });
  await view.shows({ cards: ["menu", "echo"] });
  await view.device.says(markup);
  await staysText(page);
});

scene("Markup in the journal stays text", {}, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  await server.send(session, { event: { echo: { text: markup } } });
  await server.send(session, { back: true });
  const view = await visit(session);
  const slider = view.journal.get("slider", "Revision");
  await page.becomes(async () => (await slider.value()) === "3", true);
  await (await slider.one()).focus();
  await page.keyboard.press("ArrowLeft");
  await view.shows({ cards: ["menu", "echo"] });
  await view.journal.says("echo");
  await view.inspect("State");
  await view.inspector.says("onerror=");
  await view.inspect("Raw");
  await view.inspector.says("onerror=");
  await view.inspector.get("button", "Copy as curl").click();
  await staysText(page);
});

scene("Markup in the address stays text", { troubles: [/status of 404/] }, async ({ server, page }) => {
  await page.open(`${server.url}/#/sessions/${encodeURIComponent(markup)}`);
  await page.get("region", "Device").says(/missing|no session|no such/i);
  await staysText(page);
});

scene("A right-to-left override reverses only its own text", {}, async ({ server, visit }) => {
  const view = await visit(await server.session("gallery"));
  await view.send("echo", { text: "\u202Eevil\u2066 ש\u0000\u0007" });
  await view.shows({ cards: ["menu", "echo"] });
  const top = await view.top();
  const isolated = await top.call(function () {
    const walker = document.createTreeWalker(this, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.data.includes("evil")) return getComputedStyle(node.parentElement).unicodeBidi;
    }
    return "nowhere";
  });
  assert.match(isolated, /isolate|plaintext/);
});

scene("The page shows a text of nearly 64 KiB and stays responsive", {}, async ({ server, page, visit }) => {
  const session = await server.session("gallery");
  const view = await visit(session);
  const begin = Date.now();
  await server.send(session, { event: { echo: { text: "long".repeat(15_000) } } });
  await view.shows({ cards: ["menu", "echo"] });
  await view.device.says("longlong");
  assert.ok(Date.now() - begin < 5000, "it is there within five seconds");
  assert.ok((await pause(page)) < 1000, "the page answers within a second");
  const all = view.device.get("button", /show all/i);
  if (await all.exists()) {
    await all.click();
    assert.ok((await pause(page)) < 2000, "the page answers with all of it, too");
  }
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(width <= 0, "nothing overflows");
  await view.device.get("button", "Back").click();
  await view.shows({ cards: ["menu"] });
});

scene("Hostile options and links are refused as text", { troubles: [/status of (400|422)/] }, async ({ server, page }) => {
  await page.open(`${server.url}/#/`);
  const form = page.get("form", "Open a session");
  await form.get("option", "gallery").appears();
  await (await asJSON(form, "Options")).fill(JSON.stringify({ [markup]: markup }));
  await form.get("button", "Open").click();
  await form.get("alert").says(/\S/);
  await staysText(page);
  await (await asJSON(form, "Options")).fill("not JSON");
  await form.get("button", "Open").click();
  await form.get("alert").says(/JSON/);
});

scene("The page's policy lets no inline script run", { troubles: [/Content Security Policy/] }, async ({ server, page }) => {
  await page.open(`${server.url}/`);
  await page.get("heading", "Sessions").appears();
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.isBroken = 1";
    document.body.append(script);
    script.remove();
  });
  assert.equal(await page.evaluate(() => "isBroken" in window), false);
  await page.until(() => page.troubles.found.length > 0, "the browser tells of the violation");
});
