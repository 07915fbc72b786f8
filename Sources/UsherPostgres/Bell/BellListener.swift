import Synchronization
import UsherJournal
import UsherProcess

/// The thread that hears the bells of the other servers, on a connection of its own, and tells this one's listeners.
final class BellListener: Sendable {
    /// The name under which servers ring.
    static let channel = "usher"

    private let audience: BellAudience

    /// In nanoseconds, the longest wait for a ring, after which the connection is looked at.
    private static let patience: Int64 = 5_000_000_000
    /// In nanoseconds, the pause after a failure; the link makes its own, which grow.
    private static let pause: Int64 = 50_000_000

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - location: The database.
    ///   - node: This server, whose own bells nobody hears.
    ///   - mayConnect: Returns a Boolean value indicating whether a worker has a connection. The listener connects only
    ///     then, because the database may grant fewer connections than requested, and a bell is only a hint.
    /// - Returns: nil if the system has no thread for it, or no descriptors.
    init?(on location: PostgresLocation, as node: ServerNode, while mayConnect: @escaping @Sendable () -> Bool) {
        guard let audience = BellAudience() else { return nil }
        self.audience = audience
        let number = node.number
        let hasThread = SystemThread.start(
            { Self.listen(for: audience, on: location, node: number, while: mayConnect) },
            then: { audience.closing.finish() })
        guard hasThread else { return nil }
    }

    deinit { audience.close() }

    /// Tells a listener from now on, as long as it lives.
    func add(_ listener: any JournalListener) { audience.add(listener) }

    /// Ends the thread.
    func close() async {
        audience.close()
        await audience.closing.wait()
    }

    private static func listen(
        for audience: BellAudience, on location: PostgresLocation, node: Int64, while mayConnect: () -> Bool
    ) {
        let link = DatabaseLink(to: location) { connection, deadline throws(PostgresFailure) in
            try connection.execute("LISTEN \(channel)", by: deadline)
            // Others may have rung while nobody listened.
            audience.hear([])
        }
        while !audience.isClosed {
            do throws(PostgresFailure) {
                guard mayConnect() else {
                    link.close()
                    throw PostgresFailure(.unconnected, "there is no connection for work")
                }
                let texts = try link.notifications(or: audience.ending, by: MonotonicClock.now + patience)
                let rings = texts.flatMap { RingText.read(Array($0.utf8), except: node) }
                if !rings.isEmpty { audience.hear(rings) }
            } catch {
                _ = Descriptor.wait(for: [audience.ending], until: MonotonicClock.now + pause)
            }
        }
    }
}

/// The listeners of a server, and the end of the thread that tells them.
private final class BellAudience: Sendable {
    private struct WeakListener: Sendable {
        weak let listener: (any JournalListener)?
    }

    /// Done once the thread has ended.
    let closing = GroupCommit()
    private let listeners = Mutex<[WeakListener]>([])
    private let isOver = Atomic(false)
    /// The thread waits at the second, too; it ends its wait when something is written to the first.
    private let ends: (Descriptor, Descriptor)

    init?() {
        guard let ends = Descriptor.pair() else { return nil }
        self.ends = ends
    }

    var isClosed: Bool { isOver.load(ordering: .acquiring) }

    /// The descriptor that can be read from once it is closed.
    var ending: Int32 { ends.1.number }

    func add(_ listener: any JournalListener) {
        listeners.withLock { listeners in
            listeners.removeAll { $0.listener == nil }
            listeners.append(WeakListener(listener: listener))
        }
    }

    func hear(_ rings: [JournalRing]) {
        for entry in listeners.withLock(\.self) { entry.listener?.hear(rings) }
    }

    func close() {
        isOver.store(true, ordering: .releasing)
        ends.0.write("x")
    }
}
