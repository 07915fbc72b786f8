import UsherJournal
import UsherProcess

/// The ringer of the bell: it tells the other servers which sessions this one has written, at most every ten milliseconds.
///
/// Never within a commit: a notification takes one lock for the whole database, and group commit would be over. It has a
/// connection of its own, on which no commit waits for the disk. A ring that cannot be sent now is lost: it is a hint.
final class Ringer: Sendable {
    private let rings: Gathering<JournalRing>
    private let worker: ConnectionWorker

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
        let number = node.number
        rings = Gathering(on: worker) { rings, link in
            guard let link else { return }
            Self.tell(rings, as: number, on: link)
            SystemThread.pause(nanoseconds: Self.interval)
        }
    }

    /// Tells the others of sessions, without waiting.
    func ring(_ rings: [JournalRing]) {
        if !rings.isEmpty { self.rings.add(rings) }
    }

    private static func tell(_ rings: [JournalRing], as node: Int64, on link: DatabaseLink) {
        let newest = Dictionary(rings.map { ($0.key, $0.revision) }) { $1 }
        var parameters = Parameters()
        parameters.bytes(ofEach: RingText.texts(from: node, newest))
        _ = try? link.run(notify, parameters, by: MonotonicClock.now)
    }

    /// Tells what has come, and ends the thread.
    func close() async {
        await worker.close()
    }
}
