package import UsherProcess

/// The supervisor that this one takes over from.
///
/// The messages are words: `take 1`, which the listening socket answers, or `busy`; `drain`, which `drained` answers as
/// soon as the worker is gone; then `ready`, which the predecessor's end answers. Whoever ends the connection before that has
/// given up. A predecessor that has waited for too long says `busy`, and serves again.
package final class Predecessor: Sendable {
    private let connection: LocalConnection
    /// A descriptor of the listening socket, which is the caller's to close; the predecessor keeps its own to the end.
    package let socket: Int32

    /// Asks the supervisor at a place for its socket.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `TakeoverError`, `SystemError`.
    package init?(at place: LocalSocketPath) throws {
        guard let connection = try place.connect() else { return nil }
        connection.send(Takeover.take)
        guard let answer = connection.receive(until: MonotonicClock.now + Self.answerTime),
            let socket = answer.descriptor
        else { throw TakeoverError.refused }
        self.connection = connection
        self.socket = socket.copy()
    }

    /// Has its worker drained, and waits until that is gone.
    ///
    /// - Throws: `TakeoverError`; the predecessor then goes on.
    package func drain() throws(TakeoverError) {
        connection.send(Takeover.drain)
        guard let answer = connection.receive(until: MonotonicClock.now + Self.drainTime) else { throw .notDrained }
        // A predecessor that has ended meanwhile has left a worker that drains, or none.
        guard [Takeover.drained, ""].contains(answer.text) else { throw .refused }
        // This process may have been frozen meanwhile.
        if answer.text == Takeover.drained, let next = connection.receive(until: 0), next.text == Takeover.busy {
            throw .tooLate
        }
    }

    /// Tells it that this supervisor's worker is ready, and waits until it has ended.
    ///
    /// - Returns: False if it has waited for too long, and serves again.
    func confirm() -> Bool {
        connection.send(Takeover.ready)
        return connection.receive(until: MonotonicClock.now + Self.answerTime)?.text != Takeover.busy
    }

    private static let answerTime: Int64 = 5_000_000_000
    private static let drainTime: Int64 = 60_000_000_000
}

/// The words by which one supervisor takes over from another.
enum Takeover {
    static let take = "take 1"
    static let socket = "socket"
    static let busy = "busy"
    static let drain = "drain"
    static let drained = "drained"
    static let ready = "ready"
    /// Asks for a copy of the journal, and not for the server's place.
    static let copy = "copy 1"
}

/// The reason why a running server cannot be replaced; it goes on.
package enum TakeoverError: Error, Equatable, CustomStringConvertible {
    /// It is stopping, is being replaced already, or speaks otherwise.
    case refused
    /// Its worker did not end in time.
    case notDrained
    /// This process has taken too long.
    case tooLate

    /// One sentence.
    package var description: String {
        switch self {
        case .refused: "the running server cannot be replaced now: it stops, or is being replaced; try again"
        case .notDrained: "the running server did not drain within a minute, and goes on"
        case .tooLate: "the running server has waited for over a minute, and goes on; try again"
        }
    }
}
