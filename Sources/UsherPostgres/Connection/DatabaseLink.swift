import Synchronization
import UsherProcess

/// A connection to the database that is replaced when it is lost.
///
/// Only one thread at a time may use the link.
final class DatabaseLink {
    private(set) var location: PostgresLocation
    let seal: ContentSeal
    /// Prepares a new connection, after which data that was read over an earlier connection must not be trusted.
    private let prepare: (PostgresConnection, _ deadline: Int64) throws(PostgresFailure) -> Void
    private var connection: PostgresConnection? {
        didSet {
            if oldValue != nil, connection !== oldValue { losses += 1 }
            connected.store(connection != nil, ordering: .relaxed)
        }
    }

    private let connected = Atomic(false)
    private(set) var losses = 0
    /// The value of the counter of losses in `ConnectionStock` at the time when this link's connection was made.
    var generation = 0

    /// The time of the first failed attempt to connect since the last connection, by the `MonotonicClock`; nil if no
    /// attempt has failed.
    ///
    /// The time limit for getting a connection starts at this time. If it started with each call, callers that wait one
    /// after the other would each wait for the full time.
    private(set) var outage: Int64?
    private var failure: PostgresFailure?
    private var backoff = RetryBackoff()
    private var next: Int64 = 0

    /// The time limit of a statement in nanoseconds, which is longer than the time that the database waits for a lock.
    static let patience: Int64 = 6_000_000_000
    /// The time limit of a count of all sessions, and of an inspection's statements, in nanoseconds.
    ///
    /// It is shorter than fifty seconds, because after that time another server takes over the count.
    static let countingPatience: Int64 = 40_000_000_000
    private let patience: Int64

    /// Creates a link that connects when it is first used, and does not encrypt contents if there are no keys.
    init(
        to location: PostgresLocation, sealing keys: SealingKeys? = nil, patience: Int64 = DatabaseLink.patience,
        preparing prepare: @escaping (PostgresConnection, _ deadline: Int64) throws(PostgresFailure) -> Void
    ) {
        self.location = location
        seal = ContentSeal(keys)
        self.patience = patience
        self.prepare = prepare
    }

    /// Runs a statement.
    ///
    /// - Parameter deadline: The time until which to wait for a connection, by the `MonotonicClock`.
    func run(
        _ statement: String, _ parameters: [Parameter] = [], by deadline: Int64
    ) throws(PostgresFailure) -> ResultRows {
        let connection = try connection(by: deadline)
        do throws(PostgresFailure) {
            return try connection.run(statement, parameters, by: MonotonicClock.now + patience)
        } catch {
            if connection.isBroken || error.kind == .unanswered || error.kind == .wrongServer { self.connection = nil }
            throw error
        }
    }

    /// Waits for notifications, and returns their texts.
    ///
    /// - Parameters:
    ///   - other: A descriptor that ends the wait when it becomes readable.
    ///   - deadline: The end of the wait, by the `MonotonicClock`.
    func notifications(or other: Int32, by deadline: Int64) throws(PostgresFailure) -> [String] {
        let connection = try connection(by: MonotonicClock.now)
        do throws(PostgresFailure) { return try connection.notifications(or: other, by: deadline) } catch {
            self.connection = nil
            throw error
        }
    }

    /// A Boolean value that indicates whether the link has a connection; any thread may read this value.
    var isConnected: Bool { connected.load(ordering: .relaxed) }

    /// Detects whether the database has closed the idle connection.
    func noticeEnd() {
        connection?.noticeEnd()
        if connection?.isBroken == true { close() }
    }

    /// Tries once to connect if there is no connection, or throws the last failure if the pause after it is not over.
    func connect() throws(PostgresFailure) { _ = try connection(by: MonotonicClock.now) }

    func close() {
        connection = nil
    }

    private func connection(by deadline: Int64) throws(PostgresFailure) -> PostgresConnection {
        if let connection { return connection }
        while true {
            let pause = max(0, next - MonotonicClock.now)
            guard pause == 0 || MonotonicClock.now + pause < deadline else {
                // Waits before it throws, so that a caller that tries again in a loop makes a pause.
                SystemThread.pause(nanoseconds: max(0, deadline - MonotonicClock.now))
                throw failure ?? PostgresFailure(.unconnected, "there is no connection")
            }
            if pause > 0 { SystemThread.pause(nanoseconds: pause) }
            do throws(PostgresFailure) {
                let made = try makeConnection()
                (connection, outage, failure, backoff) = (made, nil, nil, RetryBackoff())
                return made
            } catch {
                let now = MonotonicClock.now
                (outage, failure, next) = (outage ?? now, error.unsent, now + backoff.next())
                guard now < deadline else { throw error.unsent }
            }
        }
    }

    /// Makes a connection, and moves the connection's host to the end of the list if preparing the connection fails.
    ///
    /// The first host that accepts writes may be a former primary that has come back without replicas.
    private func makeConnection() throws(PostgresFailure) -> PostgresConnection {
        let made = try PostgresConnection(to: location)
        do throws(PostgresFailure) { try prepare(made, MonotonicClock.now + Self.patience) } catch {
            location.hosts.postpone(made.host)
            throw error
        }
        location.hosts.prefer(made.host)
        return made
    }
}

/// The pauses between attempts: exponential backoff with jitter, so that servers do not all connect again at the same
/// time.
struct RetryBackoff {
    private var step: Int64 = 0

    private static let shortest: Int64 = 50_000_000
    /// The longest pause in nanoseconds.
    static let longest: Int64 = 2_000_000_000

    /// Returns the next pause in nanoseconds, which grows, with a random part, up to `longest`.
    mutating func next() -> Int64 {
        step = min(Self.longest, max(Self.shortest, step * 2))
        return Int64.random(in: (step / 2)...step)
    }

    /// Returns the next pause, which ends at the deadline at the latest; nil if the deadline has passed.
    ///
    /// - Parameter now: The time by the deadline's clock, the `MonotonicClock`.
    mutating func next(at now: Int64, until deadline: Int64) -> Int64? {
        now < deadline ? min(next(), deadline - now) : nil
    }
}

extension PostgresFailure {
    /// The same failure for an attempt to make a connection, in which no statement was sent.
    var unsent: PostgresFailure {
        switch kind {
        case .unanswered, .undone: PostgresFailure(.unconnected, message)
        default: self
        }
    }
}
