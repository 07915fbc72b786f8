import Testing

@testable import UsherClient

struct ViewOperationTests {
    /// A state, the next state, and the operations between them.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: JSON?
        let after: JSON
        let operations: [JSON]

        init(_ name: String, _ before: JSON?, _ after: JSON, _ operations: [JSON]) {
            testDescription = name
            self.before = before
            self.after = after
            self.operations = operations
        }
    }

    private static func stack(_ screens: [JSON], tab: JSON? = nil, changes: JSON = []) -> JSON {
        var more = ["changes": changes]
        more["tabs"] = tab.map { ["selected": $0, "names": ["home", "chat"]] }
        return state(1, stack: .array(screens), more: more)
    }

    private static let chat: JSON = ["select": ["selected": "chat", "names": ["home", "chat"]]]
    private static let rows = [
        Row(
            "a first state is inserted from the bottom", nil, stack([screen(1), screen(2)]),
            [["insert": screen(1), "at": 0], ["insert": screen(2), "at": 1]]),
        Row(
            "screens that left are removed from the top, before new screens are inserted",
            stack([screen(1), screen(2), screen(3)]),
            stack([screen(1), screen(4)]), [["remove": 3], ["remove": 2], ["insert": screen(4), "at": 1]]),
        Row(
            "only the screen in mid-stack that left is removed", stack([screen(1), screen(2), screen(3)]),
            stack([screen(1), screen(3)]), [["remove": 2]]),
        Row(
            "a screen that changes its place is removed and inserted", stack([screen(1), screen(2)]),
            stack([screen(2), screen(1)]), [["remove": 1], ["insert": screen(1), "at": 1]]),
        Row(
            "equal states need no operation", stack([screen(1, state: ["a": 1, "b": [2]])]),
            stack([screen(1, state: ["b": [2], "a": 1.0])]), []),
        Row(
            "a changed state is an update", stack([screen(1)]), stack([screen(1, state: ["count": 1])]),
            [["update": screen(1, state: ["count": 1])]]),
        Row(
            "changed events are an update", stack([screen(1, events: ["go": [:]])]), stack([screen(1), screen(2)]),
            [["insert": screen(2), "at": 1], ["update": screen(1)]]),
        Row(
            "selecting a tab hides the screens of the previous tab", stack([screen(1), screen(2)], tab: "home"),
            stack([screen(3)], tab: "chat"),
            [["remove": 2, "hidden": true], ["remove": 1, "hidden": true], chat, ["insert": screen(3), "at": 0]]),
        Row(
            "a screen that was popped while the tab changed is not hidden but removed",
            stack([screen(1), screen(2)], tab: "home"),
            stack([screen(3)], tab: "chat", changes: [["pop": [2]], ["select": "chat"]]),
            [["remove": 2], ["remove": 1, "hidden": true], chat, ["insert": screen(3), "at": 0]]),
        Row(
            "a screen that was replaced while the tab changed is not hidden but removed",
            stack([screen(1)], tab: "home"),
            stack([screen(3)], tab: "chat", changes: [["replace": ["out": [1], "in": [2]]], ["select": "chat"]]),
            [["remove": 1], chat, ["insert": screen(3), "at": 0]]),
        Row(
            "a modal over a tab is removed, not hidden", stack([screen(1), screen(2, shown: "sheet")], tab: "home"),
            stack([screen(3)], tab: "chat"),
            [["remove": 2], ["remove": 1, "hidden": true], chat, ["insert": screen(3), "at": 0]]),
        Row(
            "tabs that are gone are deselected", stack([screen(1)], tab: "home"), stack([screen(2)]),
            [["remove": 1], ["select": nil], ["insert": screen(2), "at": 0]]),
    ]

    @Test("each change from one state to another gives the expected operations", arguments: rows)
    func operations(row: Row) throws {
        let before: SessionState? = try row.before?.decoded()
        #expect(ViewOperation.leading(from: before, to: try row.after.decoded()).map(\.json) == row.operations)
    }

    @Test("the operations between any two stacks turn the first stack into the second stack")
    func anyToAny() throws {
        let random = SeededRandom(16)
        let view = ScreenList()
        var before: SessionState?
        for _ in 0..<500 {
            let ids = (1...6).filter { _ in random.next() < 0.6 }.map { ($0, random.next()) }.sorted { $0.1 < $1.1 }
            let screens = ids.map { screen(Int64($0.0), state: ["count": .integer(Int64(random.next() * 2))]) }
            let tab: JSON? = random.next() < 0.5 ? nil : random.next() < 0.5 ? "home" : "chat"
            let after: SessionState = try Self.stack(screens, tab: tab).decoded()
            view.hear(.state(after, ViewOperation.leading(from: before, to: after)))
            #expect(view.screens == after.stack)
            #expect(view.tabs == after.tabs)
            before = after
        }
    }
}
