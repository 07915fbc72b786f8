/// What a session's stream says, as the HTML standard's section 9.2.5 has it.
enum ServerSentEvent {
    /// Some revisions were left out; the newest state follows.
    static let gap = Array("event: gap\ndata: {}\n\n".utf8)
    /// The session is over without a last state: it was deleted, or has expired.
    static let end = Array("event: end\ndata: {}\n\n".utf8)
    /// Nothing, to keep the connection alive.
    static let comment = Array(":\n\n".utf8)
    /// The client should come back after a second.
    static let retry = Array("retry: 1000\n\n".utf8)

    /// A state; its JSON has no line feed.
    static func state(_ state: [UInt8], id: String) -> [UInt8] {
        Array("id: \(id)\nevent: state\ndata: ".utf8) + state.filter { $0 != 0x0A && $0 != 0x0D } + [0x0A, 0x0A]
    }

    /// A revision as an event's id.
    static func id(_ revision: Int, _ epoch: String?) -> String {
        epoch.map { "\(revision).\($0)" } ?? "\(revision)"
    }
}
