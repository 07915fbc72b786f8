import Usher
import UsherJSON
import UsherJournal

/// Repeats a recorded session step by step, and creates the steps of the export.
struct SessionExporter {
    private let creation: Creation
    /// Contains the tree after the inputs so far; an input that breaks the tree is rolled back.
    private var walk: Rehearsal
    private var translation: Translation

    init(_ creation: Creation, _ first: Entry) throws {
        self.creation = creation
        translation = Translation(first)
        walk = try Rehearsal { try creation.recordedTree(stateLimit: .max, handling: $0) }
    }

    private var tree: Tree { walk.tree }

    /// Handles an entry's input, and returns the input to send and the expected state after this input.
    ///
    /// - Throws: `Divergence` if the input leads to another visible screen than in the record.
    mutating func handle(_ entry: Entry) throws -> ExportedSession.Step {
        if entry.kind == .divergence { return try resume(at: entry) }
        let content = translation(try Self.content(of: entry, in: entry.payload))
        let known = entry.narrowingSecrets(by: creation.app)
        let masked = translation(try Self.content(of: entry, in: known.maskedPayload))
        let time = Timestamp(milliseconds: entry.time)
        let hasDueTimer = tree.work.compactMap(\.due).contains { $0 <= time }
        try handle(Input(content, at: time, isErased: entry.isErased), of: entry)
        translation.add(entry, screen: walk.steps.last?.identifiers.screen ?? 1, revision: tree.revision)
        try compare(entry)
        // The exported event needs no screen id, because only the visible screen can send an event.
        var body = JSONWriter()
        masked.withoutScreen.write(into: &body)
        return ExportedSession.Step(
            kind: content.kind, body: body.bytes, time: time, hasDueTimer: hasDueTimer,
            hasSecrets: !known.secrets.isEmpty, expectation: try expectation)
    }

    private mutating func resume(at entry: Entry) throws -> ExportedSession.Step {
        let time = Timestamp(milliseconds: entry.time)
        let hasDueTimer = tree.work.compactMap(\.due).contains { $0 <= time }
        let resumption = try Resumption(entry)
        do throws(Rejection) { try walk.resume(resumption, at: time) } catch {
            throw Divergence(entry, found: "a refusal: \(error.reason)")
        }
        // If the session began anew, its screens have higher ids in the record, but ids from 1 on in the repetition.
        let screen = resumption.revision == 0 ? 1 : walk.steps.last?.identifiers.screen ?? 1
        translation.add(entry, screen: screen, revision: tree.revision)
        try compare(entry)
        return ExportedSession.Step(
            kind: .resumption, body: entry.payload, time: time, hasDueTimer: hasDueTimer, expectation: try expectation)
    }

    private mutating func handle(_ input: Input, of entry: Entry) throws(Divergence) {
        do throws(Rejection) {
            guard try walk.handle(input) else { throw Rejection(.stale, "the input was handled before") }
        } catch {
            throw Divergence(entry, found: "a refusal: \(error.reason)")
        }
    }

    var expectation: ExportedSession.Expectation {
        get throws(JSONError) {
            let report = try JSONDocument(written: JSONWriter.object { tree.writeReport(into: &$0) }).root
            let state = try JSONDocument(written: JSONWriter.object { tree.writeState(into: &$0) }).root
            return ExportedSession.Expectation(
                stacks: report.stackNotation,
                warnings: state[member: "warnings"].map { $0.elements.compactMap(\.string) } ?? [])
        }
    }

    private func compare(_ entry: Entry) throws(Divergence) {
        let found = tree.visibleScreen
        guard entry.visible.prefix(while: { $0 != " " }) != found.prefix(while: { $0 != " " }) else { return }
        throw Divergence(entry, found: Replay.name(found))
    }

    private static func content(of entry: Entry, in payload: [UInt8]) throws(JSONError) -> InputContent {
        let payload = try JSONDocument(written: payload).root
        return try InputContent(
            payload: entry.kind == .inputDroppingLink ? payload[member: "input"] ?? payload : payload)
    }
}

extension InputContent {
    fileprivate var kind: ExportedSession.Step.Kind {
        switch self {
        case .action: .action
        case .result: .result
        case .timer: .timer
        case .refused: .refused
        case .message: .message
        }
    }

    fileprivate var withoutScreen: InputContent {
        switch self {
        case .action(.event(_, let event)): .action(.event(screen: nil, event: event))
        case .action(.back): .action(.back(screen: nil))
        default: self
        }
    }
}

/// Translates the ids of screens and effects in a recorded session into the ids in the repetition.
struct Translation {
    /// For each entry, the lowest id of a screen that the entry could show: in the record (`once`), and in the
    /// repetition (`now`).
    private var screens: [(once: Int, now: Int)]
    /// For each revision in the record, the revision in the repetition; the ids of effects contain revisions.
    private var revisions: [Int: Int]

    /// Creates a translation with a session's first entry, which has the revision 1 in the repetition.
    init(_ first: Entry) {
        (screens, revisions) = ([(once: first.before.screen, now: 1)], [first.revision: 1])
    }

    /// Adds an entry that was repeated.
    ///
    /// In the repetition, `screen` is the id of the first screen that the entry could show, and `revision` is the
    /// revision after the entry.
    mutating func add(_ entry: Entry, screen: Int, revision: Int) {
        screens.append((entry.before.screen, screen))
        revisions[entry.revision] = revision
    }

    /// Returns the same input with the ids of the repetition.
    func callAsFunction(_ content: InputContent) -> InputContent {
        switch content {
        case .action(let action): .action(translated(action))
        case .result(let id, let outcome): .result(translated(id), outcome)
        case .timer(let id): .timer(translated(id))
        case .refused(let id, let reason): .refused(translated(id), reason: reason)
        case .message: content
        }
    }

    private func translated(_ action: InputAction) -> InputAction {
        switch action {
        case .event(let screen, let event): .event(screen: screen.map(translated), event: event)
        case .popped(let screen): .popped(translated(screen))
        case .dismissed(let screen): .dismissed(translated(screen))
        case .back(let screen): .back(screen: screen.map(translated))
        case .select, .open: action
        }
    }

    private func translated(_ screen: Int) -> Int {
        guard let origin = screens.last(where: { $0.once <= screen }) else { return screen }
        return screen - origin.once + origin.now
    }

    private func translated(_ id: EffectID) -> EffectID {
        EffectID(revision: revisions[id.revision] ?? id.revision, index: id.index)
    }
}
