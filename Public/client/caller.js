// Who asks: the server's operator, once this browser has logged in, or anyone.
import { ask, problem } from "./client.js";

/**
 * @typedef {object} Caller
 * @property {boolean} isOperator
 * @property {boolean} canLogOut
 * @property {boolean} canLogIn
 */

/** @type {Promise<Caller> | null} */
let known = null;

/** Who asks, as the server says; asked once, until that is forgotten. */
export function caller() {
  known ??= find();
  return known;
}

/** Has the server asked anew: a login has begun or ended. */
export function forgetCaller() {
  known = null;
}

/** @param {string} token @throws {import("./client.js").Problem} */
export async function logIn(token) {
  await ask("/login", { method: "POST", body: JSON.stringify({ token }) });
  forgetCaller();
}

/** @throws {import("./client.js").Problem} */
export async function logOut() {
  await ask("/logout", { method: "POST" });
  forgetCaller();
}

/** @returns {Promise<Caller>} */
async function find() {
  try {
    const { caller, by } = await ask("/login");
    return { isOperator: caller === "operator", canLogOut: by === "login", canLogIn: true };
  } catch (error) {
    forgetCaller();
    // Where nobody answers, each view says so, and finds out by itself who it is.
    const isElsewhere = problem(error).isGone;
    return { isOperator: !isElsewhere, canLogOut: false, canLogIn: !isElsewhere };
  }
}
