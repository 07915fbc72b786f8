import Testing
import Usher
import UsherJSON

@Suite("Former names of tabs, flows and apps")
struct FormerNameTests {
    @Test func `a tab can be selected by its former name, and clients see the present name`() throws {
        let root = ScriptedCoordinator { root in
            root.tabs(Tab.self, selected: .home, formerNames: ["talk": .chat, "more": .chat]) { _, _ in
                ScriptedCoordinator()
            }
        }
        let walker = try Walker(root)
        try walker.handle(#"{"select":"talk"}"#)
        #expect(try walker.text("tabs") == #"{"selected":"chat","names":["home","chat","more"]}"#)
        #expect(walker.tree.shows(Display(walker.tree.display.screens, tab: "talk")))
        #expect(!walker.tree.shows(Display(walker.tree.display.screens, tab: "more")), "a present name counts first")
        try walker.handle(#"{"select":"talk"}"#)
        try walker.handle(#"{"select":"more"}"#)
        #expect(root.ended == ["selected chat", "reselected chat", "selected more"])
        #expect(try walker.text("warnings") == "")
    }

    @Test func `a tab's former name has no effect and causes a warning if the present tab does not exist`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.tabs(named: ["a", "b"], selected: "a", formerNames: ["old": "c", "older": "b"]) { _, _ in
                    ScriptedCoordinator()
                }
            })
        let warning = #"["ScriptedCoordinator: there is no tab \"c\", so its former name \"old\" has no effect"]"#
        #expect(try walker.text("warnings") == warning)
        try walker.expectInvalid(#"{"select":"old"}"#, naming: #"there is no tab "old"; there are: a, b"#)
        try walker.handle(#"{"select":"older"}"#)
        #expect(try walker.text("tabs").contains(#""selected":"b""#))
    }

    @Test(arguments: [
        (#"["start"]"#, "hall"), (#"[{"start":{}}]"#, "hall"), (#"[{"room":{"number":7}}]"#, "7"),
        (#"[ { "r\u006fom" : { "number" : 7 } } ]"#, "7"), (#"[{"chamber":{"number":8}}]"#, "8"),
        (#"["hall"]"#, "hall"), (#"["cellar"]"#, "cellar"),
    ])
    func `a flow in a link is found by its present name and by its former names`(link: String, note: String) throws {
        let walker = try Walker(RenamedHost())
        try walker.handle(#"{"open":\#(link)}"#)
        #expect(try walker.text("stack").contains(#""note":"\#(note)""#))
    }

    @Test(arguments: [
        (#"["nowhere"]"#, "it takes: hall, chamber, cellar"), (#"[{"room":{"number":"x"}}]"#, "number"),
        (#"["lost"]"#, #"no flow "gone"; it takes"#), (#"[{"start":{"x":1}}]"#, #"unknown member "x""#),
    ])
    func `a link with a former name that cannot be followed is refused, and the error says what is wrong`(
        link: String, words: String
    )
        throws
    {
        try Walker(RenamedHost()).expectInvalid(#"{"open":\#(link)}"#, naming: words)
    }

    @Test func `an app is found by a former name only if no app has that name now`() {
        let apps: [any App.Type] = [RenamedApp.self, OtherApp.self]
        #expect(apps.app(named: "renamed") is RenamedApp.Type)
        #expect(apps.app(named: "former") is RenamedApp.Type)
        #expect(apps.app(named: "other") is OtherApp.Type)
        #expect(apps.app(named: "nobody") == nil)
    }
}

private enum RenamedApp: App {
    static let formerNames = ["former", "other"]
    static func root(_ options: NoOptions) -> sending AnyCoordinator { RenamedHost() }
}

private enum OtherApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { RenamedHost() }
}

private final class RenamedHost: Coordinator<Never>, FlowHost {
    enum Flow: Codable { case hall, chamber(number: Int), cellar }
    static let examples: [Flow] = [.hall, .chamber(number: 1), .cellar]
    static let formerFlowNames = ["start": "hall", "room": "chamber", "cellar": "hall", "lost": "gone"]

    override func start() { push(StepScreen()) { _, _ in } }

    func open(_ flow: Flow) -> (any FlowHost)? {
        let note =
            switch flow {
            case .hall: "hall"
            case .chamber(let number): "\(number)"
            case .cellar: "cellar"
            }
        push(StepScreen(note: note)) { _, _ in }
        return nil
    }
}
