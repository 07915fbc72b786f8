import { rowsOf } from "./support/row.js";
import { stage } from "./support/stage.js";

const row = rowsOf(stage(), "sooda");

const splash = { cards: ["splash"], tree: "App→[Splash]" };
const onboarding = { send: "done", cards: ["onboarding"], tree: "App→[Login]", reclaimed: 1 };
const selectAuth = { send: "presentSelectAuth", cards: ["onboarding", "selectAuth"], tree: "App→[Login→[SelectAuth]]" };
const emailLogin = { send: "presentEmailLogin", cards: ["onboarding", "selectAuth", "emailLogin"] };
const main = "App→[TabBar→[HomeDefault, DM, Search, Setting]]";
const tabs = { cards: ["homeDefault"], tab: "home", tree: main };
const atHome = { options: { launch: { home: { workspaceID: 7 } } } };
const home = { send: "done", ...tabs, reclaimed: 1 };
const empty = { tab: null, cards: ["homeEmpty"], tree: "App→[HomeEmpty]" };
const within = (child) => `App→[TabBar→[HomeDefault→[${child}], DM, Search, Setting]]`;
const list = { send: "presentWorkspaceList", cards: ["homeDefault", "workspaceList"], tree: within("WorkspaceList") };

row("Z-01, Z-02 the login replaces the splash", {}, [splash, onboarding]);

row("Z-03 a launch opens a screen that its parent does not know", atHome, [splash, { ...home, says: "7" }]);

row("Z-04, Z-16 a user without a workspace creates one", { options: { launch: "empty" } }, [
  splash,
  { send: "done", ...empty, reclaimed: 1 },
  { send: "presentMakeWorkspace", cards: ["homeEmpty", "makeWorkspace"] },
  { send: "made", payload: { workspaceID: 9 }, ...tabs, reclaimed: 2, says: "9" },
]);

row("Z-05, Z-06, Z-08 a login by mail closes both sheets and shows the tabs", {}, [
  splash,
  onboarding,
  selectAuth,
  emailLogin,
  { send: "logIn", payload: { name: "kim", password: "usher" }, ...tabs, reclaimed: 3 },
]);

row("Z-09 a login without a workspace shows no workspace yet", {}, [
  splash,
  onboarding,
  selectAuth,
  emailLogin,
  { send: "logIn", payload: { name: "lee", password: "usher" }, ...empty, reclaimed: 3 },
]);

row("Z-10 a social login shows the tabs too", {}, [
  splash,
  onboarding,
  selectAuth,
  { send: "socialLogin", ...tabs, reclaimed: 3 },
]);

row("Z-07, Z-11, Z-13 a sign-up ends with a new workspace", {}, [
  splash,
  onboarding,
  selectAuth,
  { send: "presentSignUp", cards: ["onboarding", "selectAuth", "signUp"] },
  { send: "signUp", cards: ["initialWorkspace"], tree: "App→[Login→[InitialWorkspace]]", reclaimed: 2 },
  { send: "presentMakeWorkspace", cards: ["initialWorkspace", "makeWorkspace"] },
  { send: "made", ...tabs, reclaimed: 4, says: "8" },
]);

row("Z-18, Z-19 another workspace is shown on the same screen", atHome, [
  splash,
  home,
  list,
  { send: "choose", ...tabs, reclaimed: 2, says: "11" },
]);

row("Z-20 leaving the last workspace finishes two parents", atHome, [
  splash,
  home,
  list,
  { send: "askToLeave", cards: ["homeDefault", "workspaceList", "confirmLeave"] },
  { send: "leave", payload: { remaining: [] }, ...empty, reclaimed: 7 },
]);

row("Z-22 a user who cancels stays in the list", atHome, [
  splash,
  home,
  list,
  { send: "askToLeave", cards: ["homeDefault", "workspaceList", "confirmLeave"] },
  { send: "cancel", cards: ["homeDefault", "workspaceList"] },
]);

row("Z-26, Z-27, Z-28, Z-29 a modal with three screens closes at once", atHome, [
  splash,
  home,
  { send: "exploreChannels", cards: ["homeDefault", "exploreChannel"], tree: within("ExploreChannel") },
  { send: "openChannel", cards: ["homeDefault", "exploreChannel", "channelChat"] },
  { send: "openSetting", cards: ["homeDefault", "exploreChannel", "channelChat", "channelSetting"] },
  { send: "presentEdit", cards: ["homeDefault", "exploreChannel", "channelChat", "channelSetting", "editChannel"] },
  { send: "saved", cards: ["homeDefault", "exploreChannel", "channelChat", "channelSetting"], says: "new" },
  { send: "backHome", ...tabs, reclaimed: 2 },
]);

row("Z-30 a logout frees the tabs and everything in them", atHome, [
  splash,
  home,
  { send: "logOut", tab: null, cards: ["onboarding"], tree: "App→[Login]", reclaimed: 6 },
]);

row("Z-32 pulling a sheet down ends its coordinator", {}, [
  splash,
  onboarding,
  selectAuth,
  { press: "Pull down", cards: ["onboarding"], tree: "App→[Login]", reclaimed: 2 },
]);

row("Z-25, Z-39 a tab keeps its channel while other tabs are shown", atHome, [
  splash,
  home,
  { send: "openChannel", cards: ["homeDefault", "channelChat"] },
  { select: "dm", cards: ["dmList"], tab: "dm" },
  { select: "search", cards: ["search"], tab: "search" },
  { select: "home", cards: ["homeDefault", "channelChat"], tab: "home" },
]);
