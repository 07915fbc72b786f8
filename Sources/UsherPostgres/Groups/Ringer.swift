import Synchronization
import UsherJournal
import UsherProcess

/// The ringer of the bell: it tells the other servers which sessions this one has written, at most every ten milliseconds.
///
/// Never within a commit: a notification takes one lock for the whole database, and group commit would be over. It has a
/// connection of its own, on which no commit waits for the disk. A ring that cannot be sent now is lost: it is a hint.
final class Ringer: Sendable {
    private struct State {
        /// The revisions of sessions of which the others were not told.
        var rings: [JournalKey: Int] = [:]
        var isUnderWay = false
    }

    private let state = Mutex(State())
    private let worker: ConnectionWorker
    private let node: Int64

    /// In nanoseconds, the least time between two rings.
    private static let interval: Int64 = 10_000_000

    private static let notify = PostgresStatement(
        name: "notify",
        sql: "SELECT pg_notify('\(BellListener.channel)', convert_from(t, 'UTF8')) FROM unnest($1::bytea[]) AS t")

    /// Makes a ringer that has told nothing.
    ///
    /// - Parameters:
    ///   - worker: The thread with the connection.
    ///   - node: This server.
    init(on worker: ConnectionWorker, as node: ServerNode) {
        self.worker = worker
        self.node = node.number
    }

    /// Tells the others of sessions, without waiting.
    func ring(_ rings: [JournalRing]) {
        guard !rings.isEmpty else { return }
        let isFirst = state.withLock { state in
            for ring in rings { state.rings[ring.key] = ring.revision }
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
        guard isFirst else { return }
        _ = worker.run { [self] link in
            while let rings = take() {
                var parameters = Parameters()
                parameters.bytes(ofEach: RingText.texts(from: node, rings).map { Array($0.utf8) })
                _ = try? link.run(Self.notify, parameters, by: MonotonicClock.now)
                SystemThread.pause(nanoseconds: Self.interval)
            }
        }
    }

    /// Takes what has come; where that is nothing, the next who rings begins anew.
    private func take() -> [JournalKey: Int]? {
        state.withLock { state in
            let rings = state.rings
            state.rings = [:]
            if rings.isEmpty { state.isUnderWay = false }
            return rings.isEmpty ? nil : rings
        }
    }

    /// Tells what has come, and ends the thread.
    func close() async {
        await worker.close()
    }
}
