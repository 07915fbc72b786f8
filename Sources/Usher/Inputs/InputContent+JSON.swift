package import UsherJSON

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
            writer.key("effect")
            writer.string(id.description)
            ranges = Self.write(outcome, into: &writer, secrets: secrets)
        case .timer(let id):
            writer.key("timer")
            writer.string(id.description)
        case .refused(let id, let reason):
            writer.key("refused")
            writer.string(id.description)
            writer.key("reason")
            writer.string(reason)
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
            writer.key("code")
            writer.string(failure.code)
            writer.key("message")
            writer.string(failure.message)
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
