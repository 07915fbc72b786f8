package import UsherProcess

/// A request to a running server for a copy of its journal, which no other process can read.
///
/// The message is `copy 1`. The answer is `copied` with the copy's name, `failed` with the reason, or `busy`.
package struct CopyRequest: Sendable {
    private let connection: LocalConnection

    /// Sends the request to the supervisor at a socket; nil if there is no supervisor.
    package init?(at place: LocalSocketPath) throws(SystemError) {
        guard let connection = try place.connect() else { return nil }
        connection.send(Takeover.copy)
        self.connection = connection
    }

    /// Waits for the answer until a time by the `MonotonicClock`; nil if there is no answer by then.
    package func answer(until time: Int64) -> JournalCopy? {
        guard let message = connection.receive(until: time) else { return nil }
        if let answer = JournalCopy(message.text) { return answer }
        return .failed(
            message.text == Takeover.busy
                ? "the running server is starting, stopping or making another copy; try again"
                : "the running server has ended, or its version cannot copy the journal for another server")
    }
}

/// The name of a journal's copy, which is in a folder beside the journal, or the reason why there is no copy.
package enum JournalCopy: Equatable, Sendable {
    case made(name: String)
    case failed(String)

    private static let made = "copied "
    private static let failed = "failed "

    /// Parses a message; nil if it is malformed.
    init?(_ text: String) {
        if text.hasPrefix(Self.made) {
            self = .made(name: String(text.dropFirst(Self.made.count)))
        } else if text.hasPrefix(Self.failed) {
            self = .failed(String(text.dropFirst(Self.failed.count)))
        } else {
            return nil
        }
    }

    /// The message, short enough to be sent in one piece.
    var text: String {
        switch self {
        case .made(let name): Self.made + name
        case .failed(let reason): Self.failed + String(decoding: reason.utf8.prefix(200), as: UTF8.self)
        }
    }
}
