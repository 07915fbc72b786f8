import UsherProcess

/// One place at the database, of which a thread makes use: a connection that is made again when it is lost.
final class DatabaseLink {
    private(set) var location: PostgresLocation
    /// Seals what leaves through it.
    let seal: ContentSeal
    /// Makes a new connection fit for use; what it reads before is not to be believed.
    ///
    /// nil where there is only one connection.
    private let prepare: ((PostgresConnection, _ deadline: Int64) throws(PostgresFailure) -> Void)?
    private var connection: PostgresConnection? {
        didSet { if oldValue != nil, connection !== oldValue { losses += 1 } }
    }

    /// The number of connections that it has had, and has no longer.
    private(set) var losses = 0
    /// The number of losses in its `ConnectionStock` before its connection was made.
    var generation = 0

    /// The time at which an attempt to connect first failed, by the `MonotonicClock`; nil where none has since the last
    /// connection.
    ///
    /// Waits for a connection are counted from then: else each of those that wait for one behind another would wait anew.
    private(set) var outage: Int64?
    /// The reason why the last attempt failed.
    private var failure: PostgresFailure?
    private var backoff = RetryBackoff()
    /// The time of the next attempt.
    private var next: Int64 = 0

    /// In nanoseconds, the time that a statement has for its answer: more than the database waits for a lock.
    static let patience: Int64 = 6_000_000_000
    /// In nanoseconds, the time that a count of all sessions may take; it is taken over from a server that has it for longer
    /// than fifty seconds.
    static let countingPatience: Int64 = 40_000_000_000
    private let patience: Int64

    /// - Parameters:
    ///   - location: The database.
    ///   - keys: The keys that seal contents; nil where none is sealed.
    ///   - patience: The time that a statement has for its answer.
    ///   - prepare: Makes a new connection fit for use.
    init(
        to location: PostgresLocation, sealing keys: SealingKeys? = nil, patience: Int64 = DatabaseLink.patience,
        preparing prepare: @escaping (PostgresConnection, _ deadline: Int64) throws(PostgresFailure) -> Void
    ) {
        self.location = location
        seal = ContentSeal(keys)
        self.patience = patience
        self.prepare = prepare
    }

    /// Makes one of a connection, and never makes another.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - location: The database.
    ///   - keys: The keys that seal contents.
    init(keeping connection: PostgresConnection, to location: PostgresLocation, sealing keys: SealingKeys?) {
        self.connection = connection
        self.location = location
        seal = ContentSeal(keys)
        patience = Self.patience
        prepare = nil
    }

    /// Runs a statement.
    ///
    /// - Parameter deadline: By the `MonotonicClock`; a connection is not waited for beyond it.
    /// - Throws: `PostgresFailure`.
    func run(
        _ statement: PostgresStatement, _ parameters: Parameters = Parameters(), by deadline: Int64
    ) throws(PostgresFailure) -> ResultRows {
        let connection = try connection(by: deadline)
        do throws(PostgresFailure) {
            return try connection.run(statement, parameters, by: MonotonicClock.now + patience)
        } catch {
            if connection.isBroken || error.kind == .unanswered || error.kind == .wrongServer { self.connection = nil }
            throw error
        }
    }

    /// Waits for notifications.
    ///
    /// - Parameters:
    ///   - other: A descriptor that ends the wait when it can be read from.
    ///   - deadline: By the `MonotonicClock`.
    /// - Returns: Their texts.
    /// - Throws: `PostgresFailure`.
    func notifications(or other: Int32, by deadline: Int64) throws(PostgresFailure) -> [String] {
        let connection = try connection(by: MonotonicClock.now)
        do throws(PostgresFailure) { return try connection.notifications(or: other, by: deadline) } catch {
            self.connection = nil
            throw error
        }
    }

    /// True while it has a connection, as far as it knows.
    var isConnected: Bool { connection.map { !$0.isBroken } ?? false }

    /// Finds out whether the database has closed the connection while it was idle.
    func noticeEnd() { connection?.noticeEnd() }

    /// Connects, unless it is connected; once, and not before the pause after the last failure is over.
    ///
    /// - Throws: `PostgresFailure`.
    func connect() throws(PostgresFailure) { _ = try connection(by: MonotonicClock.now) }

    /// Lets go of the connection.
    func close() {
        connection = nil
    }

    private func connection(by deadline: Int64) throws(PostgresFailure) -> PostgresConnection {
        if let connection, !connection.isBroken { return connection }
        connection = nil
        guard let prepare else {
            throw PostgresFailure(.configuration, "its connection is lost")
        }
        while true {
            let pause = max(0, next - MonotonicClock.now)
            guard pause == 0 || MonotonicClock.now + pause < deadline else {
                // Whoever asks again before the deadline must not do so without a pause.
                SystemThread.pause(nanoseconds: max(0, deadline - MonotonicClock.now))
                throw failure ?? PostgresFailure(.unconnected, "there is no connection")
            }
            if pause > 0 { SystemThread.pause(nanoseconds: pause) }
            do throws(PostgresFailure) {
                let made = try connect(preparing: prepare)
                (connection, outage, failure, backoff) = (made, nil, nil, RetryBackoff())
                return made
            } catch {
                let now = MonotonicClock.now
                (outage, failure, next) = (outage ?? now, error.unsent, now + backoff.next())
                guard now < deadline else { throw error.unsent }
            }
        }
    }

    /// Makes a connection; a host on which it cannot be made fit for use is tried behind the others from then on.
    ///
    /// The first that takes writes may be an old primary that has come back, and that nobody follows any more.
    private func connect(
        preparing prepare: (PostgresConnection, _ deadline: Int64) throws(PostgresFailure) -> Void
    ) throws(PostgresFailure) -> PostgresConnection {
        let made = try PostgresConnection(to: location)
        do throws(PostgresFailure) { try prepare(made, MonotonicClock.now + Self.patience) } catch {
            location.hosts.postpone(made.host)
            throw error
        }
        location.hosts.prefer(made.host)
        return made
    }
}

/// The pauses between attempts: exponential backoff with jitter, so that servers do not all come back at the same moment.
struct RetryBackoff {
    private var step: Int64 = 0

    private static let shortest: Int64 = 50_000_000
    /// In nanoseconds, the longest pause.
    static let longest: Int64 = 2_000_000_000

    /// The next pause, in nanoseconds: longer each time.
    mutating func next() -> Int64 {
        step = min(Self.longest, max(Self.shortest, step * 2))
        return Int64.random(in: (step / 2)...step)
    }

    /// The next pause before a deadline; the last ends there.
    ///
    /// - Parameter now: By the `MonotonicClock`, as the deadline.
    /// - Returns: nil from the deadline on.
    mutating func next(at now: Int64, until deadline: Int64) -> Int64? {
        now < deadline ? min(next(), deadline - now) : nil
    }
}

extension PostgresFailure {
    /// The same failure of a connection that could not even be made: nothing was sent on it.
    var unsent: PostgresFailure {
        switch kind {
        case .unanswered, .undone: PostgresFailure(.unconnected, message)
        default: self
        }
    }
}
