private import Glibc
internal import Synchronization
internal import UsherProcess

/// A connection's deadline: the time by which its client must have done its part, and the socket to end it by.
final class ConnectionDeadline: Sendable {
    /// The part of an exchange that a connection is at.
    enum Stage: UInt8, AtomicRepresentable {
        /// No request is under way.
        case idle
        /// A request's head comes in.
        case head
        /// The head has come.
        case request
    }

    let socket: Int32
    private let time = Atomic(CoarseClock.never)
    /// The time at which it was opened, or its last answer was sent.
    private let restingSince = Atomic(CoarseClock.now)
    private let currentStage = Atomic(Stage.idle)
    private let isHungUp = Atomic(false)

    /// A number by which it is told from one that has had its place in memory.
    let number: UInt16
    private static let count = Atomic<UInt16>(0)

    init(socket: Int32) {
        self.socket = socket
        number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    }

    var stage: Stage {
        get { currentStage.load(ordering: .relaxed) }
        set { currentStage.store(newValue, ordering: .relaxed) }
    }

    /// Set once its peer has said that it sends no more; it may have gone.
    var hasHungUp: Bool { isHungUp.load(ordering: .relaxed) }

    /// Sets the time to so many nanoseconds from now.
    func set(in nanoseconds: Int64) {
        time.store(CoarseClock.time(in: nanoseconds), ordering: .relaxed)
    }

    /// Begins to wait for the next request, for so many nanoseconds.
    func rest(for nanoseconds: Int64) {
        let now = CoarseClock.now
        stage = .idle
        restingSince.store(now, ordering: .relaxed)
        time.store(CoarseClock.time(nanoseconds, after: now), ordering: .relaxed)
    }

    /// Sets the time to so many nanoseconds from now, unless it is sooner already.
    func shorten(to nanoseconds: Int64) {
        time.min(CoarseClock.time(in: nanoseconds), ordering: .relaxed)
    }

    /// Gives the client no deadline: the server is at work.
    func clear() {
        time.store(CoarseClock.never, ordering: .relaxed)
    }

    /// Its peer sends no more: has libmicrohttpd read to the end.
    func hangUp() {
        isHungUp.store(true, ordering: .relaxed)
        stopReading()
    }

    fileprivate func isPast(_ now: Int64) -> Bool {
        time.load(ordering: .relaxed) <= now
    }

    /// Since when it has been without a whole head; nil while a request is under way.
    fileprivate var unusedSince: Int64? {
        stage == .request ? nil : restingSince.load(ordering: .relaxed)
    }

    /// Ends the connection; libmicrohttpd then sees it closed and cleans up.
    fileprivate func shutDown() {
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Reads no more than has come already; a connection that waits for a request then closes.
    fileprivate func stopReading() {
        _ = shutdown(socket, Int32(SHUT_RD))
    }
}

/// The open connections: each leaves the register before its socket is closed, so that none touched here is another's.
extension Register<ConnectionDeadline> {
    /// Ends the connections whose clients are late, and has libmicrohttpd look again at those that have hung up, for it may
    /// have read the last bytes after the look before.
    func shutDownLate(at now: Int64) {
        forEach { if $0.isPast(now) { $0.shutDown() } else if $0.hasHungUp { $0.stopReading() } }
    }

    /// Lets the connections close that wait for a request.
    func closeIdle() {
        forEach { if $0.stage == .idle { $0.stopReading() } }
    }

    /// Lets some of the connections close that wait for a request or its head: those that have waited longest.
    ///
    /// - Parameter time: Those that began to wait later are left alone.
    /// - Returns: How many were found.
    func closeUnused(_ number: Int, since time: Int64) -> Int {
        var unused: [(since: Int64, connection: ConnectionDeadline)] = []
        forEach { connection in
            if let since = connection.unusedSince, since <= time { unused.append((since, connection)) }
        }
        let oldest = unused.sorted { $0.since < $1.since }.prefix(number)
        for (_, connection) in oldest { with(Self.identity(of: connection)) { $0.stopReading() } }
        return oldest.count
    }

    /// Ends all connections.
    func shutDownAll() {
        forEach { $0.shutDown() }
    }
}

extension CoarseClock {
    /// Later than any time of the clock.
    static let never = Int64.max

    /// The time that lies a duration ahead.
    static func time(in nanoseconds: Int64) -> Int64 {
        Self.time(nanoseconds, after: now)
    }

    /// The time that lies a duration behind another.
    static func time(_ nanoseconds: Int64, after start: Int64) -> Int64 {
        let (time, overflow) = start.addingReportingOverflow(nanoseconds)
        return overflow ? never : time
    }
}
