import Testing
import Usher
import UsherJSON

/// Tests of links that need a login first: the host presents the login, and throws `Later`.
@Suite("Links that need a login")
struct LoginLinkTests {
    @Test(arguments: [true, false])
    func `a link shows the login that its host presents, and continues after the login`(isCareful: Bool) throws {
        var rehearsal = try opened(isCareful)
        try rehearsal.handle(#"{"open":["first"]}"#)
        #expect(try rehearsal.tree.text("pending") == #"["open"]"#)
        #expect(try rehearsal.tree.screens == ["step", "step login"])
        // After a wrong password, the same login is shown, only once.
        try rehearsal.handle(#"{"event":"two"}"#)
        #expect(try rehearsal.tree.screens == ["step", "step wrong"])
        #expect(try rehearsal.tree.text("pending") == #"["open"]"#)
        try rehearsal.handle(#"{"event":"one"}"#)
        #expect(try rehearsal.tree.screens == ["step", "step order"])
        #expect(try rehearsal.tree.text("pending") == "[]")
        #expect(try rehearsal.replay().digest == rehearsal.tree.digest)
    }

    @Test func `if a host checks for the login before it acts, no input has to be tried again`() throws {
        var rehearsal = try opened(true)
        try rehearsal.handle(#"{"open":["first"]}"#)
        for event in ["two", "one"] { try rehearsal.handle(#"{"event":"\#(event)"}"#) }
        #expect(rehearsal.steps.map(\.input?.link) == [.follow, .follow, .follow])
    }

    @Test(arguments: [true, false])
    func `closing the login drops the link that waits for the login, without a warning`(
        isCareful: Bool
    ) throws {
        var rehearsal = try opened(isCareful)
        try rehearsal.handle(#"{"open":["first"]}"#)
        try rehearsal.handle(#"{"back":true}"#)
        #expect(try rehearsal.tree.screens == ["step"])
        #expect(try rehearsal.tree.text("pending") == "[]")
        #expect(try rehearsal.tree.text("warnings") == "")
        try rehearsal.handle(#"{"open":["first"]}"#)
        #expect(try rehearsal.tree.screens == ["step", "step login"], "another link asks again")
        #expect(try rehearsal.replay().digest == rehearsal.tree.digest)
    }

    @Test func `a session that is opened with a link shows the login first if the link needs the login`() throws {
        let link = Array(try JSONDocument(parsing: Array(#"["first"]"#.utf8)).root.elements)
        let (tree, handling) = try LinkHandling.opening { handling in
            try Tree(
                root: shop(isCareful: true), seed: 1, time: Timestamp(milliseconds: 0), link: link, handling: handling)
        }
        #expect(handling == .follow)
        #expect(try tree.screens == ["step", "step login"])
    }

    @Test func `a nested host can also present the login, and the coordinators above the host stay`() throws {
        var rehearsal = try Rehearsal {
            try Tree(
                root: PlacesCoordinator(onFlow: [
                    .first: { me in
                        guard me.child(PlacesCoordinator.self) == nil else { return }
                        me.start(shop(isCareful: true, flow: .second))
                    }
                ]), seed: 1, time: Timestamp(milliseconds: 0), handling: $0)
        }
        try rehearsal.handle(#"{"open":["first","second"]}"#)
        #expect(try rehearsal.tree.screens == ["step", "step", "step login"])
        try rehearsal.handle(#"{"event":"one"}"#)
        #expect(try rehearsal.tree.screens == ["step", "step", "step order"])
    }

    @Test func `a host that is not yet ready to present the login presents it later`() throws {
        let isStarted = Reference()
        var rehearsal = try Rehearsal {
            try Tree(
                root: shop(isCareful: true, isReady: { !isStarted.notes.isEmpty }), seed: 1,
                time: Timestamp(milliseconds: 0), handling: $0)
        }
        try rehearsal.handle(#"{"open":["first"]}"#)
        #expect(try rehearsal.tree.screens == ["step"])
        isStarted.notes = ["started"]
        try rehearsal.handle(#"{"event":"three"}"#)
        #expect(try rehearsal.tree.screens == ["step", "step login"])
    }

    private func opened(_ isCareful: Bool) throws -> Rehearsal {
        try Rehearsal {
            try Tree(root: shop(isCareful: isCareful), seed: 1, time: Timestamp(milliseconds: 0), handling: $0)
        }
    }
}

/// A host with an order that only a logged-in user may see.
///
/// - Parameters:
///   - isCareful: Whether it checks for a login before it presents one.
///   - flow: The flow that leads to the order.
///   - isReady: Decides whether it can show its login.
private func shop(
    isCareful: Bool, flow: PlacesCoordinator.Flow = .first, isReady: @escaping () -> Bool = { true }
) -> PlacesCoordinator {
    let user = Reference()
    return PlacesCoordinator(onFlow: [
        flow: { me in
            guard user.notes.isEmpty else { return me.show("order") }
            guard isReady() else { throw Later() }
            if !isCareful || me.child(ScriptedCoordinator.self) == nil { present(for: user, over: me) }
            throw Later()
        }
    ])
}

private func present(for user: Reference, over shop: PlacesCoordinator) {
    let login = ScriptedCoordinator(onEvent: [.one: { $0.finish("kim") }]) { $0.show("login") }
    login.onEvent[.two] = { me in me.handles[0].update { $0.note = "wrong" } }
    shop.present(login, as: .sheet) { _, outcome in
        if case .finished(let name) = outcome { user.notes.append(name) }
    }
}

extension Rehearsal {
    fileprivate mutating func handle(_ action: String) throws {
        let json = try JSONDocument(parsing: Array(action.utf8)).root
        #expect(try handle(Input(try InputAction(json), at: Timestamp(milliseconds: 0))))
    }
}

extension Tree {
    /// The screens on display with their notes, such as `step login`.
    fileprivate var screens: [String] {
        get throws {
            try state[member: "stack"]?.elements.map { screen in
                let note = screen[member: "state"]?[member: "note"]?.string ?? ""
                return note.isEmpty ? "step" : "step \(note)"
            } ?? []
        }
    }

    fileprivate func text(_ member: String) throws -> String {
        try state[member: member].map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    }

    private var state: JSONValue {
        get throws {
            var writer = JSONWriter()
            writer.beginObject()
            writeState(into: &writer)
            writer.endObject()
            return try JSONDocument(parsing: writer.bytes).root
        }
    }
}
