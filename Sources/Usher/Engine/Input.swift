package import UsherJSON

/// An input: all that can change a tree once it stands, and the moment it came.
///
/// Coordinators are deterministic, so a tree is a function of its creation and its inputs.
package struct Input: Sendable {
    /// The content.
    package let content: InputContent
    /// When it came: the coordinators' clock.
    package let time: Timestamp
    /// The handling of a link, the one that waits or the one that it brings.
    package let link: LinkHandling
    /// Set where its secrets were erased: null stands in their places.
    package let isErased: Bool

    /// Makes an input.
    ///
    /// - Parameters:
    ///   - content: What it is.
    ///   - time: When it came.
    ///   - link: What is done with a link; it is followed unless that has failed.
    ///   - isErased: Whether its secrets were erased: null stands in their places.
    package init(
        _ content: InputContent, at time: Timestamp, link: LinkHandling = .follow, isErased: Bool = false
    ) {
        self.content = content
        self.time = time
        self.link = link
        self.isErased = isErased
    }

    /// Makes an input of what a user did.
    ///
    /// - Parameters:
    ///   - action: What the user did.
    ///   - time: When it came.
    ///   - link: What is done with a link; it is followed unless that has failed.
    ///   - isErased: Whether its secrets were erased: null stands in their places.
    package init(
        _ action: InputAction, at time: Timestamp, link: LinkHandling = .follow, isErased: Bool = false
    ) {
        self.init(.action(action), at: time, link: link, isErased: isErased)
    }

    /// The same input with the link handled otherwise.
    ///
    /// - Parameter link: What is done with a link.
    package func handling(link: LinkHandling) -> Input {
        Input(content, at: time, link: link, isErased: isErased)
    }
}

/// The content of an input: what a user did, or what the session itself has to tell its tree.
///
/// A client's request is read as an `InputAction` alone, and can be none of the others.
package enum InputContent: Sendable {
    /// The user did something.
    case action(InputAction)
    /// An effect has come to its end.
    case result(EffectID, EffectOutcome)
    /// A timer has come due.
    case timer(EffectID)
    /// The closure of an effect or a timer has failed, and was undone: it is called no more.
    case refused(EffectID, reason: String)
    /// A backend tells the session something.
    case message(JSONValue)

    /// The summary, without what may be private, such as `back` or `event close`.
    package var summary: String {
        switch self {
        case .action(let action): action.summary
        case .result: "result"
        case .timer: "timer"
        case .refused: "refused"
        case .message: "message"
        }
    }

    /// The end of work whose closure has failed, as it is handed in next.
    ///
    /// An effect's closure gets a failure that says why its result was refused. If the closure fails at that as well, or is a
    /// timer's, the work is over without a call.
    ///
    /// - Parameter reason: The reason.
    /// - Returns: nil for an input that ends no work.
    package func refused(_ reason: String) -> InputContent? {
        if case .result(let id, _) = self, !isRefusal { return .result(id, .failure(.resultRefused(reason))) }
        return discarded(reason)
    }

    /// True of a result that tells its closure that another one was refused.
    package var isRefusal: Bool {
        guard case .result(_, .failure(let failure)) = self else { return false }
        return failure.code == EffectFailure.refusalCode
    }

    /// The end of work whose closure must not be called.
    ///
    /// - Parameter reason: The reason.
    /// - Returns: nil for an input that ends no work.
    package func discarded(_ reason: String) -> InputContent? {
        switch self {
        case .result(let id, _), .timer(let id), .refused(let id, _): .refused(id, reason: reason)
        case .action, .message: nil
        }
    }
}

extension Input {
    /// Reads an input from what the journal keeps of it.
    ///
    /// - Parameters:
    ///   - payload: What the journal keeps of it.
    ///   - time: When it came.
    ///   - link: What is done with a link.
    ///   - isErased: Whether its secrets were erased: null stands in their places.
    /// - Throws: `JSONError` for another shape.
    package init(
        payload: JSONValue, at time: Timestamp, link: LinkHandling = .follow, isErased: Bool = false
    ) throws(JSONError) {
        self.init(try InputContent(payload: payload), at: time, link: link, isErased: isErased)
    }

    /// The summary, without what may be private, such as `back` or `event close`.
    package var summary: String { content.summary }

    /// Appends what the journal keeps of it.
    ///
    /// - Parameters:
    ///   - writer: Where to append.
    ///   - secrets: Where secrets stand in it, as the tree says that has accepted it.
    /// - Returns: Where in the writer's bytes secrets stand: whole JSON values, in order.
    @discardableResult
    package func write(into writer: inout JSONWriter, secrets: SecretPlaces = SecretPlaces()) -> [Range<Int>] {
        content.write(into: &writer, secrets: secrets)
    }
}

extension InputContent {
    /// Reads what the journal keeps of an input.
    ///
    /// - Throws: `JSONError` for another shape.
    package init(payload: JSONValue) throws(JSONError) {
        if let id = payload[member: "effect"] {
            self = .result(try Self.id(id), try Self.outcome(payload))
        } else if let id = payload[member: "timer"] {
            self = .timer(try Self.id(id))
        } else if let id = payload[member: "refused"] {
            guard let reason = payload[member: "reason"]?.string else { throw payload.error("expected a reason") }
            self = .refused(try Self.id(id), reason: reason)
        } else if let message = payload[member: "message"] {
            self = .message(message)
        } else {
            self = .action(try InputAction(payload))
        }
    }

    /// Appends what the journal keeps of an input: an action as a client would send it, the others each in a shape that
    /// no client can send.
    ///
    /// - Parameters:
    ///   - writer: Where to append.
    ///   - secrets: Where secrets stand in it, as the tree says that has accepted it.
    /// - Returns: Where in the writer's bytes secrets stand: whole JSON values, in order.
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
        guard let failure = payload[member: "failure"] else { throw payload.error("expected a success or a failure") }
        return .failure(try failure.decode(EffectFailure.self))
    }
}
