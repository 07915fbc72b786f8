import Testing
import Usher
import UsherJSON

@Suite("Changes that an app declares")
struct ChangeTests {
    @Test func `a new session's coordinators know all changes`() throws {
        let walker = try walker()
        try walker.send("ask")
        #expect(try note(walker) == "address gift")
        #expect(try walker.text("warnings") == "")
    }

    @Test func `a coordinator knows the changes of the build that started the coordinator, even in another build`()
        throws
    {
        let walker = try walker(knowing: [])
        for known in [["gift"], [], ["address", "gift"], nil] {
            walker.tree.follow(buildKnowing: known)
            try walker.send("child")
        }
        var notes: [String] = []
        for _ in 1...5 {
            try walker.send("ask")
            notes.append(try note(walker))
            try walker.send("leave")
        }
        #expect(notes == ["address gift", "address gift", "", "gift", ""])
    }

    @Test func `a change that the app does not list is unknown to new coordinators, and a warning appears`() throws {
        let walker = try walker()
        try walker.send("misspell")
        #expect(try note(walker) == "")
        let warning = #"["OrderCoordinator: the app has no change \"adress\"; add the name to App.changes"]"#
        #expect(try walker.text("warnings") == warning)
    }

    @Test func `a change that the app no longer lists is still known to the coordinators that used it`() throws {
        let tree = try Tree(
            opening: PlainApp.self, options: Array("{}".utf8), seed: 1, time: Timestamp(milliseconds: 0),
            knowing: ["gift"])
        let walker = Walker(tree)
        try walker.send("ask")
        #expect(try note(walker) == "gift")
        #expect(try walker.text("warnings").contains("gift"))
        #expect(walker.tree.declaredChanges.isEmpty)
    }

    @Test func `a view model can use its screen's handle to ask about a change`() throws {
        let walker = try walker()
        try walker.send("keep")
        try walker.send("ask")
        #expect(try note(walker) == "gift")
    }

    @Test func `the handle of a screen that has left or was never shown knows no change`() throws {
        let walker = try walker()
        try walker.send("askLeft")
        #expect(try note(walker) == "false false")
        #expect(
            try walker.text("warnings") == #"["the screen \"order\" was removed, so `changed` did nothing"]"#)
    }

    @Test func `a coordinator knows no change before its start and after its end`() throws {
        let walker = try walker()
        try walker.send("askEarly")
        #expect(try note(walker) == "false")
        #expect(
            try walker.text("warnings").contains(
                "OrderCoordinator: `changed` did nothing, because the coordinator was not started yet"))
        try walker.send("child")
        try walker.send("askLate")
        #expect(try walker.text("warnings").contains("OrderCoordinator has ended: `changed` did nothing"))
    }

    @Test func `a tree lists which coordinators do not know a change, and whether any has asked about the change`()
        throws
    {
        let walker = try walker(knowing: ["gift"])
        walker.tree.follow(buildKnowing: nil)
        try walker.send("child")
        #expect(
            walker.tree.changeNeeds == [
                ChangeNeed(change: "address", unaware: ["order"], isMissed: false),
                ChangeNeed(change: "gift", unaware: [], isMissed: false),
            ])
        try walker.send("leave")
        try walker.send("ask")
        #expect(walker.tree.changeNeeds.map(\.isMissed) == [true, false])
    }

    private func walker(knowing changes: [String]? = nil) throws -> Walker {
        Walker(
            try Tree(
                opening: OrderApp.self, options: Array("{}".utf8), seed: 1, time: Timestamp(milliseconds: 0),
                knowing: changes))
    }

    /// Returns the note of the visible screen.
    private func note(_ walker: Walker) throws -> String {
        try walker.state[member: "stack"]?.elements.map { $0 }.last?[member: "state"]?[member: "note"]?.string ?? "?"
    }
}

private enum OrderApp: App {
    static let changes = ["gift", "address", "gift"]
    static func root(_ options: NoOptions) -> sending AnyCoordinator { OrderCoordinator() }
}

/// A later build without changes.
private enum PlainApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { OrderCoordinator(["gift"]) }
}

private struct OrderScreen: Screen {
    enum Event: Codable, CaseIterable { case ask, misspell, child, keep, askLeft, askEarly, askLate, leave }
    var note = ""
}

/// A coordinator that shows which changes it knows.
private final class OrderCoordinator: Coordinator<Void> {
    private let names: [String]
    private var screen = Handle<OrderScreen>()

    init(_ names: [String] = ["address", "gift"]) { self.names = names }

    override func start() { show() }

    private func show() {
        screen = push(OrderScreen()) { me, event in
            switch event {
            case .ask: me.tell(me.names.filter { me.changed($0) })
            case .misspell: me.tell(["adress"].filter { me.changed($0) })
            case .child: me.start(OrderCoordinator(me.names)) { _, _ in }
            case .keep: me.showWithViewModel()
            case .askLeft: me.askLeft()
            case .askEarly: me.askEarly()
            case .askLate:
                me.finish()
                me.tell([me.changed("gift").description])
            case .leave: me.finish()
            }
        }
    }

    private func tell(_ words: [String]) {
        screen.update { $0.note = words.joined(separator: " ") }
    }

    private func showWithViewModel() {
        let viewModel = OrderViewModel()
        viewModel.screen = push(OrderScreen(), keeping: viewModel) { viewModel, _ in
            let knows = viewModel.screen.changed("gift")
            viewModel.screen.update { $0.note = knows ? "gift" : "" }
        }
    }

    private func askLeft() {
        let left = push(OrderScreen()) { _, _ in }
        pop()
        tell([left.changed("gift").description, Handle<OrderScreen>().changed("gift").description])
    }

    private func askEarly() {
        let child = OrderCoordinator()
        let knows = child.changed("gift")
        start(child) { _, _ in }
        child.tell([knows.description])
    }
}

private final class OrderViewModel {
    var screen = Handle<OrderScreen>()
}
