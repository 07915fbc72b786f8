package import UsherJSON

/// An input with its time.
///
/// Only inputs change a tree. Coordinators are deterministic, so a tree is a function of its creation and its inputs.
package struct Input: Sendable {
    /// The content.
    package let content: InputContent
    /// The time of the input, which is the coordinators' clock.
    package let time: Timestamp
    /// The handling of a deep link: of the link in this input, or of the waiting link.
    package let link: LinkHandling
    /// A Boolean value indicating whether the input's secrets were erased and replaced by null.
    package let isErased: Bool

    /// Creates an input.
    package init(
        _ content: InputContent, at time: Timestamp, link: LinkHandling = .follow, isErased: Bool = false
    ) {
        self.content = content
        self.time = time
        self.link = link
        self.isErased = isErased
    }

    /// Creates an input from a user's action.
    package init(
        _ action: InputAction, at time: Timestamp, link: LinkHandling = .follow, isErased: Bool = false
    ) {
        self.init(.action(action), at: time, link: link, isErased: isErased)
    }

    /// Returns the same input with another way to handle a link.
    package func handling(link: LinkHandling) -> Input {
        Input(content, at: time, link: link, isErased: isErased)
    }
}

/// The content of an input: a user's action, or an event of the session itself.
///
/// A client's request is decoded as an `InputAction`, so a client cannot send the other kinds.
package enum InputContent: Sendable {
    /// A user's action.
    case action(InputAction)
    /// An effect has ended.
    case result(EffectID, EffectOutcome)
    /// A timer is due.
    case timer(EffectID)
    /// The closure of an effect or a timer failed, and the closure's changes were undone. The closure is not called
    /// again.
    case refused(EffectID, reason: String)
    /// A message from a backend.
    case message(JSONValue)

    /// A summary without private data, such as `back` or `event close`.
    package var summary: String {
        switch self {
        case .action(let action): action.summary
        case .result: "result"
        case .timer: "timer"
        case .refused: "refused"
        case .message: "message"
        }
    }

    /// Returns the input to try after the closure of an effect or timer has failed; nil if this input ends no work.
    ///
    /// An effect's closure is called again, with a failure that contains the reason why the result was refused. If that
    /// call fails too, or if the work is a timer, the work ends without another call.
    package func refused(_ reason: String) -> InputContent? {
        if case .result(let id, _) = self, !isRefusal { return .result(id, .failure(.resultRefused(reason))) }
        return discarded(reason)
    }

    /// A Boolean value indicating whether this input is the failure that reports the refusal of an earlier result to a
    /// closure.
    package var isRefusal: Bool {
        guard case .result(_, .failure(let failure)) = self else { return false }
        return failure.code == EffectFailure.refusalCode
    }

    /// Returns the input that ends the same work as this input, but without a call of the work's closure; nil if this
    /// input ends no work.
    package func discarded(_ reason: String) -> InputContent? {
        switch self {
        case .result(let id, _), .timer(let id), .refused(let id, _): .refused(id, reason: reason)
        case .action, .message: nil
        }
    }
}

extension Input {
    /// Decodes an input from the payload of an entry in the journal.
    ///
    /// - Throws: `JSONError` if the payload has another shape.
    package init(
        payload: JSONValue, at time: Timestamp, link: LinkHandling = .follow, isErased: Bool = false
    ) throws(JSONError) {
        self.init(try InputContent(payload: payload), at: time, link: link, isErased: isErased)
    }

    /// A summary without private data, such as `back` or `event close`.
    package var summary: String { content.summary }

    /// Appends the payload of the input's entry in the journal, as `InputContent.write(into:secrets:)` does.
    @discardableResult
    package func write(into writer: inout JSONWriter, secrets: SecretPlaces = SecretPlaces()) -> [Range<Int>] {
        content.write(into: &writer, secrets: secrets)
    }
}

extension InputContent {
    /// Decodes the payload of an entry in the journal; throws if the payload has another shape.
    package init(payload: JSONValue) throws(JSONError) {
        if let id = payload[member: "effect"] {
            self = .result(try Self.id(id), try Self.outcome(payload))
        } else if let id = payload[member: "timer"] {
            self = .timer(try Self.id(id))
        } else if let id = payload[member: "refused"] {
            guard let reason = payload[member: "reason"]?.string else {
                throw payload.error("expected the member \"reason\"")
            }
            self = .refused(try Self.id(id), reason: reason)
        } else if let message = payload[member: "message"] {
            self = .message(message)
        } else {
            self = .action(try InputAction(payload))
        }
    }

    /// Appends the payload of the entry in the journal.
    ///
    /// An action has the form in which clients send it. Other inputs have forms that no client can send.
    ///
    /// - Parameter secrets: The places of the input's secrets, from the tree that accepted the input.
    /// - Returns: The places of secrets in the writer's bytes: whole JSON values, in order.
    @discardableResult
    package func write(into writer: inout JSONWriter, secrets: SecretPlaces = SecretPlaces()) -> [Range<Int>] {
        if case .action(let action) = self { return action.write(into: &writer, secrets: secrets) }
        var ranges: [Range<Int>] = []
        writer.beginObject()
        switch self {
        case .action: break
        case .result(let id, let outcome):
            writer.member("effect", id.description)
            ranges = Self.write(outcome, into: &writer, secrets: secrets)
        case .timer(let id):
            writer.member("timer", id.description)
        case .refused(let id, let reason):
            writer.member("refused", id.description)
            writer.member("reason", reason)
        case .message(let message):
            writer.key("message")
            ranges = secrets.write(message: message, into: &writer)
        }
        writer.endObject()
        return ranges
    }

    private static func write(
        _ outcome: EffectOutcome, into writer: inout JSONWriter, secrets: SecretPlaces
    ) -> [Range<Int>] {
        switch outcome {
        case .success(let output):
            writer.key("success")
            return secrets.write(output: output, into: &writer)
        case .failure(let failure):
            writer.key("failure")
            writer.beginObject()
            writer.member("code", failure.code)
            writer.member("message", failure.message)
            writer.endObject()
            return []
        }
    }

    private static func id(_ value: JSONValue) throws(JSONError) -> EffectID {
        guard let id = value.string.flatMap({ EffectID($0) }) else {
            throw value.error("expected the name of an effect, such as \"7.1\"")
        }
        return id
    }

    private static func outcome(_ payload: JSONValue) throws(JSONError) -> EffectOutcome {
        if let output = payload[member: "success"] { return .success(Array(output.bytes)) }
        guard let failure = payload[member: "failure"] else {
            throw payload.error("expected the member \"success\" or \"failure\"")
        }
        return .failure(try failure.decode(EffectFailure.self))
    }
}
