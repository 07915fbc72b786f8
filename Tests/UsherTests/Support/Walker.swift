import Testing
import Usher
import UsherJSON

/// Drives a tree without a session.
final class Walker {
    let tree: Tree
    /// The inputs that were accepted.
    private(set) var inputs: [Input] = []
    private var time: Int64 = 0

    init(
        _ root: AnyCoordinator, seed: UInt64 = 1, limits: Limits = Limits(), audience: SessionAudience = .silent
    ) throws {
        tree = try Tree(
            root: root, seed: seed, time: Timestamp(milliseconds: 0), limits: limits, audience: audience)
    }

    init(_ tree: Tree) {
        self.tree = tree
    }

    /// Handles an action in a client's form, one second after the previous one.
    @discardableResult
    func handle(_ action: String, link: LinkHandling = .follow) throws -> Bool {
        let json = try JSONDocument(parsing: Array(action.utf8)).root
        return try handle(.action(try InputAction(json)), link: link)
    }

    /// Handles an input, one second after the previous one.
    @discardableResult
    func handle(_ content: InputContent, link: LinkHandling = .follow) throws -> Bool {
        time += 1_000
        let input = Input(content, at: Timestamp(milliseconds: time), link: link)
        let counted = try tree.handle(input)
        if counted { inputs.append(input) }
        return counted
    }

    @discardableResult
    func send(_ event: String) throws -> Bool {
        try handle(#"{"event":"\#(event)"}"#)
    }

    @discardableResult
    func back() throws -> Bool {
        try handle(#"{"back":true}"#)
    }

    /// Returns the reason why an action is rejected; nil if it is accepted.
    func rejection(of action: String) throws -> Rejection? {
        do {
            try handle(action)
            return nil
        } catch let rejection as Rejection {
            return rejection
        }
    }

    /// Expects an action to be rejected as invalid, for a reason that contains these words.
    func expectInvalid(_ action: String, naming words: String, at location: SourceLocation = #_sourceLocation) throws {
        let rejection = try #require(try rejection(of: action), sourceLocation: location)
        #expect(rejection.kind == .invalid, sourceLocation: location)
        #expect(rejection.reason.contains(words), "\(rejection.reason)", sourceLocation: location)
    }

    var state: JSONValue {
        get throws { try object { $0.writeState(into: &$1) } }
    }

    var report: JSONValue {
        get throws { try object { $0.writeReport(into: &$1) } }
    }

    /// The names of the screens on display with their ids, such as `step#1`.
    var stack: [String] {
        get throws {
            try state[member: "stack"]?.elements.map { entry in
                "\(entry[member: "screen"]?.string ?? "")#\(entry[member: "id"]?.integer ?? 0)"
            } ?? []
        }
    }

    /// All stacks with the ids of their screens, including hidden tabs: `home[1, 2]`, `chat[3]`, `sheet[4]`.
    var stacks: [String] {
        get throws {
            try report[member: "stacks"]?.elements.map { stack in
                let ids = stack[member: "screens"]?.elements.compactMap { $0[member: "id"]?.integer } ?? []
                return "\(stack[member: "tab"]?.string ?? stack[member: "shown"]?.string ?? "")\(ids)"
            } ?? []
        }
    }

    /// Returns the text of a member of the state.
    func text(_ member: String) throws -> String {
        try state[member: member].map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    }

    private func object(_ write: (Tree, inout JSONWriter) -> Void) throws -> JSONValue {
        var writer = JSONWriter()
        writer.beginObject()
        write(tree, &writer)
        writer.endObject()
        return try JSONDocument(parsing: writer.bytes).root
    }
}
