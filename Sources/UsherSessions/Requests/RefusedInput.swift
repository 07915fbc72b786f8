import Usher
import UsherJSON

/// An input that a session has refused, as its operator is told of it: no entry of the journal, and gone with the session's
/// memory.
package struct RefusedInput: Equatable, Sendable {
    /// The number of those that are kept of a session, at most.
    package static let limit = 64

    /// Its number among those of the session, since that is in memory.
    package let number: Int
    /// The revision at which the session stood, where the refusal has told it.
    package let revision: Int?
    /// The time at which it came: milliseconds since 1970.
    package let time: Int64
    /// The status of the answer.
    package let status: Int
    /// The answer's one sentence.
    package let reason: String
    /// The input as JSON, with secrets masked; nil for a body that was none, and for one too large to keep.
    package let input: [UInt8]?

    /// About the bytes that it takes.
    fileprivate var size: Int { 128 + reason.utf8.count + (input?.count ?? 0) }
}

/// The inputs of one session that were refused last.
struct RefusedInputs {
    /// The newest last.
    private(set) var inputs: [RefusedInput] = []
    private var count = 0
    private var size = 0

    /// The bytes of all at most.
    static let sizeLimit = 64 * 1024
    /// The bytes of an input, and of a reason, that are kept at most.
    private static let partLimit = 8 * 1024

    /// Notes an input; the oldest make room.
    ///
    /// - Returns: The input as it is kept.
    mutating func note(
        _ input: [UInt8]?, status: Int, _ reason: String, at time: Int64, upon revision: Int?
    ) -> RefusedInput {
        count += 1
        let refused = RefusedInput(
            number: count, revision: revision, time: time, status: status,
            reason: reason.utf8.count > Self.partLimit ? "\(reason.prefix(Self.partLimit / 4))…" : reason,
            input: input.flatMap { $0.count > Self.partLimit ? nil : $0 })
        inputs.append(refused)
        size += refused.size
        while inputs.count > RefusedInput.limit || size > Self.sizeLimit { size -= inputs.removeFirst().size }
        return refused
    }
}

extension InputContent {
    /// The input as the journal would have it, with secrets masked: by the types that the app lists, and where none of them
    /// knows it, all but the name of its case.
    func masked(in apps: [any App.Type], at current: Snapshot?) -> [UInt8] {
        let state = current.flatMap { try? JSONDocument(parsing: $0.state).root }
        let app = state?[member: "app"]?.string.flatMap { apps.app(named: $0) }
        var writer = JSONWriter()
        switch self {
        case .action(.event(let screen, let event)):
            let visible = state?[member: "stack"].flatMap { Array($0.elements).last }
            // One that names another screen is of a type that is not known.
            let isKnown = screen == nil || screen == visible?[member: "id"]?.integer
            let name = isKnown ? visible?[member: "screen"]?.string : nil
            writer.beginObject()
            if let screen { writer.member("screen", screen) }
            writer.key("event")
            writer.raw(name.flatMap { app?.masked(event: event, of: $0) } ?? event.maskedCase)
            writer.endObject()
        case .action(.open(let steps)):
            writer.beginObject()
            writer.key("open")
            writer.beginArray()
            for step in steps { writer.raw(app?.masked(step)?.json ?? step.maskedCase) }
            writer.endArray()
            writer.endObject()
        case .message(let message):
            writer.beginObject()
            writer.key("message")
            writer.raw(message.maskedCase)
            writer.endObject()
        case .action, .result, .timer, .refused: write(into: &writer)
        }
        return writer.bytes
    }
}

extension JSONValue {
    /// A case with its payload masked as a whole.
    fileprivate var maskedCase: [UInt8] {
        guard let (name, payload) = caseNameAndPayload else { return Array("\"…\"".utf8) }
        guard let payload, !payload.isEmptyObject else { return Array(bytes) }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(name, "…")
        writer.endObject()
        return writer.bytes
    }
}
