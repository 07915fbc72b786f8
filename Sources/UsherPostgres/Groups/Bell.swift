import Synchronization
import UsherJournal
import UsherProcess

/// Notifies the other servers of written sessions, and receives their notifications, on one connection and thread.
///
/// A notification is not part of a commit. A commit with a notification locks the whole database, and group commits
/// would therefore wait for each other. If a notification cannot be sent at once, the notification is lost. The loss is
/// harmless, because each server checks its watched sessions every second.
final class Bell: Sendable {
    private struct WeakListener: Sendable {
        weak let listener: (any JournalListener)?
    }

    private struct State {
        var listeners: [WeakListener] = []
        /// The sessions that were written since the last notification, each with its newest revision.
        var written: [JournalKey: Int] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Completes when the thread has ended.
    private let closing = GroupCommit()
    /// Wakes the thread: a byte that is written to the first descriptor is read from the second.
    private let wakes: (Descriptor, Descriptor)

    /// The minimum number of nanoseconds between two notifications.
    private static let interval: Int64 = 10_000_000
    /// The maximum number of nanoseconds to wait for a notification before the thread checks the connection.
    private static let patience: Int64 = 5_000_000_000
    /// The number of nanoseconds to pause after a failure, in addition to the growing pauses of `DatabaseLink`.
    private static let pause: Int64 = 50_000_000

    private static let notify = "SELECT pg_notify('usher', convert_from(t, 'UTF8')) FROM unnest($1::bytea[]) AS t"

    /// Creates a bell that is not started; nil if the system has no descriptors left.
    init?() {
        guard let wakes = Descriptor.pair() else { return nil }
        self.wakes = wakes
    }

    /// Starts the thread, which runs until `end` is called; returns `false` if the system has no thread left.
    ///
    /// - Parameters:
    ///   - location: The database.
    ///   - node: This server. The bell ignores the notifications of this server.
    ///   - mayConnect: Returns `true` if there is a connection for work. Otherwise the bell may not connect, because
    ///     the database may grant too few connections.
    func start(
        on location: PostgresLocation, as node: ServerNode, while mayConnect: @escaping @Sendable () -> Bool
    ) -> Bool {
        let number = node.number
        return SystemThread.start(
            { [self] in run(on: location, as: number, while: mayConnect) }, then: { [closing] in closing.finish() })
    }

    /// Adds a listener; the bell has only a weak reference to the listener.
    func add(_ listener: any JournalListener) {
        state.withLock { state in
            state.listeners.removeAll { $0.listener == nil }
            state.listeners.append(WeakListener(listener: listener))
        }
    }

    /// Queues notifications to the other servers, without waiting until they are sent.
    func ring(_ rings: [JournalRing]) {
        let isFirst = state.withLock { state in
            let wasEmpty = state.written.isEmpty
            for ring in rings { state.written[ring.key] = ring.revision }
            return wasEmpty && !rings.isEmpty
        }
        if isFirst { wakes.0.write("x") }
    }

    /// Makes the thread send the pending notifications and then end, without waiting for the thread.
    func end() {
        state.withLock { $0.isClosed = true }
        wakes.0.write("x")
    }

    /// Ends the thread and waits until it has ended.
    func close() async {
        end()
        await closing.wait()
    }

    private func run(on location: PostgresLocation, as node: Int64, while mayConnect: () -> Bool) {
        let link = DatabaseLink(to: location) { [self] connection, deadline throws(PostgresFailure) in
            try connection.execute("LISTEN usher; SET synchronous_commit = off", by: deadline)
            // Reports that notifications may have been lost before this connection was made.
            hear([])
        }
        let wake = wakes.1.number
        while true {
            let (written, isClosed) = state.withLock { state in
                defer { state.written = [:] }
                return (state.written, state.isClosed)
            }
            do throws(PostgresFailure) {
                guard mayConnect() || isClosed else {
                    link.close()
                    throw PostgresFailure(.unconnected, "there is no connection for work")
                }
                if !written.isEmpty {
                    let texts = Parameter.texts(RingText.texts(from: node, written))
                    _ = try link.run(Self.notify, [texts], by: MonotonicClock.now)
                    if !isClosed { SystemThread.pause(nanoseconds: Self.interval) }
                }
                if isClosed { return }
                let texts = try link.notifications(or: wake, by: MonotonicClock.now + Self.patience)
                let rings = texts.flatMap { RingText.read($0, except: node) }
                if !rings.isEmpty { hear(rings) }
            } catch {
                if isClosed { return }
                _ = Descriptor.wait(for: [wake], until: MonotonicClock.now + Self.pause)
            }
            if Descriptor.wait(for: [wake], until: MonotonicClock.now) == [true] { _ = wakes.1.read() }
        }
    }

    private func hear(_ rings: [JournalRing]) {
        for entry in state.withLock(\.listeners) { entry.listener?.hear(rings) }
    }
}

/// The text of a notification.
///
/// The text consists of numbers, separated by spaces: first the number of the server that wrote the sessions, and then
/// for each session the two halves of its key, and its revision.
enum RingText {
    /// The maximum number of sessions in a text: each session needs at most 62 bytes, and the database accepts 7,999
    /// bytes.
    static let limit = 125

    static func texts(from node: Int64, _ written: [JournalKey: Int]) -> [String] {
        let sessions = written.map { "\($0.key.high) \($0.key.low) \($0.value)" }
        return stride(from: 0, to: sessions.count, by: limit).map { start in
            "\(node) " + sessions[start...].prefix(limit).joined(separator: " ")
        }
    }

    /// Returns the notifications in another server's text; empty for a malformed text, and for a text of this server.
    static func read(_ text: String, except node: Int64) -> [JournalRing] {
        let numbers = text.split(separator: " ")
        guard numbers.count % 3 == 1, let writer = Int64(numbers[0]), writer != node else { return [] }
        return stride(from: 1, to: numbers.count, by: 3).compactMap { place in
            guard let high = UInt64(numbers[place]), let low = UInt64(numbers[place + 1]),
                let revision = Int(numbers[place + 2])
            else { return nil }
            return JournalRing(JournalKey(high: high, low: low), at: revision)
        }
    }
}
