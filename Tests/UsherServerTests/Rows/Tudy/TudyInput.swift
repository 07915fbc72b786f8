/// A body for a tudy session's events; an event without payload is written as its name.
struct TudyInput: ExpressibleByStringLiteral {
    let body: String

    init(body: String) {
        self.body = body
    }

    init(stringLiteral event: String) {
        self.init(body: #"{"event":"\#(event)"}"#)
    }

    static let back = TudyInput(body: #"{"back":true}"#)

    static func event(_ name: String, _ payload: String) -> TudyInput {
        TudyInput(body: #"{"event":{"\#(name)":\#(payload)}}"#)
    }

    static func select(_ tab: String) -> TudyInput {
        TudyInput(body: #"{"select":"\#(tab)"}"#)
    }

    static func popped(_ screen: Int) -> TudyInput {
        TudyInput(body: #"{"popped":\#(screen)}"#)
    }

    static func dismissed(_ screen: Int) -> TudyInput {
        TudyInput(body: #"{"dismissed":\#(screen)}"#)
    }

    static func open(_ steps: String) -> TudyInput {
        TudyInput(body: #"{"open":\#(steps)}"#)
    }

    static func open(chat: Int) -> TudyInput {
        open(#"["tabBar",{"chat":{"id":\#(chat)}}]"#)
    }

    static func login(_ name: String, _ password: String = "usher") -> TudyInput {
        event("login", #"{"name":"\#(name)","password":"\#(password)"}"#)
    }

    static func fastSearch(_ work: String) -> TudyInput {
        event("showFastSearch", #"{"work":"\#(work)"}"#)
    }

    static func detail(_ project: String) -> TudyInput {
        event("showProjectDetail", #"{"project":\#(project)}"#)
    }

    static func chat(_ chat: String) -> TudyInput {
        event("showChat", #"{"chat":\#(chat)}"#)
    }

    static func pick(_ group: String) -> TudyInput {
        event("pick", #"{"group":\#(group)}"#)
    }
}
