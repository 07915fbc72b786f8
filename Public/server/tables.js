// Tables of the journal's crashes, builds and servers.
import { ask } from "../client/client.js";
import { age, element, shortID, shown, write } from "../document/element.js";
import { userAddress } from "../list/table.js";

/** @typedef {{ name: string, build: string, since: string, until: string }} Peer */
/** @typedef {{ time: string, session?: string, app: string, screen?: string, event: string, revision: number, crash: string, refused: boolean, build: string }} Incident */

/**
 * Creates a table with a heading; both are hidden while the table has no rows.
 * @param {string} id
 * @param {string} title
 * @param {string[]} columns
 */
function makeTable(id, title, columns) {
  const rows = element("tbody");
  const root = element("section", { class: "panel", "aria-labelledby": id, hidden: true },
    element("h2", { id }, title),
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Table: ${title}` },
      element("table", {},
        element("caption", { class: "unseen" }, title),
        element("thead", {}, element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)))),
        rows)));
  let drawn = "";
  return {
    root,
    /** @param {import("../document/element.js").Child[][]} cells */
    fill(cells, text = JSON.stringify(cells)) {
      root.hidden = cells.length === 0;
      if (text === drawn) return;
      drawn = text;
      rows.replaceChildren(...cells.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell)))));
    },
  };
}

/** The servers on a shared journal; empty if only this server uses the journal. */
export function makePeers() {
  const { root, fill } = makeTable("nodes", "Servers on this journal", ["Name", "Build", "Since", "Lease until"]);
  return {
    root,
    /** @param {Peer[]} nodes */
    update(nodes) { fill(nodes.map(({ name, build, since, until }) => [name, build, since, until].map((text) => element("bdi", {}, text))), JSON.stringify(nodes)); },
  };
}

/** @typedef {{ build: string, serving: boolean, seen: string, confirmed?: string, refused: { by: string, sessions: number }[] }} Build */

/**
 * The builds that have used the journal: which build serves, which build sessions can return to, and what a build
 * leaves to other builds.
 */
export function makeBuilds() {
  const { root, fill } = makeTable("builds", "Builds on this journal", ["Build", "Serves", "Seen", "Release confirmed", "Sessions that only this build can continue"]);
  return {
    root,
    /** @param {Build[]} builds @param {boolean} isShared Whether the journal is shared, so that it shows which builds serve. */
    update(builds, isShared) {
      fill(builds.map(({ build, serving, seen, confirmed, refused }) => [
        element("code", {}, build), isShared ? serving ? "yes" : "no" : "–", element("bdi", {}, seen), element("bdi", {}, confirmed ?? "no"),
        refused.map(({ by, sessions }) => `${sessions}, refused by ${by}`).join(", ") || "none",
      ]), JSON.stringify([builds, isShared]));
    },
  };
}

const mostCrashes = 32;

/** The newest crashes, each with its session, user and input. */
export function makeCrashes() {
  const { root, fill } = makeTable("crashes", "Crashes", ["Time", "Session", "User", "App", "Screen", "Input", "Revision", "This build", "Crash"]);
  /** @type {Map<string, Promise<string>>} The sessions' users; each is requested once. */
  const users = new Map();

  /** @param {string} session */
  function userOf(session) {
    const place = element("bdi", { dir: "auto" }, "…"), user = users.get(session) ?? readUser(session);
    users.set(session, user);
    user.then((name) => place.replaceChildren(name ? element("a", { href: userAddress(name) }, name) : "–"), () => {
      users.delete(session);
      write(place, "unknown");
    });
    return place;
  }

  return {
    root,
    /** @param {Incident[]} incidents */
    update(incidents) {
      const newest = [...incidents].sort((one, other) => Date.parse(other.time) - Date.parse(one.time)).slice(0, mostCrashes);
      fill(newest.map(({ time, session, app, screen, event, revision, crash, refused }) => [
        element("time", { datetime: time, title: time }, `${age(time, Date.now())} ago`),
        session ? element("a", { href: `#/sessions/${encodeURIComponent(session)}?revision=${revision}` }, shortID(session)) : "–",
        session ? userOf(session) : "–",
        element("bdi", {}, app), element("bdi", {}, screen ?? "–"), element("bdi", {}, event), String(revision),
        refused ? "rejects the input" : "accepts the input", shown(crash, 120),
      ]), JSON.stringify([incidents, Math.floor(Date.now() / 60_000)]));
    },
  };
}

/**
 * Returns the user of a session, which a crash record does not contain; empty if the session has no user, or has ended.
 * @param {string} session
 * @returns {Promise<string>}
 */
async function readUser(session) {
  const { sessions: [summary] } = await ask(`/admin/sessions?prefix=${encodeURIComponent(session)}&limit=1`);
  return summary?.subject ?? "";
}
