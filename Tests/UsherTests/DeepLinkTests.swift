import Testing
import Usher
import UsherJSON

@Suite("Deep links")
struct DeepLinkTests {
    @Test(arguments: [
        (#"{"open":["nowhere"]}"#, "it takes: room, locked"), (#"{"open":[{"room":{}}]}"#, "number"),
        (#"{"open":[{"room":{"number":"x"}}]}"#, "/open/0/room/number"),
        (#"{"open":[{"room":{"number":1,"x":1}}]}"#, "\"x\""),
        (#"{"open":[{"room":{"number":1}},"room"]}"#, "/open/1"),
        (#"{"open":[{"locked":{"x":1}}]}"#, "locked"),
    ])
    func `if a link has an invalid flow, the link is refused and the error says what is wrong`(
        action: String, words: String
    ) throws {
        try Walker(HouseCoordinator()).expectInvalid(action, naming: words)
    }

    @Test(arguments: [
        (#"{"open":[]}"#, "list of flows"), (#"{"open":"room"}"#, "list of flows"), (#"{"open":null}"#, "list"),
        (#"{"open":[5]}"#, "flow's name"), (#"{"open":[{}]}"#, "flow's name"),
        (#"{"open":[{"room":{},"locked":{}}]}"#, "flow's name"),
        (#"{"open":["room"],"screen":1}"#, "only with \"event\""),
        (#"{"select":5}"#, "name of a tab"), (#"{"select":null}"#, "name of a tab"),
        (#"{"select":"a","back":true}"#, "exactly one of"), (#"{"popped":1.5}"#, "whole number"),
        (#"{"popped":99999999999999999999}"#, "whole number"), (#"{"popped":[1]}"#, "whole number"),
        (#"{"dismissed":"x"}"#, "whole number"), (#"{"dismissed":true}"#, "whole number"),
    ])
    func `an input with an invalid shape is refused, and the error says what is valid`(action: String, words: String)
        throws
    {
        let json = try JSONDocument(parsing: Array(action.utf8)).root
        let error = try #require(throws: JSONError.self) { try InputAction(json) }
        #expect(error.description.contains(words), "\(error)")
    }

    @Test(arguments: [Int.min, -1, 0, 2, Int.max])
    func `a report about a screen that never existed is stale`(id: Int) throws {
        let walker = try Walker(HouseCoordinator())
        for fact in ["popped", "dismissed"] {
            #expect(try walker.rejection(of: #"{"\#(fact)":\#(id)}"#)?.kind == .stale)
        }
        #expect(try walker.rejection(of: #"{"screen":\#(id),"event":"enter"}"#)?.kind == .stale)
        #expect(walker.tree.revision == 1)
    }

    @Test func `a link closes only the modals that cover the link's target`() throws {
        let walker = try Walker(HouseCoordinator())
        try walker.send("ask")
        #expect(try walker.stacks == ["root[1]", "sheet[2]"])
        try walker.handle(#"{"open":[{"room":{"number":7}}]}"#)
        #expect(try walker.stacks == ["root[1, 3]"])
        #expect(try walker.text("changes") == #"[{"dismiss":[2]},{"push":[3]}]"#)
    }

    @Test func `a link that must wait is pending until an input lets it open`() throws {
        let walker = try Walker(HouseCoordinator())
        try walker.handle(#"{"open":["locked"]}"#)
        #expect(try walker.text("pending") == #"["open"]"#)
        #expect(try walker.stacks == ["root[1]"])
        try walker.send("ask")
        #expect(try walker.text("pending") == #"["open"]"#)
        try walker.back()
        try walker.send("enter")
        #expect(try walker.text("pending") == "[]")
        #expect(try walker.stacks == ["root[1, 3]"])
    }
}

/// A house with rooms, one of which opens only after the user has entered another.
private final class HouseCoordinator: Coordinator<Never>, FlowHost {
    struct DoorScreen: Screen {
        enum Event: Codable, CaseIterable { case enter, ask }
    }
    enum Flow: Codable { case room(number: Int), locked }
    static let examples: [Flow] = [.room(number: 1), .locked]

    private var isOpen = false
    private let rooms: (Int) -> ScriptedCoordinator

    init(rooms: @escaping (Int) -> ScriptedCoordinator = { _ in ScriptedCoordinator() }) {
        self.rooms = rooms
    }

    override func start() {
        push(DoorScreen()) { me, event in
            switch event {
            case .enter: me.isOpen = true
            case .ask: me.present(StepScreen(), as: .sheet) { _, _ in }
            }
        }
    }

    func open(_ flow: Flow) throws -> (any FlowHost)? {
        switch flow {
        case .room(let number): start(rooms(number))
        case .locked:
            guard isOpen else { throw Later() }
            start(rooms(0))
        }
        return nil
    }
}
