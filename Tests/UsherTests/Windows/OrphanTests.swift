import Testing
import Usher

/// Tests of modals whose coordinator's screens are removed by another coordinator, for example by a logout message.
@Suite("Modals that lose their coordinator")
struct OrphanTests {
    @Test func `when new tabs replace the old tabs, an old tab's coordinator ends and its modal closes`() throws {
        let walker = try Walker(
            RootCoordinator { root in
                root.tabs(Tab.self, selected: .home) { _, tab in
                    ScriptedCoordinator { me in
                        me.show()
                        if tab == .chat { me.show("checkout", as: .fullScreen) }
                    }
                }
            })
        #expect(try walker.stacks == ["home[1]", "chat[2]", "more[4]", "fullScreen[3]"])
        try walker.tell(#""tabs""#)
        #expect(try walker.stacks == ["home[5]", "chat[6]", "more[7]"])
        #expect(try walker.text("changes") == #"[{"dismiss":[3]},{"replace":{"out":[1],"in":[]}},{"push":[5]}]"#)
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 7, finished: 3, leaked: 0))
    }

    @Test(arguments: RootCoordinator.Message.allCases)
    func `when a child's screens are removed, the child ends and its modal closes`(
        removal: RootCoordinator.Message
    ) throws {
        let walker = try Walker(
            RootCoordinator { root in
                root.show()
                root.start(
                    ScriptedCoordinator { me in
                        me.show()
                        me.present(ScriptedCoordinator(), as: .sheet)
                    })
            })
        #expect(try walker.stacks == ["root[1, 2]", "sheet[3]"])
        try walker.tell("\"\(removal)\"")
        #expect(try !walker.stacks.contains("sheet[3]"))
        #expect(walker.tree.coordinatorCounts.finished == 2)
    }

    @Test func `a coordinator's modal closes when the screens of the coordinator's child are replaced`()
        throws
    {
        let walker = try Walker(
            RootCoordinator { root in
                root.start(
                    ScriptedCoordinator { me in
                        me.start(ScriptedCoordinator())
                        me.show(as: .sheet)
                    })
            })
        try walker.tell(#""replaceWithScreen""#)
        #expect(try walker.stacks == ["root[3]"])
        #expect(walker.tree.coordinatorCounts.live == 1)
    }

    @Test func `when a coordinator replaces screens, its own modals and its ancestors' modals stay`() throws {
        let walker = try Walker(
            RootCoordinator { root in
                root.show()
                root.present(StepScreen(), as: .sheet) { _, _ in }
                root.start(
                    ScriptedCoordinator(onEvent: [.one: { $0.replace(with: StepScreen()) { _, _ in } }]) { me in
                        me.show()
                        me.show(as: .sheet)
                    })
            })
        #expect(try walker.stacks == ["root[1, 3]", "sheet[2]", "sheet[4]"])
        try walker.send("one")
        #expect(try walker.stacks == ["root[5]", "sheet[2]", "sheet[4]"])
    }

    @Test func `a modal stays if its coordinator has no other screens, such as a login over new tabs`() throws {
        let walker = try Walker(
            RootCoordinator { root in
                root.show()
                root.start(ScriptedCoordinator { $0.show("login", as: .fullScreen) })
            })
        try walker.tell(#""tabs""#)
        #expect(try walker.stacks == ["home[3]", "chat[4]", "more[5]", "fullScreen[2]"])
    }

    @Test func `a modal stays if its coordinator has another screen`() throws {
        let walker = try Walker(
            RootCoordinator { root in
                root.show()
                root.start(
                    ScriptedCoordinator { me in
                        me.show()
                        me.show()
                        me.show(as: .sheet)
                    })
            })
        try walker.tell(#""pop""#)
        #expect(try walker.stacks == ["root[1, 2]", "sheet[4]"])
    }
}

/// A root that removes screens on request.
final class RootCoordinator: Coordinator<Never>, MessageReceiver {
    enum Message: String, Codable, CaseIterable {
        case tabs, replaceWithScreen, replaceWithViewModel, replaceWithChild, popToRoot, popToScreen, pop
    }

    private let onStart: (RootCoordinator) -> Void
    private var first = Handle<StepScreen>()

    init(onStart: @escaping (RootCoordinator) -> Void) {
        self.onStart = onStart
    }

    override func start() {
        onStart(self)
    }

    func show() {
        first = push(StepScreen()) { _, _ in }
    }

    func receive(_ message: Message) {
        switch message {
        case .tabs: tabs(Tab.self, selected: .home) { _, _ in ScriptedCoordinator() }
        case .replaceWithScreen: replace(with: StepScreen()) { _, _ in }
        case .replaceWithViewModel: replace(with: StepScreen(), keeping: Reference()) { _, _ in }
        case .replaceWithChild: replace(with: ScriptedCoordinator())
        case .popToRoot: popToRoot()
        case .popToScreen: pop(to: first)
        case .pop: pop()
        }
    }
}
