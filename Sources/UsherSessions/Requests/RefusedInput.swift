import Usher
import UsherJSON

/// An input that a session refused, for the operator.
///
/// Refused inputs are not in the journal, and are lost when the session leaves memory.
package struct RefusedInput: Equatable, Sendable {
    /// The largest number of refused inputs that are kept per session.
    package static let limit = 64

    /// The number of this refused input, counted since the session came into memory.
    package let number: Int
    /// The session's revision, if the answer reported the revision.
    package let revision: Int?
    /// The time of the input, in milliseconds since 1970.
    package let time: Int64
    /// The HTTP status of the answer.
    package let status: Int
    /// The reason in the answer, as one sentence.
    package let reason: String
    /// The input as JSON with masked secrets; `nil` if the body was not an input or is too large to keep.
    package let input: [UInt8]?

    /// The approximate number of bytes that this value takes.
    fileprivate var size: Int { 128 + reason.utf8.count + (input?.count ?? 0) }
}

/// The newest refused inputs of one session.
struct RefusedInputs {
    /// The inputs, oldest first.
    private(set) var inputs: [RefusedInput] = []
    private var count = 0
    private var size = 0

    /// The largest total size, in bytes.
    static let sizeLimit = 64 * 1024
    /// The largest size of an input or a reason, in bytes; a longer reason is shortened, and a larger input is not
    /// stored.
    private static let partLimit = 8 * 1024

    /// Adds an input and returns its stored form; if there are then too many inputs, removes the oldest ones.
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
    /// Returns the input as the journal would record it, with secrets masked according to the types that the app lists.
    ///
    /// If the app lists no type for an event or a flow, only the name of its case stays. Of a message, only this name
    /// stays, too.
    func masked(in apps: [any App.Type], at current: Snapshot?) -> [UInt8] {
        let state = current.flatMap { try? JSONDocument(parsing: $0.state).root }
        let app = state?[member: "app"]?.string.flatMap { apps.app(named: $0) }
        var writer = JSONWriter()
        switch self {
        case .action(.event(let screen, let event)):
            let visible = state?[member: "stack"].flatMap { Array($0.elements).last }
            // If the event is for a covered screen, the type of the event is unknown.
            let isKnown = screen == nil || screen == visible?[member: "id"]?.integer
            let name = isKnown ? visible?[member: "screen"]?.string : nil
            writer.object {
                if let screen { $0.member("screen", screen) }
                $0.member("event", raw: name.flatMap { app?.masked(event: event, of: $0) } ?? event.maskedCase)
            }
        case .action(.open(let steps)):
            writer.object { $0.array("open", of: steps) { $0.raw(app?.masked($1)?.json ?? $1.maskedCase) } }
        case .message(let message): writer.object { $0.member("message", raw: message.maskedCase) }
        case .action, .result, .timer, .refused: write(into: &writer)
        }
        return writer.bytes
    }
}

extension JSONValue {
    /// The case of an enumeration as JSON, with the whole payload masked.
    fileprivate var maskedCase: [UInt8] {
        guard let (name, payload) = caseNameAndPayload else { return Array("\"…\"".utf8) }
        guard let payload, !payload.isEmptyObject else { return Array(bytes) }
        return JSONWriter.object { $0.member(name, "…") }
    }
}
