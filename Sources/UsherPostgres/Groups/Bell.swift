import Synchronization
import UsherJournal
import UsherProcess

/// The bell: tells the other servers which sessions this one has written, and hears from them, on one connection and thread.
///
/// Never within a commit: a notification takes one lock for the whole database, and group commits would wait for each other.
/// A ring that cannot be sent now is lost: it is a hint, because each server confirms what is watched there every second.
final class Bell: Sendable {
    private struct WeakListener: Sendable {
        weak let listener: (any JournalListener)?
    }

    private struct State {
        var listeners: [WeakListener] = []
        /// The sessions that were written since the last ring, with their revisions.
        var written: [JournalKey: Int] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Done once the thread has ended.
    private let closing = GroupCommit()
    /// The thread waits at the second, too; it ends its wait when something is written to the first.
    private let wakes: (Descriptor, Descriptor)

    /// In nanoseconds, the least time between two rings.
    private static let interval: Int64 = 10_000_000
    /// In nanoseconds, the longest wait for a ring, after which the connection is looked at.
    private static let patience: Int64 = 5_000_000_000
    /// In nanoseconds, the pause after a failure; the link makes its own, which grow.
    private static let pause: Int64 = 50_000_000

    private static let notify = PostgresStatement(
        name: "notify",
        sql: "SELECT pg_notify('usher', convert_from(t, 'UTF8')) FROM unnest($1::bytea[]) AS t")

    /// Creates a bell that does not send or receive notifications yet.
    ///
    /// - Returns: nil if the system has no descriptors for it.
    init?() {
        guard let wakes = Descriptor.pair() else { return nil }
        self.wakes = wakes
    }

    /// Starts the thread, which ends with `end`.
    ///
    /// - Parameters:
    ///   - location: The database.
    ///   - node: This server, which does not hear its own rings.
    ///   - mayConnect: Tells whether there is a connection for work. The database may grant fewer connections than are asked
    ///     for, so the bell has one only meanwhile.
    /// - Returns: False if the system has no thread for it.
    func start(
        on location: PostgresLocation, as node: ServerNode, while mayConnect: @escaping @Sendable () -> Bool
    ) -> Bool {
        let number = node.number
        return SystemThread.start(
            { [self] in run(on: location, as: number, while: mayConnect) }, then: { [closing] in closing.finish() })
    }

    /// Tells a listener from now on, as long as it lives.
    func add(_ listener: any JournalListener) {
        state.withLock { state in
            state.listeners.removeAll { $0.listener == nil }
            state.listeners.append(WeakListener(listener: listener))
        }
    }

    /// Tells the others of sessions, without waiting.
    func ring(_ rings: [JournalRing]) {
        let isFirst = state.withLock { state in
            let wasEmpty = state.written.isEmpty
            for ring in rings { state.written[ring.key] = ring.revision }
            return wasEmpty && !rings.isEmpty
        }
        if isFirst { wakes.0.write("x") }
    }

    /// Lets the thread tell what has come, and end.
    func end() {
        state.withLock { $0.isClosed = true }
        wakes.0.write("x")
    }

    /// Ends the thread, and waits for that.
    func close() async {
        end()
        await closing.wait()
    }

    private func run(on location: PostgresLocation, as node: Int64, while mayConnect: () -> Bool) {
        let link = DatabaseLink(to: location) { [self] connection, deadline throws(PostgresFailure) in
            try connection.execute("LISTEN usher; SET synchronous_commit = off", by: deadline)
            // Others may have rung while nobody listened.
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
                    var parameters = Parameters()
                    parameters.bytes(ofEach: RingText.texts(from: node, written).map { Array($0.utf8) })
                    _ = try link.run(Self.notify, parameters, by: MonotonicClock.now)
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

/// The text of a notification: the number of the server that has written, and for each session the two halves of its key
/// and its revision, with spaces between all of them.
enum RingText {
    /// The sessions of one text: each takes at most 62 bytes, and the database takes 7,999.
    static let limit = 125

    /// Makes the texts that tell of sessions.
    static func texts(from node: Int64, _ written: [JournalKey: Int]) -> [String] {
        let sessions = written.map { "\($0.key.high) \($0.key.low) \($0.value)" }
        return stride(from: 0, to: sessions.count, by: limit).map { start in
            "\(node) " + sessions[start...].prefix(limit).joined(separator: " ")
        }
    }

    /// Reads a text.
    ///
    /// - Parameter node: This server, whose own rings are none.
    /// - Returns: The rings of another server; none for a text that no server has written.
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
