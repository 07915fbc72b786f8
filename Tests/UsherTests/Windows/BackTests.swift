import Testing
import Usher
import UsherJSON

@Suite("Going back")
struct BackTests {
    @Test(arguments: [#"{"back":true}"#, #"{"popped":2}"#])
    func `E-01: a screen refuses to go back, and the state shows the reason beforehand`(action: String) throws {
        let walker = try Walker(FormCoordinator(modal: false))
        #expect(try walker.text("back") == #"{"refused":"save first"}"#)
        try expectRefused(action, by: walker)
        try walker.send("save")
        #expect(try walker.text("back") == "true")
        #expect(try walker.handle(action))
        #expect(try walker.stacks == ["root[1]"])
    }

    @Test(arguments: [#"{"back":true}"#, #"{"dismissed":2}"#])
    func `E-01: a sheet's screen can refuse to be pulled down`(action: String) throws {
        let walker = try Walker(FormCoordinator(modal: true))
        #expect(try walker.text("back") == #"{"refused":"save first"}"#)
        try expectRefused(action, by: walker)
        try walker.send("save")
        #expect(try walker.handle(action))
        #expect(try walker.stacks == ["root[1]"])
    }

    @Test func `E-01: a covered screen can refuse a pop that would remove the screen`() throws {
        let walker = try Walker(FormCoordinator(modal: false))
        try walker.send("help")
        #expect(try walker.text("back") == "true")
        try expectRefused(#"{"popped":2}"#, by: walker)
        #expect(try walker.handle(#"{"popped":3}"#))
        try expectRefused(#"{"back":true}"#, by: walker)
    }

    @Test func `E-01: a sheet cannot be pulled down while any of its screens refuses to go back`() throws {
        let walker = try Walker(FormCoordinator(modal: true))
        try walker.send("ask")
        #expect(try walker.stacks == ["root[1]", "sheet[2]", "sheet[3]"])
        try expectRefused(#"{"dismissed":2}"#, by: walker)
        #expect(try walker.handle(#"{"dismissed":3}"#))
    }

    @Test func `E-02: going back cannot pass a barrier, but a link can pass it`() throws {
        let walker = try Walker(ShopCoordinator())
        try walker.send("one")
        #expect(try walker.stacks == ["root[1, 2, 3]"])
        #expect(try walker.text("back").contains("refused"))
        for action in [#"{"back":true}"#, #"{"popped":3}"#, #"{"popped":2}"#] {
            #expect(try walker.rejection(of: action)?.kind == .invalid, "\(action)")
            #expect(!walker.tree.isBroken)
        }
        #expect(try walker.stacks == ["root[1, 2, 3]"])

        try walker.send("two")
        #expect(try walker.text("back") == "true")
        #expect(try walker.handle(#"{"popped":4}"#), "what lies over the barrier can be popped")

        #expect(try walker.handle(#"{"open":["cart"]}"#))
        #expect(try walker.stacks == ["root[1, 2]"])
        #expect(try walker.text("back") == "true")
    }

    @Test func `E-02: a barrier in a sheet keeps the sheet open`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                root.present(
                    ScriptedCoordinator { sheet in
                        sheet.show()
                        sheet.show()
                        sheet.barrier()
                    }, as: .sheet)
            })
        for action in [#"{"back":true}"#, #"{"popped":3}"#, #"{"dismissed":2}"#] {
            #expect(try walker.rejection(of: action)?.kind == .invalid, "\(action)")
        }
        #expect(try walker.stacks == ["root[1]", "sheet[2, 3]"])
    }

    @Test(arguments: [PresentationStyle.formSheet, .popover, .actionSheet], [#"{"back":true}"#, #"{"dismissed":2}"#])
    func `going back or a gesture closes a modal that the user is allowed to close`(
        style: PresentationStyle, action: String
    ) throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                root.show(as: style)
            })
        #expect(try walker.handle(action))
        #expect(try walker.stacks == ["root[1]"])
        #expect(try walker.text("changes") == #"[{"dismiss":[2]}]"#)
    }

    @Test(arguments: [PresentationStyle.fullScreen, .overFullScreen, .alert])
    func `a sheet cannot be swiped away while a modal above it cannot be swiped away`(style: PresentationStyle) throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                root.show(as: .sheet)
                root.show(as: style)
            })
        let rejection = try #require(try walker.rejection(of: #"{"dismissed":2}"#))
        #expect(rejection.kind == .invalid)
        #expect(rejection.reason.contains("3"), "\(rejection.reason)")
        #expect(try walker.rejection(of: #"{"dismissed":3}"#)?.kind == .invalid)
    }

    @Test func `swiping a sheet away also closes the sheets above it`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                for _ in 0..<3 { root.show(as: .sheet) }
            })
        #expect(try walker.handle(#"{"dismissed":3}"#))
        #expect(try walker.stacks == ["root[1]", "sheet[2]"])
        #expect(try walker.text("changes") == #"[{"dismiss":[4,3]}]"#)
        #expect(try walker.handle(#"{"dismissed":4}"#) == false)
        #expect(walker.tree.revision == 2)
    }

    @Test func `a screen that refuses only its own removal stays in a modal, but cannot keep the modal open`()
        throws
    {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                root.present(
                    ScriptedCoordinator { sheet in
                        sheet.show()
                        sheet.push(PinnedScreen())
                    }, as: .sheet)
            })
        #expect(try walker.text("back") == #"{"refused":"it is pinned"}"#)
        #expect(try walker.rejection(of: #"{"popped":3}"#)?.reason == "it is pinned")
        #expect(try walker.handle(#"{"dismissed":2}"#))
        #expect(try walker.stacks == ["root[1]"])
    }

    private func expectRefused(
        _ action: String, by walker: Walker, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = (try walker.stacks, walker.tree.revision)
        let rejection = try walker.rejection(of: action)
        #expect(rejection?.kind == .invalid, sourceLocation: sourceLocation)
        #expect(rejection?.reason == "save first", sourceLocation: sourceLocation)
        #expect(try walker.stacks == before.0, sourceLocation: sourceLocation)
        #expect(walker.tree.revision == before.1, sourceLocation: sourceLocation)
        #expect(!walker.tree.isBroken, sourceLocation: sourceLocation)
    }
}

private struct PinnedScreen: ScreenWrapper {
    static let wrapped: (any Screen.Type)? = nil
    var backRefusal: String? { "it is pinned" }
    var dismissalRefusal: String? { nil }
}

/// A coordinator with a form that cannot be left before it is saved.
private final class FormCoordinator: Coordinator<Never> {
    struct FormScreen: Screen {
        enum Event: Codable, CaseIterable { case save, help, ask }
        var isSaved = false
        var backRefusal: String? { isSaved ? nil : "save first" }
    }

    private let modal: Bool
    private var form: Handle<FormScreen>?

    init(modal: Bool) {
        self.modal = modal
    }

    override func start() {
        push(StepScreen()) { _, _ in }
        form = modal ? present(FormScreen(), as: .sheet) { $0.handle($1) } : push(FormScreen()) { $0.handle($1) }
    }

    private func handle(_ event: FormScreen.Event) {
        switch event {
        case .save: form?.update { $0.isSaved = true }
        case .help: push(StepScreen()) { _, _ in }
        case .ask: present(StepScreen(), as: .sheet) { _, _ in }
        }
    }
}

/// A cart, a payment, and a receipt that the user cannot leave by going back.
private final class ShopCoordinator: Coordinator<Never>, FlowHost {
    enum Flow: Codable, CaseIterable { case cart }

    private var cart: Handle<StepScreen>?

    override func start() {
        push(StepScreen()) { _, _ in }
        cart = push(StepScreen(note: "cart")) { me, _ in me.pay() }
    }

    func open(_ flow: Flow) -> (any FlowHost)? {
        if let cart { pop(to: cart) }
        return nil
    }

    private func pay() {
        push(StepScreen(note: "receipt")) { me, _ in me.push(StepScreen()) { _, _ in } }
        barrier()
    }
}
