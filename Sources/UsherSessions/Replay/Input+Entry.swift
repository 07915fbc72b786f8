import Usher
import UsherJSON
import UsherJournal

extension Input {
    /// Which kind of entry it is.
    var entryKind: Entry.Kind {
        switch link {
        case .follow: .input
        case .keep: .inputKeepingLink
        case .drop: .inputDroppingLink
        }
    }

    /// Writes what an entry keeps of it, an action as a client would send it; where a link was dropped, in an object with
    /// the reason.
    ///
    /// - Parameters:
    ///   - places: Where secrets stand in the action.
    ///   - writer: An empty one.
    /// - Returns: Where in the writer's bytes secrets stand: whole JSON values, in order.
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
