import Testing
import Usher
import UsherJSON

@Suite("Tabs")
struct TabTests {
    @Test func `all tabs start at once, in the order of their cases`() throws {
        let walker = try Walker(tabs())
        #expect(try walker.stacks == ["home[1]", "chat[2]", "more[3]"])
        #expect(try walker.stack == ["step#2"])
        #expect(try walker.text("tabs") == #"{"selected":"chat","names":["home","chat","more"]}"#)
        #expect(walker.tree.coordinatorCounts.live == 4)
    }

    @Test func `the selected tab is shown, and every tab keeps its stack`() throws {
        let walker = try Walker(tabs())
        try walker.send("one")
        try walker.handle(#"{"select":"home"}"#)
        #expect(try walker.text("changes") == #"[{"select":"home"}]"#)
        #expect(try walker.stack == ["step#1"])
        #expect(try walker.stacks == ["home[1]", "chat[2, 4]", "more[3]"])
        try walker.handle(#"{"select":"chat"}"#)
        #expect(try walker.stack == ["step#2", "step#4"])
    }

    @Test func `selecting the selected tab again notifies the tabs' owner`() throws {
        let root = tabs()
        let walker = try Walker(root)
        try walker.handle(#"{"select":"chat"}"#)
        #expect(root.ended == ["reselected chat"])
        #expect(walker.tree.revision == 2)
        #expect(try walker.text("changes") == "[]")
    }

    @Test func `when the owner of the tabs ends, the tabs leave too`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.start(tabs(onEvent: [.one: { $0.finish("") }], parent: true)) { root, _ in root.show() }
            })
        try walker.handle(#"{"select":"home"}"#)
        try walker.send("one")
        #expect(try walker.stacks == ["root[4]"])
        #expect(try walker.state[member: "tabs"] == nil)
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 5, finished: 4, leaked: 0))
    }

    @Test func `replace(with:) on the lowest stack removes the tabs and all their coordinators`() throws {
        let root = tabs()
        let walker = try Walker(root)
        root.children.first?.onEvent[.two] = { [weak root] _ in root?.replace(with: ScriptedCoordinator()) }
        try walker.handle(#"{"select":"home"}"#)
        try walker.send("two")
        #expect(try walker.stacks == ["root[4]"])
        #expect(walker.tree.coordinatorCounts == CoordinatorCounts(created: 5, finished: 3, leaked: 0))
        #expect(try walker.rejection(of: #"{"select":"home"}"#)?.reason == "there are no tabs to select")
    }

    @Test func `screens and children that the owner adds go onto the selected tab`() throws {
        let root = tabs()
        let walker = try Walker(root)
        root.children[1].onEvent[.two] = { [weak root] _ in
            root?.show()
            root?.start(ScriptedCoordinator())
        }
        try walker.send("two")
        #expect(try walker.stacks == ["home[1]", "chat[2, 4, 5]", "more[3]"])
    }

    @Test func `a tab whose only screen leaves is empty, and the other tabs stay`() throws {
        let root = tabs()
        let walker = try Walker(root)
        root.children[1].onEvent[.two] = { $0.finish("") }
        try walker.send("two")
        #expect(try walker.stacks == ["home[1]", "chat[]", "more[3]"])
        #expect(try walker.text("warnings").contains("empty"))
        try walker.handle(#"{"select":"more"}"#)
        #expect(try walker.stack == ["step#3"])
    }

    @Test(arguments: [
        (#"{"select":"five"}"#, Rejection.Kind.invalid, "home, chat, more"), (#"{"select":""}"#, .invalid, "home"),
        (#"{"popped":1}"#, .stale, "hidden tab"), (#"{"popped":2}"#, .invalid, "root"),
        (#"{"dismissed":2}"#, .invalid, "first screen of a modal"),
        (#"{"dismissed":1}"#, .invalid, "first screen of a modal"),
        (#"{"screen":1,"event":"one"}"#, .stale, "hidden tab"), (#"{"back":true}"#, .invalid, "root"),
        (#"{"open":["home"]}"#, .invalid, "no links"),
    ])
    func `an input that is impossible while tabs are shown is refused`(
        action: String, kind: Rejection.Kind, words: String
    ) throws {
        let walker = try Walker(tabs())
        let rejection = try #require(try walker.rejection(of: action))
        #expect(rejection.kind == kind)
        #expect(rejection.reason.contains(words), "\(rejection.reason)")
    }

    @Test func `no tab can be selected under a modal`() throws {
        let root = tabs()
        let walker = try Walker(root)
        root.children[1].onEvent[.two] = { $0.show(as: .sheet) }
        try walker.send("two")
        #expect(try walker.rejection(of: #"{"select":"home"}"#)?.kind == .stale)
        #expect(try walker.rejection(of: #"{"popped":2}"#)?.kind == .stale)
    }

    @Test func `a modal of a hidden tab is shown over everything`() throws {
        let root = tabs()
        let walker = try Walker(root)
        root.children[1].onEvent[.two] = { [weak root] _ in root?.children[0].show(as: .sheet) }
        try walker.send("two")
        #expect(try walker.stacks == ["home[1]", "chat[2]", "more[3]", "sheet[4]"])
        #expect(try walker.stack == ["step#2", "step#4"])
    }
}

enum Tab: String, CaseIterable { case home, chat, more }

/// Returns a coordinator with three tabs, the second of which is selected; the first event of a tab shows a screen.
///
/// - Parameters:
///   - onEvent: The closures of the tabs' events.
///   - parent: Whether the coordinator of the tabs runs the closures.
func tabs(
    onEvent: [StepScreen.Event: ScriptedCoordinator.Script] = [.one: { $0.show() }], parent: Bool = false
) -> ScriptedCoordinator {
    ScriptedCoordinator { owner in
        owner.tabs(Tab.self, selected: .chat) { owner, _ in
            let child = ScriptedCoordinator(onEvent: onEvent)
            if parent { child.onEvent = onEvent.mapValues { script in { [weak owner] _ in try owner.map(script) } } }
            owner.children.append(child)
            return child
        }
    }
}
