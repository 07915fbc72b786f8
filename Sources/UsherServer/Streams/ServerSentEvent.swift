/// What a session's stream says, as the HTML standard's section 9.2.5 has it.
enum ServerSentEvent {
    /// The session is over without a last state: it was deleted, or has expired.
    static let end = Array("event: end\ndata: {}\n\n".utf8)
    /// Nothing, to keep the connection alive.
    static let comment = Array(":\n\n".utf8)
    /// The client should come back after a second.
    static let retry = Array("retry: 1000\n\n".utf8)

    /// A state, whose JSON has no line feed: there are none between values, and those in strings are escaped.
    ///
    /// - Parameters:
    ///   - state: The JSON.
    ///   - id: The event's id.
    ///   - isAfterGap: Whether revisions before it were left out, which another event says first.
    static func state(_ state: [UInt8], id: String, afterGap isAfterGap: Bool) -> [UInt8] {
        var event: [UInt8] = []
        event.reserveCapacity(state.count + id.utf8.count + 64)
        if isAfterGap { event += "event: gap\ndata: {}\n\n".utf8 }
        event += "id: ".utf8
        event += id.utf8
        event += "\nevent: state\ndata: ".utf8
        event += state
        event += "\n\n".utf8
        return event
    }

    /// A revision as an event's id.
    static func id(_ revision: Int, _ epoch: String?) -> String {
        epoch.map { "\(revision).\($0)" } ?? "\(revision)"
    }
}
