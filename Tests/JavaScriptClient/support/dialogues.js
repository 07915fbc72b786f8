// The actions of a user of each sample, from which the conformance kit is recorded.

const top = (state) => state.stack.at(-1).id;
const call = (made) => () => made;
const open = (app, more = {}) => call({ open: { app, ...more } });
const send = (event, payload) => call({ send: { event, ...(payload ? { payload } : {}) } });
const back = call({ back: true });
/** Another client's inputs, which arrive over the stream. */
const elsewhere = (...inputs) => call({ elsewhere: inputs });
/** An effect's result, which also arrives over the stream. */
const effect = elsewhere();
/** The outcomes of the attempts before the answered one: the answer is lost, or the attempt has no decisive answer. */
const lost = { lost: true };
const full = { status: 503, headers: { "Retry-After": "1" }, body: { type: "urn:usher:problem:server-full", title: "Service Unavailable", status: 503, detail: "no room" } };
const unknown = { status: 504, headers: { "Retry-After": "1" }, body: { type: "urn:usher:problem:outcome-unknown", title: "Gateway Timeout", status: 504, detail: "the journal did not say" } };
const tooMuch = { status: 429, headers: { "Retry-After": "1" }, body: { type: "urn:usher:problem:too-much-from-address", title: "Too Many Requests", status: 429, detail: "slowly" } };
/** Something on the way holds the attempt; the server receives it in a later step. */
const held = { held: true };
/** A long poll that has reached its time limit, and one that a proxy has cut short. */
const passed = { status: 304 };
const late = { status: 504, headers: { "Content-Type": "text/html" }, body: "<h1>Gateway Timeout</h1>" };
const gateway = { status: 502, headers: { "Content-Type": "text/html" }, body: "<h1>Bad Gateway</h1>" };
const after = (before, make) => (state) => ({ ...make(state), before });

const project = { id: 2, title: "An iOS app for walkers", writer: { id: 2, name: "Lee" } };
const chat = { id: 2, group: true, title: "Walkers" };

/** Each call is a function of the previous state and the steps. */
export const dialogues = {
  "hello-bye": { calls: [
    open("hello-bye"), send("bye"), send("hello"), call({ send: { event: "bye", screen: 1 } }), back, send("nothing"),
    elsewhere({ event: "bye" }), call({ end: true }), back,
  ] },
  "start-login-main": { calls: [
    open("start-login-main"), send("startApp"), call({ back: true, screen: 1 }), send("login"), send("profileEdit"), back,
    call({ back: true, screen: 4 }), elsewhere({ event: "profileEdit" }),
    (state) => ({ popped: top(state) }), back, back,
  ] },
  "start-login-main-logged-in": { calls: [open("start-login-main", { options: { loggedIn: true } }), send("startApp"), back] },
  notes: { calls: [
    open("notes"), send("showDetail", { id: 1 }), send("showDetail", { id: 2 }), send("close"), send("showSub"), send("home"), send("showSettings"),
    (state) => ({ dismissed: top(state) }), send("showDetail", { id: 1 }), (state) => ({ popped: top(state) }),
    call({ popped: 6 }), call({ popped: 1_000 }),
  ] },
  tudy: { calls: [
    open("tudy"), send("showFastSearch", { work: "iOS" }), send("showProjectDetail", { project }), call({ select: "chat" }), send("showChat", { chat }),
    call({ select: "home" }), elsewhere({ select: "chat" }), call({ select: "chat" }), call({ select: "nowhere" }), call({ select: "home" }),
    back, back, send("showLogin"), (state) => ({ dismissed: top(state) }), call({ select: "chat" }),
    send("login", { name: "kim", password: "wrong" }), send("login", { name: "kim", password: "usher" }), send("showLogin"),
    call({ follow: ["tabBar", { chat: { id: 1 } }] }), call({ follow: ["nowhere"] }), back,
  ] },
  sooda: { calls: [
    open("sooda"), send("done"), send("presentSelectAuth"), send("presentEmailLogin"), send("logIn", { name: "kim", password: "usher" }),
    send("exploreChannels"), send("openChannel", { id: 3, name: "dev" }), send("openSetting"), send("presentEdit"), send("saved", { name: "new" }),
    send("backHome"), send("presentWorkspaceList"), send("askToLeave"), send("cancel"), send("choose", { workspaceID: 11 }), send("logOut"),
  ] },
  // The remaining dialogues test the contract, independent of the app.
  opening: { calls: [
    open("nowhere"), open("tudy", { options: { nothing: true } }), open("tudy", { link: ["nowhere"] }),
    after([full, gateway, lost], open("tudy", { options: { loggedIn: true }, link: ["tabBar", { chat: { id: 1 } }] })),
    (state) => ({ resume: state.session }), back, call({ resume: "0".repeat(32) }),
  ] },
  retries: { calls: [
    open("start-login-main"), after([lost], send("startApp")), after([full, tooMuch], send("login")), after([gateway, lost, lost], send("profileEdit")),
    after([unknown], back), after([lost, gateway], (state) => ({ popped: top(state) })), after([full], back),
  ] },
  following: { calls: [
    open("notes"), elsewhere({ event: { showDetail: { id: 1 } } }, { event: "close" }, { event: "showSettings" }),
    elsewhere({ event: "close" }, { event: { showDetail: { id: 1 } } }, { event: { showDetail: { id: 2 } } }),
    (state, steps) => ({ elsewhere: [{ back: true }], overtaken: steps[0].answer.body }), send("close"), elsewhere({ end: true }),
  ] },
  gallery: { program: "gallery", calls: [
    open("gallery"), send("refuse"), send("fail"), send("deep", { count: 500 }), send("deep", { count: "many" }), send("deep", { count: 3 }),
    call({ select: "home" }), (state) => ({ popped: state.stack[1].id }), call({ popped: 1 }),
    send("sheet"), call({ popped: 1 }), send("more"), back, (state) => ({ dismissed: top(state) }), send("no"), back,
    send("cover"), (state) => ({ dismissed: top(state) }), send("close"), send("popover"), (state) => ({ dismissed: top(state) }),
    send("actions"), (state) => ({ dismissed: top(state) }), send("alert"), send("yes"), (state) => ({ dismissed: top(state) }),
    send("end"), back,
  ] },
  polling: { program: "gallery", stream: false, calls: [
    open("gallery"), elsewhere({ event: "sheet" }), after([passed, late, lost], elsewhere({ event: "close" })),
    send("echo", { text: "hello" }), after([passed], elsewhere({ back: true })), elsewhere({ event: "end" }),
  ] },
  effects: { calls: [
    open("tudy", { wait: 0 }), send("showLogin"), send("login", { name: "kim", password: "wrong" }), effect,
    after([lost], send("login", { name: "kim", password: "wrong" })), effect, send("close"),
    (state) => ({ resume: state.session, wait: 60 }), send("showLogin"), send("login", { name: "kim", password: "usher" }),
  ] },
  warnings: { calls: [
    open("sooda"), call({ follow: ["tabBar", "fly"] }), send("done"), send("presentSelectAuth"), send("presentEmailLogin"),
    send("logIn", { name: "kim", password: "usher" }), send("exploreChannels"),
  ] },
  leaks: { program: "gallery", calls: [
    open("gallery"), send("leak"), elsewhere({ event: "sheet" }), send("close"),
  ] },
  tokens: { access: "token", calls: [
    after([lost], open("start-login-main")), send("startApp"), (state) => ({ resume: state.session, token: "TOKEN" }), back,
    (state) => ({ resume: state.session }), (state) => ({ resume: state.session, token: "0".repeat(64) }),
    (state) => ({ resume: state.session, token: "TOKEN" }), call({ end: true }), (state) => ({ resume: state.session, token: "TOKEN" }),
  ] },
  "late-copies": { calls: [
    open("start-login-main"), after([held], call({ popped: 2 })), send("startApp"), elsewhere({ late: { popped: 2 } }),
    after([held], call({ send: { event: "login", screen: 2 } })), send("startApp"), elsewhere({ late: { screen: 2, event: "login" } }),
    after([held], send("login")), elsewhere({ late: { screen: 3, event: "login" } }), back,
    after([held], call({ back: true, screen: 4 })), send("startApp"), elsewhere({ late: { screen: 4, back: true } }),
  ] },
};
