import Usher
import UsherJSON

extension AppUnderTest {
    /// The screens on display, bottom to top.
    public var screens: [ShownScreen] {
        state?[member: "stack"]?.elements.map(ShownScreen.init) ?? []
    }

    /// The screen that the user can see all of, the only one that can send events.
    public var visible: ShownScreen? { screens.last }

    /// How many inputs have counted, the opening included.
    public var revision: Int { state?[member: "revision"]?.integer ?? 0 }

    /// All stacks, those of hidden tabs included: `n[start, login]`, or
    /// `tab(home){home[home, search], chat[chatList]} ⊕ fullScreen[login]`.
    public var stack: String { report?.stackNotation ?? "n[]" }

    /// The coordinators by their types without `Coordinator`: `App→[TabBar→[Home, Chat]]`.
    public var tree: String { report?[member: "root"]?.treeNotation ?? "" }

    /// The names of what the session waits for, `timer` for a timer, and `open` for a link.
    public var pending: [String] {
        state?[member: "pending"]?.elements.compactMap(\.string) ?? []
    }

    /// What came of the newest input, as JSON: `[{"pop":[2]},{"push":[3]}]`.
    public var changes: String { text("changes") }

    /// Whether back would do anything now, as JSON: `true`, `false`, or `{"refused":"why"}`.
    public var backState: String { text("back") }

    /// What the engine warns of since the newest input.
    public var warnings: [String] {
        state?[member: "warnings"]?.elements.compactMap(\.string) ?? []
    }

    var ending: String { state?[member: "ended"]?.text ?? "it goes on" }

    private func text(_ member: String) -> String {
        state?[member: member]?.text ?? ""
    }
}
