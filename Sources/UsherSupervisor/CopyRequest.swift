package import UsherProcess

/// A request to the server that runs for a copy of its journal, which no other process can read meanwhile.
///
/// The message `copy 1` is answered by `copied` with the copy's name, by `failed` with the reason, or by `busy`.
package struct CopyRequest: Sendable {
    private let connection: LocalConnection

    /// Asks the supervisor at a place.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `SystemError`.
    package init?(at place: LocalSocketPath) throws(SystemError) {
        guard let connection = try place.connect() else { return nil }
        connection.send(Takeover.copy)
        self.connection = connection
    }

    /// Waits for the answer.
    ///
    /// - Parameter time: By the `MonotonicClock`.
    /// - Returns: nil if there is none by then.
    package func answer(until time: Int64) -> JournalCopy? {
        guard let message = connection.receive(until: time) else { return nil }
        if let answer = JournalCopy(message.text) { return answer }
        return .failed(
            message.text == Takeover.busy
                ? "the running server is starting, stopping or making another copy; try again"
                : "the running server has ended, or its version cannot copy the journal for another server")
    }
}

/// A copy of a journal beside the journal, or the reason why there is none.
package enum JournalCopy: Equatable, Sendable {
    /// The name of the copy's file.
    case made(name: String)
    /// One sentence.
    case failed(String)

    private static let made = "copied "
    private static let failed = "failed "

    /// Reads a message; nil for another one.
    init?(_ text: String) {
        if text.hasPrefix(Self.made) {
            self = .made(name: String(text.dropFirst(Self.made.count)))
        } else if text.hasPrefix(Self.failed) {
            self = .failed(String(text.dropFirst(Self.failed.count)))
        } else {
            return nil
        }
    }

    /// The message, in one piece of the link.
    var text: String {
        switch self {
        case .made(let name): Self.made + name
        case .failed(let reason): Self.failed + String(decoding: reason.utf8.prefix(200), as: UTF8.self)
        }
    }
}
