import Testing
import Usher
import UsherJSON

@Suite("Alerts")
struct AlertTests {
    @Test func `E-08: an alert above a sheet and tabs leaves before its handler runs`() throws {
        let root = tabs()
        let walker = try Walker(root)
        let seen = Reference()
        root.children[1].onEvent = [
            .one: { $0.show(as: .sheet) },
            .two: { $0.show(as: .alert) },
            .three: { me in
                seen.notes.append("\(me.handles.map { $0.id ?? 0 })")
                me.show(as: .alert)
            },
        ]
        try walker.send("one")
        try walker.send("two")
        #expect(try walker.stacks == ["home[1]", "chat[2]", "more[3]", "sheet[4]", "alert[5]"])
        try walker.send("three")
        #expect(seen.notes == ["[2, 4, 0]"])
        #expect(try walker.stacks == ["home[1]", "chat[2]", "more[3]", "sheet[4]", "alert[6]"])
        #expect(try walker.text("changes") == #"[{"dismiss":[5]},{"present":[6]}]"#)
        #expect(try walker.rejection(of: #"{"screen":5,"event":"three"}"#)?.kind == .stale)
    }

    @Test func `an action sheet, like an alert, leaves before its handler runs`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { $0.show("\($0.handles[1].id == nil)", as: .actionSheet) }]) { root in
                root.show()
                root.show(as: .actionSheet)
            })
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]", "actionSheet[3]"])
        #expect(try walker.notes == ["", "true"])
        #expect(try walker.text("changes") == #"[{"dismiss":[2]},{"present":[3]}]"#)
    }

    @Test func `an alert stays if it gets an unknown event`() throws {
        let walker = try Walker(alert())
        #expect(try walker.rejection(of: #"{"event":"four"}"#)?.kind == .invalid)
        #expect(try walker.stacks == ["root[1]", "alert[2]"])
    }

    @Test(arguments: [#"{"back":true}"#, #"{"dismissed":2}"#, #"{"popped":2}"#])
    func `an alert closes only by its own events`(action: String) throws {
        let walker = try Walker(alert())
        #expect(try walker.rejection(of: action)?.kind == .invalid)
        #expect(try walker.stacks == ["root[1]", "alert[2]"])
    }

    @Test func `an alert's view model gets the event after the alert has closed`() throws {
        let walker = try Walker(AskingCoordinator())
        try walker.send("one")
        #expect(try walker.stacks == ["root[1]"])
        #expect(try walker.text("stack").contains(#"{"note":"one"}"#))
        #expect(walker.tree.leaks == [])
    }

    @Test func `a coordinator whose only screen was an alert can finish from its handler`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.show()
                root.present(ScriptedCoordinator(onEvent: [.one: { $0.finish("yes") }]), as: .alert) { root, outcome in
                    root.handles[0].update { $0.note = "\(outcome)" }
                }
            })
        try walker.send("one")
        #expect(try walker.text("stack").contains("yes"))
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 2, finished: 1, leaked: 0))
    }

    private func alert() -> ScriptedCoordinator {
        ScriptedCoordinator { root in
            root.show()
            root.show(as: .alert)
        }
    }
}

/// A coordinator with an alert whose events go to a view model.
private final class AskingCoordinator: Coordinator<Never> {
    final class AnswerModel {
        weak var coordinator: AskingCoordinator?
        func answer(_ event: StepScreen.Event) { coordinator?.screen?.update { $0.note = event.rawValue } }
    }

    private var screen: Handle<StepScreen>?

    override func start() {
        screen = push(StepScreen()) { _, _ in }
        let model = AnswerModel()
        model.coordinator = self
        present(StepScreen(), as: .alert, keeping: model) { $0.answer($1) }
    }
}
