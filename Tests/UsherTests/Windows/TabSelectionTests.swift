import Testing
import Usher
import UsherJSON

/// Tests of a user's tap on another tab, which the owner of the tabs can prevent, and is notified of.
@Suite("Tabs, selected by the user")
struct TabSelectionTests {
    @Test func `the tabs' owner is asked before a selection and notified after the selection`() throws {
        let root = tabs()
        root.onSelect = { _, _ in true }
        let walker = try Walker(root)
        try walker.handle(#"{"select":"home"}"#)
        #expect(root.ended == ["asked for home", "selected home"])
        #expect(try walker.text("changes") == #"[{"select":"home"}]"#)
    }

    @Test func `if the owner does not allow a selection, the input is accepted and changes nothing`() throws {
        let root = tabs()
        root.onSelect = { _, _ in false }
        let walker = try Walker(root)
        #expect(try walker.handle(#"{"select":"home"}"#))
        #expect(root.ended == ["asked for home"])
        #expect(walker.tree.revision == 2)
        #expect(try walker.text("changes") == "[]")
        #expect(try walker.text("tabs") == #"{"selected":"chat","names":["home","chat","more"]}"#)
    }

    @Test func `an owner that does not allow a selection can do something else instead`() throws {
        let root = tabs()
        root.onSelect = { me, _ in
            me.show(as: .sheet)
            return false
        }
        let walker = try Walker(root)
        try walker.handle(#"{"select":"home"}"#)
        #expect(try walker.stacks == ["home[1]", "chat[2]", "more[3]", "sheet[4]"])
        #expect(try walker.text("changes") == #"[{"present":[4]}]"#)
    }

    @Test func `if the owner refuses a selection with an error, the tree is unchanged`() throws {
        let root = tabs()
        root.onSelect = { _, tab in throw Refusal("no \(tab) today") }
        let walker = try Walker(root)
        let rejection = try walker.rejection(of: #"{"select":"home"}"#)
        #expect(rejection?.kind == .refused)
        #expect(rejection?.reason == "no home today")
    }

    @Test func `the owner is not asked when the selected tab is tapped again, nor when the owner itself selects a tab`()
        throws
    {
        let root = tabs()
        root.onSelect = { _, _ in false }
        let walker = try Walker(root)
        root.children[1].onEvent[.two] = { [weak root] _ in root?.select(Tab.more) }
        try walker.handle(#"{"select":"chat"}"#)
        try walker.send("two")
        #expect(root.ended == ["reselected chat"])
        #expect(try walker.stack == ["step#3"])
    }

    @Test func `a tab is not selected if the owner replaces the tabs when it is asked`() throws {
        let root = tabs()
        root.onSelect = { me, _ in
            me.replace(with: StepScreen()) { _, _ in }
            return true
        }
        let walker = try Walker(root)
        try walker.handle(#"{"select":"home"}"#)
        #expect(root.ended.contains("selected home") == false)
        #expect(try walker.stacks == ["root[4]"])
    }

    @Test func `only the coordinator that owns the tabs is asked about a selection`() throws {
        let root = ScriptedCoordinator { root in
            root.start(tabs(onEvent: [:]))
        }
        root.onSelect = { _, _ in false }
        let walker = try Walker(root)
        try walker.handle(#"{"select":"home"}"#)
        #expect(root.ended == [])
        #expect(try walker.stack == ["step#1"])
    }
}
