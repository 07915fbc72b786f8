import { SessionView } from "./session-view.js";

/**
 * Opens a session as a user does: with the form of the first page.
 * @param {import("./stage.js").Scene} scene
 * @param {string} app
 * @param {{options?: object, link?: unknown[]}} [filled] what is typed in place of what the form offers
 * @returns {Promise<SessionView>}
 */
export async function openSession({ page, server }, app, { options, link } = {}) {
  await page.open(`${server.url}/#/`);
  const form = page.get("form", "Open a session");
  const choice = form.get("combobox", "App");
  await form.get("option", app).appears();
  // The list of a select is not part of the page, so it is chosen by its first letters.
  await (await choice.one()).focus();
  await page.keyboard.choose(app);
  await page.until(async () => (await choice.value()) === app, `${app} is chosen`);
  if (options) await form.get("textbox", "Options").fill(JSON.stringify(options));
  if (link) await form.get("textbox", "Deep link").fill(JSON.stringify(link));
  await form.get("button", "Open").click();
  const view = new SessionView(page, "");
  await view.isThere();
  view.session = await page.evaluate(() => location.hash.replace("#/sessions/", ""));
  return view;
}
