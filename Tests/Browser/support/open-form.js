import { SessionView } from "./session-view.js";

/**
 * Opens a session with the form of the first page, as a user does.
 * @param {import("./stage.js").Scene} scene
 * @param {string} app
 * @param {{options?: object, link?: unknown[]}} [filled] the values to type instead of the form's own
 * @returns {Promise<SessionView>}
 */
export async function openSession({ page, server }, app, { options, link } = {}) {
  await page.open(`${server.url}/#/`);
  const form = page.get("form", "Open a session");
  const choice = form.get("combobox", "App");
  await form.get("option", app).appears();
  // A select's list is not part of the page, so the app is chosen by its first letters.
  await (await choice.one()).focus();
  await page.keyboard.choose(app);
  await page.until(async () => (await choice.value()) === app, `${app} is chosen`);
  for (const [name, value] of [["Options", options], ["Deep link", link]]) {
    if (value) await (await asJSON(form, name)).fill(JSON.stringify(value));
  }
  await form.get("button", "Open").click();
  const view = new SessionView(page, "");
  await view.isThere();
  view.session = await page.evaluate(() => location.hash.replace("#/sessions/", ""));
  return view;
}

/**
 * Opens a collapsed section of the form.
 * @param {import("./part.js").Part} form
 * @param {"Options" | "Deep link"} name
 */
export async function unfold(form, name) {
  const way = form.get("button", new RegExp(`^(JSON|Form) of ${name}$`)), field = form.get("textbox", name);
  const isThere = async () => await way.exists() || field.exists();
  if (!await isThere()) await form.get("DisclosureTriangle", name).click();
  await form.page.until(isThere, `${name} can be typed`);
}

/**
 * Switches a value from its form to the field for JSON, and returns the field.
 * @param {import("./part.js").Part} form
 * @param {"Options" | "Deep link"} name
 */
export async function asJSON(form, name) {
  await unfold(form, name);
  const turn = form.get("button", `JSON of ${name}`);
  if (await turn.exists()) await turn.click();
  return form.get("textbox", name);
}
