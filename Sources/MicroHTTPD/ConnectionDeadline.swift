private import Glibc
internal import Synchronization
internal import UsherProcess

/// The time by which a connection's client must have finished the current part of an exchange.
final class ConnectionDeadline: Sendable {
    enum Stage: UInt8, AtomicRepresentable {
        case idle
        case head
        case request
    }

    let socket: Int32
    private let time = Atomic(CoarseClock.never)
    /// The time when the connection was opened or its last response was sent.
    private let restingSince = Atomic(CoarseClock.now)
    private let currentStage = Atomic(Stage.idle)
    private let isHungUp = Atomic(false)

    /// Distinguishes this connection from an earlier one at the same memory address.
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

    /// A Boolean value that indicates whether the peer has shut down its sending side, or is gone.
    var hasHungUp: Bool { isHungUp.load(ordering: .relaxed) }

    func set(in nanoseconds: Int64) {
        time.store(CoarseClock.time(in: nanoseconds), ordering: .relaxed)
    }

    /// Starts to wait for the next request, for a number of nanoseconds.
    func rest(for nanoseconds: Int64) {
        let now = CoarseClock.now
        stage = .idle
        restingSince.store(now, ordering: .relaxed)
        time.store(CoarseClock.time(nanoseconds, after: now), ordering: .relaxed)
    }

    /// Sets the deadline to a number of nanoseconds from now, unless the deadline is already earlier.
    func shorten(to nanoseconds: Int64) {
        time.min(CoarseClock.time(in: nanoseconds), ordering: .relaxed)
    }

    /// Removes the deadline while the server handles the request.
    func clear() {
        time.store(CoarseClock.never, ordering: .relaxed)
    }

    /// Called when the peer has shut down its sending side; makes libmicrohttpd read up to the end of the data.
    func hangUp() {
        isHungUp.store(true, ordering: .relaxed)
        stopReading()
    }

    fileprivate func isPast(_ now: Int64) -> Bool {
        time.load(ordering: .relaxed) <= now
    }

    /// The time since which the connection waits for a request or the rest of its head; nil while a request is handled.
    fileprivate var unusedSince: Int64? {
        stage == .request ? nil : restingSince.load(ordering: .relaxed)
    }

    /// Shuts the socket down; libmicrohttpd then closes the connection.
    fileprivate func shutDown() {
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Makes libmicrohttpd read only the bytes that have arrived; a connection without a request then closes.
    fileprivate func stopReading() {
        _ = shutdown(socket, Int32(SHUT_RD))
    }
}

/// The open connections, each removed before its socket is closed, so that no descriptor belongs to another socket.
extension Register<ConnectionDeadline> {
    /// Shuts down connections that are past their deadline, and stops reading from connections whose peer has hung up.
    ///
    /// The second step is repeated, because libmicrohttpd may have read the last bytes only after the previous call.
    func shutDownLate(at now: Int64) {
        forEach { if $0.isPast(now) { $0.shutDown() } else if $0.hasHungUp { $0.stopReading() } }
    }

    func closeIdle() {
        forEach { if $0.stage == .idle { $0.stopReading() } }
    }

    /// Closes up to `number` connections that have waited longest for a request or its head, and returns their number.
    ///
    /// Connections that started to wait after `time` stay open.
    func closeUnused(_ number: Int, since time: Int64) -> Int {
        var unused: [(since: Int64, connection: ConnectionDeadline)] = []
        forEach { connection in
            if let since = connection.unusedSince, since <= time { unused.append((since, connection)) }
        }
        let oldest = unused.sorted { $0.since < $1.since }.prefix(number)
        for (_, connection) in oldest { with(Self.identity(of: connection)) { $0.stopReading() } }
        return oldest.count
    }

    func shutDownAll() {
        forEach { $0.shutDown() }
    }
}

extension CoarseClock {
    static let never = Int64.max

    static func time(in nanoseconds: Int64) -> Int64 {
        Self.time(nanoseconds, after: now)
    }

    static func time(_ nanoseconds: Int64, after start: Int64) -> Int64 {
        let (time, overflow) = start.addingReportingOverflow(nanoseconds)
        return overflow ? never : time
    }
}
