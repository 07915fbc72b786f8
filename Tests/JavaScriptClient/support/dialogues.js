// What a user of each sample does, from which the conformance kit is recorded.

const top = (state) => state.stack.at(-1).id;
const send = (event, payload) => () => ({ send: { event, ...(payload ? { payload } : {}) } });
const call = (made) => () => made;
/** Another client's input, which arrives by the stream. */
const elsewhere = (input) => () => ({ elsewhere: input });
const project = { id: 2, title: "An iOS app for walkers", writer: { id: 2, name: "Lee" } };
const chat = { id: 2, group: true, title: "Walkers" };

/** Each call is a function of the state before it. */
export const dialogues = {
  "hello-bye": { app: "hello-bye", calls: [
    send("bye"), send("hello"), () => ({ send: { event: "bye", screen: 1 } }), call({ back: true }), send("nothing"),
    elsewhere({ event: "bye" }), call({ end: true }), call({ back: true }),
  ] },
  "start-login-main": { app: "start-login-main", calls: [
    send("startApp"), send("login"), send("profileEdit"), call({ back: true }), elsewhere({ event: "profileEdit" }),
    (state) => ({ popped: top(state) }), call({ back: true }), call({ back: true }),
  ] },
  "start-login-main, logged in": { app: "start-login-main", options: { loggedIn: true }, calls: [send("startApp"), call({ back: true })] },
  notes: { app: "notes", calls: [
    send("showDetail", { id: 1 }), send("showDetail", { id: 2 }), send("close"), send("showSub"), send("home"), send("showSettings"),
    (state) => ({ dismissed: top(state) }), send("showDetail", { id: 1 }), (state) => ({ popped: top(state) }),
    call({ popped: 6 }), call({ popped: 1_000 }),
  ] },
  tudy: { app: "tudy", calls: [
    send("showFastSearch", { work: "iOS" }), send("showProjectDetail", { project }), call({ select: "chat" }), send("showChat", { chat }),
    call({ select: "home" }), elsewhere({ select: "chat" }), call({ select: "chat" }), call({ select: "nowhere" }), call({ select: "home" }),
    call({ back: true }), call({ back: true }), send("showLogin"), (state) => ({ dismissed: top(state) }), call({ select: "chat" }),
    send("login", { name: "kim", password: "wrong" }), send("login", { name: "kim", password: "usher" }), send("showLogin"),
    call({ follow: ["tabBar", { chat: { id: 1 } }] }), call({ follow: ["nowhere"] }), call({ back: true }),
  ] },
  sooda: { app: "sooda", calls: [
    send("done"), send("presentSelectAuth"), send("presentEmailLogin"), send("logIn", { name: "kim", password: "usher" }),
    send("exploreChannels"), send("openChannel", { id: 3, name: "dev" }), send("openSetting"), send("presentEdit"), send("saved", { name: "new" }),
    send("backHome"), send("presentWorkspaceList"), send("askToLeave"), send("cancel"), send("choose", { workspaceID: 11 }), send("logOut"),
  ] },
};
