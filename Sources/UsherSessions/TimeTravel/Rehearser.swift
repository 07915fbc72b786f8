import Usher
import UsherJSON
import UsherJournal

/// Walks a session again, the way a server would that gets nothing but the inputs that counted.
struct SessionExporter {
    private var creation: Creation
    private let limits: Limits
    private var tree: Tree
    /// What was handled, with the ids that were free before.
    private var handled: [(input: Input, identifiers: NextIdentifiers)] = []
    private var translation = Translation()

    init(_ creation: Creation, limits: Limits) throws {
        self.creation = creation
        self.limits = limits
        tree = try self.creation.firstTree(limits: limits)
    }

    /// Handles an entry's input.
    ///
    /// - Returns: What to send, and what it leads to.
    /// - Throws: `Divergence` where it does not lead to the same screen.
    mutating func handle(_ entry: Entry) throws -> ExportedSession.Step {
        let content = translation(try Self.content(of: entry, in: entry.payload))
        let masked = translation(try Self.content(of: entry, in: entry.maskedPayload))
        let time = Timestamp(milliseconds: entry.time)
        let hasDueTimer = tree.work.compactMap(\.due).contains { $0 <= time }
        try handle(Input(content, at: time, isErased: entry.isErased), of: entry)
        translation.add(entry, screen: handled.last?.identifiers.screen ?? 1, revision: tree.revision)
        try compare(entry)
        let (body, hasSecrets) = body(content, masked: masked, of: entry)
        return ExportedSession.Step(
            kind: content.kind, body: body, time: time, hasDueTimer: hasDueTimer, hasSecrets: hasSecrets,
            outcome: try outcome)
    }

    private func body(
        _ content: InputContent, masked: InputContent, of entry: Entry
    ) -> (json: [UInt8], hasSecrets: Bool) {
        var writer = JSONWriter()
        guard case .action(.open(let steps)) = content, case .action(.open(let maskedSteps)) = masked else {
            // That it was the visible screen's goes without saying: no other can have been heard.
            masked.withoutScreen.write(into: &writer)
            return (writer.bytes, !entry.secrets.isEmpty)
        }
        let link = MaskedLink(steps, masked: maskedSteps, app: creation.app, isErased: entry.isErased)
        writer.beginObject()
        writer.key("open")
        writer.beginArray()
        for step in link.steps { writer.raw(step) }
        writer.endArray()
        writer.endObject()
        return (writer.bytes, link.hasSecrets)
    }

    private mutating func handle(_ first: Input, of entry: Entry) throws {
        var input = first
        while true {
            let identifiers = tree.identifiers
            do throws(Rejection) {
                guard try tree.handle(input) else { throw Rejection(.stale, "it was known already") }
                return handled.append((input, identifiers))
            } catch {
                guard let retry = error.retry else {
                    throw Divergence(entry, found: "a refusal: \(error.reason)")
                }
                input = input.handling(link: retry)
                try startOver()
            }
        }
    }

    /// Builds the tree as it was before an input that broke it; ids that were spent stay spent.
    private mutating func startOver() throws {
        let spent = tree.identifiers
        tree = try creation.tree(limits: limits)
        for (input, identifiers) in handled {
            tree.advance(to: identifiers)
            _ = try tree.handle(input)
        }
        tree.advance(to: spent)
    }

    /// What the tree shows.
    var outcome: ExportedSession.Outcome {
        get throws(JSONError) {
            let report = try Self.object { tree.writeReport(into: &$0) }
            let state = try Self.object { tree.writeState(into: &$0) }
            return ExportedSession.Outcome(
                stacks: report.stackNotation,
                warnings: state[member: "warnings"].map { $0.elements.compactMap(\.string) } ?? [])
        }
    }

    private static func object(_ write: (inout JSONWriter) -> Void) throws(JSONError) -> JSONValue {
        var writer = JSONWriter()
        writer.beginObject()
        write(&writer)
        writer.endObject()
        return try JSONDocument(parsing: writer.bytes).root
    }

    private func compare(_ entry: Entry) throws(Divergence) {
        let found = tree.visibleScreen
        guard entry.visible.prefix(while: { $0 != " " }) != found.prefix(while: { $0 != " " }) else { return }
        throw Divergence(entry, found: Replay.name(found))
    }

    private static func content(of entry: Entry, in payload: [UInt8]) throws(JSONError) -> InputContent {
        let payload = try JSONDocument(parsing: payload).root
        return try InputContent(
            payload: entry.kind == .inputDroppingLink ? payload[member: "input"] ?? payload : payload)
    }
}

extension InputContent {
    /// Where it comes from.
    fileprivate var kind: ExportedSession.Step.Kind {
        switch self {
        case .action: .action
        case .result: .result
        case .timer: .timer
        case .refused: .refused
        case .message: .message
        }
    }

    /// The same, without the screen that an event comes from.
    fileprivate var withoutScreen: InputContent {
        guard case .action(.event(_, let event)) = self else { return self }
        return .action(.event(screen: nil, event: event))
    }
}
