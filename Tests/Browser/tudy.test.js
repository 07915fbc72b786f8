import { rowsOf } from "./support/row.js";
import { stage } from "./support/stage.js";

const row = rowsOf(stage(), "tudy");

const base = { cards: ["home"], tab: "home", tree: "App→[TabBar→[Home, Chat]]" };
const kim = { options: { loggedIn: true } };
const detail = { send: "showProjectDetail", cards: ["home", "projectDetail"] };
const login = { send: "showLogin", cards: ["home", "login"], tree: "App→[TabBar→[Home, Chat, Login]]" };
const own = { project: { id: 1, title: "An algorithms study group", writer: { id: 1, name: "Kim" } } };
const group = { id: 2, group: true, title: "Walkers" };

row("T-01 the app starts with four coordinators", {}, [base]);

row("T-02 a search is pushed", {}, [base, { send: "showSearch", cards: ["home", "search"] }]);

row("T-03, T-04 the typed text is shown, and a project opens", {}, [
  base,
  { send: "showFastSearch", payload: { work: "Kotlin" }, cards: ["home", "fastSearch"], says: "Kotlin" },
  { send: "showProjectDetail", cards: ["home", "fastSearch", "projectDetail"] },
]);

row("T-06, T-07 a modal without a coordinator registers a project", kim, [
  base,
  { send: "showProjectWrite", cards: ["home", "projectWrite"] },
  {
    send: "registerProject",
    payload: { project: { id: 3, title: "A choir", writer: { id: 1, name: "Kim" } } },
    cards: ["home"],
    says: "A choir",
  },
]);

row("T-06g a guest must log in to write a project", {}, [base, { ...login, send: "showProjectWrite" }]);

row("T-08, T-09 an update dismisses and pops at once", kim, [
  base,
  { ...detail, payload: own },
  { send: "showModifyProject", cards: ["home", "projectDetail", "projectWrite"] },
  { send: "updateProject", payload: own, cards: ["home"] },
]);

row("T-11, T-13 the memory of a closed login is reclaimed", {}, [base, login, { send: "close", ...base, reclaimed: 1 }]);

row("T-12, T-30 a logout creates new coordinators and frees the old ones", kim, [
  { ...base, says: "Kim" },
  { send: "showMyPage", cards: ["home", "myPage"], tree: "App→[TabBar→[Home→[MyPage], Chat]]" },
  { send: "logout", ...base, reclaimed: 4 },
]);

row("T-14 a sign-up happens within the login", {}, [
  base,
  login,
  { send: "showSignUp", cards: ["home", "login", "setName"] },
  { send: "next", cards: ["home", "login", "setName", "setInterestedJob"] },
  { send: "next", cards: ["home", "login", "setName", "setInterestedJob", "setSubway"] },
  { send: "next", cards: ["home", "login", "setName", "setInterestedJob", "setSubway", "welcome"] },
  { send: "done", ...base, reclaimed: 1, says: "Park" },
]);

row("T-15x, T-15 a wrong password is reported, and the right one logs in", {}, [
  base,
  login,
  { send: "login", payload: { name: "kim", password: "wrong" }, says: /fail|wrong|password/i },
  { send: "login", payload: { name: "kim", password: "usher" }, ...base, reclaimed: 1, says: "Kim" },
]);

row("T-18 a personal chat opens in the other tab", kim, [
  base,
  detail,
  { send: "showPersonalChat", cards: ["chatList", "personalChat"], tab: "chat" },
  { select: "home", cards: ["home", "projectDetail"], tab: "home" },
]);

row("T-19 a guest logs in to chat and returns to the same screen", {}, [
  base,
  detail,
  { ...login, send: "showPersonalChat", cards: ["home", "projectDetail", "login"] },
  { send: "close", cards: ["home", "projectDetail"], tree: base.tree, reclaimed: 1 },
]);

row("T-20 a group chat opens from the list", {}, [
  base,
  { select: "chat", cards: ["chatList"], tab: "chat" },
  { send: "showChat", payload: { chat: group }, cards: ["chatList", "groupChat"] },
]);

row("T-21, T-22 an invitation leads from the personal chat to the group's", kim, [
  base,
  { select: "chat", cards: ["chatList"], tab: "chat" },
  { send: "showChat", cards: ["chatList", "personalChat"] },
  { send: "invite", cards: ["chatList", "personalChat", "invite"] },
  { send: "close", cards: ["chatList", "personalChat"] },
  { send: "invite", cards: ["chatList", "personalChat", "invite"] },
  { send: "pick", cards: ["chatList", "groupChat"] },
]);

row("T-24, T-25 a tab keeps its stack until back is pressed", {}, [
  base,
  detail,
  { select: "chat", cards: ["chatList"], tab: "chat" },
  { select: "home", cards: ["home", "projectDetail"], tab: "home" },
  { press: "Back", cards: ["home"] },
]);

row("T-28 a swipe back within the login keeps the login", {}, [
  base,
  login,
  { send: "showSignUp", cards: ["home", "login", "setName"] },
  { press: "Swipe back", cards: ["home", "login"] },
]);

row("T-31 a link opens the chat that it names", { link: ["tabBar", { chat: { id: 2 } }] }, [
  { ...base, cards: ["chatList", "groupChat"], tab: "chat" },
  { select: "home", cards: ["home"], tab: "home" },
]);
