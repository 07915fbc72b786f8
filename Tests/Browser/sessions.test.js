import assert from "node:assert/strict";
import { stage } from "./support/stage.js";

const scene = stage();

scene("The first page says what this is and offers to open a session of each app", {}, async ({ page, server }) => {
  await page.open(`${server.url}/`);
  await page.get("heading", "Sessions").appears();
  await page.get("link", "Usher").appears();
  const form = page.get("form", "Open a session");
  await form.get("option").appears();
  assert.deepEqual(await form.get("option").names(), ["hello-bye", "notes", "sooda", "start-login-main", "tudy"]);
  for (const figure of ["live", "created", "finished", "leaked"]) await page.get("term", figure).appears();
});
