import Testing
import Usher
import UsherJSON

@Suite("Screens that a client cannot draw")
struct FallbackTests {
    private let old = Client(name: "ios", version: "3.2", screens: ["*": 1])

    @Test func `an input is refused, with the screen's name, if it shows a screen that the client cannot draw`() throws
    {
        let walker = try walker { $0.push(CellarScreen()) { _, _ in } }
        let rejection = try #require(try walker.rejection(of: #"{"event":"one"}"#))
        #expect(rejection.kind == .undrawable)
        #expect(
            rejection.reason
                == "this would show the screen \"cellar\" of version 2, which the client (ios 3.2) cannot draw; "
                + "update the client")
        #expect(rejection.undrawable == UndrawableScreen(name: "cellar", version: 2))
        #expect(walker.tree.isBroken)
    }

    @Test func `the refusal does not name the client if the client has no name`() throws {
        let walker = try walker(for: Client(screens: ["step": 1])) { $0.push(CellarScreen()) { _, _ in } }
        let reason = try #require(try walker.rejection(of: #"{"event":"one"}"#)?.reason)
        #expect(reason.contains("which the client cannot draw"), "\(reason)")
    }

    @Test func `a session is not opened if it would begin with a screen that the client cannot draw`() throws {
        let rejection = try #require(throws: Rejection.self) {
            try Walker(ScriptedCoordinator { $0.push(CellarScreen()) { _, _ in } }, audience: audience(old))
        }
        #expect(rejection.kind == .undrawable)
    }

    @Test(arguments: [Client(), Client(screens: ["cellar": 2, "step": 1]), Client(screens: ["*": 2])])
    func `a screen that the client can draw is sent with its version`(client: Client) throws {
        let walker = try walker(for: client) { $0.push(CellarScreen()) { _, _ in } }
        try walker.send("one")
        #expect(try walker.stack == ["step#1", "cellar#2"])
        #expect(try walker.visible[member: "version"]?.integer == 2)
        #expect(try walker.state[member: "stack"]?.elements.map { $0 }[0][member: "version"] == nil)
    }

    @Test func `a screen that the client cannot draw is harmless if it leaves in the same input`() throws {
        let walker = try walker {
            $0.push(CellarScreen()) { _, _ in }
            $0.pop()
            $0.present(CellarScreen(), as: .sheet) { _, _ in }
            $0.dismiss()
        }
        try walker.send("one")
        #expect(try walker.stack == ["step#1"])
    }

    @Test func `a screen in a hidden tab that the client cannot draw matters only when the tab is selected`() throws {
        let walker = try walker { me in
            me.tabs(named: ["a", "b"], selected: "a") { _, tab in
                ScriptedCoordinator { tab == "a" ? $0.show() : Self.showCellar($0) }
            }
        }
        try walker.send("one")
        #expect(try walker.stack == ["step#2"])
        #expect(try walker.rejection(of: #"{"select":"b"}"#)?.kind == .undrawable)
    }

    @Test(arguments: [
        (4, #"{"owner":"kim","isSaved":true}"#, 3, #"{"pay":{},"freeze":{}}"#),
        (2, #"{"title":"kim's card"}"#, 2, #"{"pay":{},"freeze":{}}"#),
        (1, #"{"text":"kim's card"}"#, nil, #"{"pay":{}}"#),
    ])
    func `a screen is replaced by the first of its fallbacks that the client can draw`(
        version: Int, state: String, told: Int?, events: String
    ) throws {
        let walker = try walker(for: Client(screens: ["card": version, "*": 1])) {
            $0.push(CardScreen(owner: "kim")) { _, _ in }
        }
        try walker.send("one")
        #expect(try walker.stack == ["step#1", "card#2"])
        #expect(try walker.visible[member: "state"]?.text == state)
        #expect(try walker.visible[member: "version"]?.integer == told)
        #expect(try walker.visible[member: "events"]?.text == events)
    }

    @Test func `a screen's fallback changes when the screen changes, and the fallback's events go to the screen`()
        throws
    {
        var card = Handle<CardScreen>()
        var events: [CardScreen.Event] = []
        let walker = try walker {
            card = $0.push(CardScreen(owner: "kim")) { _, event in
                events.append(event)
                card.update { $0.owner = "lee" }
            }
        }
        try walker.send("one")
        try walker.send("pay")
        #expect(try walker.visible[member: "state"]?.text == #"{"text":"lee's card"}"#)
        #expect(try walker.text("changes") == #"[{"update":[2]}]"#)
        try walker.send("freeze")
        #expect(events == [.pay, .freeze])
        #expect(card.screen?.owner == "lee")
    }

    @Test func `a fallback screen can refuse to let the user go back`() throws {
        let walker = try walker { $0.push(CardScreen(owner: "kim", isSaved: false)) { _, _ in } }
        try walker.send("one")
        #expect(try walker.text("back") == #"{"refused":"this is an old card"}"#)
        try walker.expectInvalid(#"{"back":true}"#, naming: "old card")
    }

    @Test func `if no fallback of a screen can be drawn, the app's fallback is shown or the input is refused`() throws {
        let client = Client(version: "none", screens: ["*": 1])
        let alone = try walker(for: client) { $0.push(CardScreen(owner: "kim")) { _, _ in } }
        #expect(try alone.rejection(of: #"{"event":"one"}"#)?.undrawable == UndrawableScreen(name: "card", version: 3))
        let helped = try walker(for: client, with: { UpdateScreen(missing: $0, client: "\($1)") }) {
            $0.push(CardScreen(owner: "kim")) { _, _ in }
        }
        try helped.send("one")
        #expect(try helped.stack == ["step#1", "update#2"])
    }

    @Test func `an input is refused if the fallbacks of a screen lead back to the screen`() throws {
        let walker = try walker { $0.push(LoopScreen()) }
        #expect(try walker.rejection(of: #"{"event":"one"}"#)?.undrawable?.name == "loop")
    }

    @Test func `the app's fallback screen sends no events, and the user can go back from it`() throws {
        let walker = try walker(for: old, with: { UpdateScreen(missing: $0, client: "\($1)") }) {
            $0.push(CellarScreen()) { _, _ in Issue.record("it got an event") }
        }
        try walker.send("one")
        #expect(try walker.visible[member: "state"]?.text == #"{"missing":"cellar","client":"ios 3.2"}"#)
        #expect(try walker.visible[member: "events"]?.text == "{}")
        try walker.expectInvalid(#"{"event":"open"}"#, naming: "has no events")
        try walker.back()
        #expect(try walker.stack == ["step#1"])
    }

    @Test func `the input is refused if the client cannot draw the app's fallback either`() throws {
        let walker = try walker(for: Client(screens: ["step": 1]), with: { UpdateScreen(missing: $0, client: "\($1)") })
        {
            $0.push(CellarScreen()) { _, _ in }
        }
        #expect(try walker.rejection(of: #"{"event":"one"}"#)?.undrawable?.name == "cellar")
    }

    @Test func `the tree, its stacks and its digest are the same with and without fallbacks`() throws {
        let script: ScriptedCoordinator.Script = { $0.push(CardScreen(owner: "kim")) { _, _ in } }
        let walkers = try [old, Client()].map { client in
            try walker(for: client, with: { UpdateScreen(missing: $0, client: "\($1)") }, script)
        }
        for walker in walkers { try walker.send("one") }
        #expect(Set(walkers.map(\.tree.digest)).count == 1)
        #expect(walkers.map(\.tree.visibleScreen) == ["card 2", "card 2"])
        #expect(try walkers[0].stacks == walkers[1].stacks)
    }

    @Test func `no object of a fallback stays in memory after the session ends`() throws {
        let walker = try walker(for: old, with: { UpdateScreen(missing: $0, client: "\($1)") }) {
            $0.push(CardScreen(owner: "kim")) { _, _ in }
        }
        try walker.send("one")
        #expect(throws: Rejection.self) { try walker.back() }
        #expect(walker.tree.end().isEmpty)
    }

    private static func showCellar(_ coordinator: ScriptedCoordinator) {
        coordinator.push(CellarScreen()) { _, _ in }
    }

    /// Returns a walker with a root whose event `one` runs a script.
    private func walker(
        for client: Client? = nil, with fallback: @escaping Fallback = { _, _ in nil },
        _ script: @escaping ScriptedCoordinator.Script
    ) throws -> Walker {
        try Walker(ScriptedCoordinator(onEvent: [.one: script]), audience: audience(client ?? old, fallback))
    }

    private typealias Fallback = @Sendable (String, Client) -> (any Screen<Never>)?

    private func audience(_ client: Client, _ fallback: @escaping Fallback = { _, _ in nil }) -> SessionAudience {
        SessionAudience(client, fallback: fallback)
    }
}

extension Walker {
    /// The visible screen's entry.
    fileprivate var visible: JSONValue {
        get throws { try #require(try state[member: "stack"]?.elements.map { $0 }.last) }
    }
}

extension JSONValue {
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
