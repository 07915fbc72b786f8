import Usher
import UsherJSON
import UsherJournal

extension Input {
    /// The kind of its entry.
    var entryKind: Entry.Kind {
        switch link {
        case .follow: .input
        case .keep: .inputKeepingLink
        case .drop: .inputDroppingLink
        }
    }

    /// Writes its payload in an entry, an action as a client would send it; where a link was dropped, in an object with
    /// the reason.
    ///
    /// - Parameters:
    ///   - places: The places of secrets in the action.
    ///   - writer: An empty one.
    /// - Returns: The places of secrets in the writer's bytes: whole JSON values, in order.
    func writePayload(_ places: SecretPlaces, into writer: inout JSONWriter) -> [Range<Int>] {
        guard case .drop(let reason) = link else { return write(into: &writer, secrets: places) }
        writer.beginObject()
        writer.key("reason")
        writer.string(reason)
        writer.key("input")
        let secrets = write(into: &writer, secrets: places)
        writer.endObject()
        return secrets
    }

    /// Reads an input back.
    ///
    /// - Throws: `JSONError` for a payload of another shape.
    init(_ entry: Entry) throws(JSONError) {
        let payload = try JSONDocument(parsing: entry.payload).root
        let time = Timestamp(milliseconds: entry.time)
        guard entry.kind == .inputDroppingLink else {
            try self.init(
                payload: payload, at: time, link: entry.kind == .inputKeepingLink ? .keep : .follow,
                isErased: entry.isErased)
            return
        }
        guard let input = payload[member: "input"], let reason = payload[member: "reason"]?.string else {
            throw payload.error("expected an input, and why its link was dropped")
        }
        try self.init(payload: input, at: time, link: .drop(reason), isErased: entry.isErased)
    }
}

extension Entry {
    /// The input without what may be private, such as `event close`.
    var summary: String {
        switch kind {
        case .creation: "create"
        case .divergence: "divergence"
        case .input, .inputKeepingLink, .inputDroppingLink: (try? Input(self))?.summary ?? "input"
        }
    }
}

/// The rule by which an input is tried again, on a tree as it was before, where it failed only because of a link.
struct LinkRetry {
    /// The handling of a link by the next attempt.
    private(set) var handling = LinkHandling.follow

    /// Follows a rejection.
    ///
    /// - Returns: False where the input itself was at fault, and is not tried again.
    mutating func adapt(to rejection: Rejection) -> Bool {
        guard let retry = rejection.retry else { return false }
        handling = retry
        return true
    }
}
