import Testing
import Usher
import UsherJSON

/// A user's tap on another tab, of which the owner of the tabs is asked and told.
@Suite("Tabs, selected by the user")
struct TabSelectionTests {
    @Test func `the owner is asked first and told afterwards`() throws {
        let root = tabs()
        root.onSelect = { _, _ in true }
        let walker = try Walker(root)
        try walker.handle(#"{"select":"home"}"#)
        #expect(root.ended == ["asked for home", "selected home"])
        #expect(try walker.text("changes") == #"[{"select":"home"}]"#)
    }

    @Test func `a tap that is not allowed counts and changes nothing`() throws {
        let root = tabs()
        root.onSelect = { _, _ in false }
        let walker = try Walker(root)
        #expect(try walker.handle(#"{"select":"home"}"#))
        #expect(root.ended == ["asked for home"])
        #expect(walker.tree.revision == 2)
        #expect(try walker.text("changes") == "[]")
        #expect(try walker.text("tabs") == #"{"selected":"chat","names":["home","chat","more"]}"#)
    }

    @Test func `who does not allow it may do something else instead`() throws {
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

    @Test func `a refusal leaves everything as it was`() throws {
        let root = tabs()
        root.onSelect = { _, tab in throw Refusal("no \(tab) today") }
        let walker = try Walker(root)
        let rejection = try walker.rejection(of: #"{"select":"home"}"#)
        #expect(rejection?.kind == .refused)
        #expect(rejection?.reason == "no home today")
    }

    @Test func `the owner is neither asked for the selected tab, nor for what it selects itself`() throws {
        let root = tabs()
        root.onSelect = { _, _ in false }
        let walker = try Walker(root)
        root.children[1].onEvent[.two] = { [weak root] _ in root?.select(Tab.more) }
        try walker.handle(#"{"select":"chat"}"#)
        try walker.send("two")
        #expect(root.ended == ["reselected chat"])
        #expect(try walker.stack == ["step#3"])
    }

    @Test func `tabs that are gone once the owner was asked are not selected`() throws {
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

    @Test func `the owner of other tabs is asked for nothing`() throws {
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
