package import UsherProcess

/// The supervisor that this supervisor replaces.
///
/// The messages are words. The predecessor answers `take 1` with the listening socket or with `busy`. The predecessor
/// answers `drain` with `drained` once its worker is gone, and answers `ready` by ending. If either side closes the
/// connection earlier, that side has given up. A predecessor that has waited too long sends `busy` and serves again.
package final class Predecessor: Sendable {
    private let connection: LocalConnection
    /// A descriptor of the listening socket, which the caller must close; the predecessor has its own until it ends.
    package let socket: Int32

    /// Requests the socket from the supervisor at a path; nil if there is no supervisor.
    ///
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

    /// Makes the predecessor drain its worker, and waits until the worker is gone.
    ///
    /// - Throws: `TakeoverError`; the predecessor then continues.
    package func drain() throws(TakeoverError) {
        connection.send(Takeover.drain)
        guard let answer = connection.receive(until: MonotonicClock.now + Self.drainTime) else { throw .notDrained }
        // No text means that the predecessor has ended: its worker drains or is gone.
        guard [Takeover.drained, ""].contains(answer.text) else { throw .refused }
        // This process may have been frozen after that answer, and the predecessor may have given up in the meantime.
        if answer.text == Takeover.drained, let next = connection.receive(until: 0), next.text == Takeover.busy {
            throw .tooLate
        }
    }

    /// Reports that the worker is ready, and waits for the predecessor's end; `false` if the predecessor serves again.
    func confirm() -> Bool {
        connection.send(Takeover.ready)
        return connection.receive(until: MonotonicClock.now + Self.answerTime)?.text != Takeover.busy
    }

    private static let answerTime: Int64 = 5_000_000_000
    private static let drainTime: Int64 = 60_000_000_000
}

/// The messages by which one supervisor takes over from another.
enum Takeover {
    static let take = "take 1"
    static let socket = "socket"
    static let busy = "busy"
    static let drain = "drain"
    static let drained = "drained"
    static let ready = "ready"
    static let copy = "copy 1"
}

/// The reason why a running server cannot be replaced; that server continues.
package enum TakeoverError: Error, Equatable, CustomStringConvertible {
    /// The server is stopping, is already being replaced, or uses another protocol.
    case refused
    /// The running server's worker did not end in time.
    case notDrained
    /// This process took too long, so the running server serves again.
    case tooLate

    package var description: String {
        switch self {
        case .refused: "the running server cannot be replaced now, because it is stopping or being replaced; try again"
        case .notDrained: "the running server did not drain within a minute, and continues"
        case .tooLate: "the running server waited for over a minute, and continues; try again"
        }
    }
}
