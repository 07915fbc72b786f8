import Synchronization
import UsherJournal
import UsherProcess

/// The claims of work that this server makes.
///
/// Work of a claim or a commit that had no answer may belong to this living server, which does not know it: nobody would
/// ever run it. So for some time after a lost answer a claim also looks for all that the lease owns.
final class WorkClaims: Sendable {
    private typealias Pieces = [JournalKey: [WorkPiece: Int64]]

    private struct Doubt {
        var end = Int64.min
        var nextLook = Int64.min
    }

    private let doubt = Mutex(Doubt())

    /// In nanoseconds, the time within which a statement that had no answer has happened, or never will.
    private static let memory: Int64 = 60_000_000_000
    /// In nanoseconds, the time between two looks for all that the lease owns.
    private static let interval: Int64 = 5_000_000_000

    /// A statement has had no answer that may have made work this server's.
    func noteLostAnswer() {
        doubt.withLock { $0 = Doubt(end: MonotonicClock.now + Self.memory) }
    }

    /// Claims work, on the one thread that does so.
    ///
    /// - Parameters:
    ///   - lease: The lease.
    ///   - time: What is due by then: milliseconds since 1970.
    ///   - limit: How many pieces at most.
    ///   - excluded: Sessions of which nothing is claimed.
    /// - Throws: `JournalError`.
    func claim(
        under lease: Int64, dueBy time: Int64, limit: Int, except excluded: [JournalKey], with reader: Reader
    ) throws(JournalError) -> [ClaimedWork] {
        var pieces: Pieces = [:]
        if mustLook() { add(try reader.run(PeerStatements.owned) { $0.integer(lease) }, to: &pieces) }
        do throws(JournalError) {
            let rows = try reader.runOnce(PeerStatements.claim) {
                $0.integer(lease)
                $0.integer(time)
                $0.integer(max(0, limit))
                $0.keys(excluded)
            }
            add(rows, to: &pieces)
        } catch {
            if case .outcomeUnknown = error { noteLostAnswer() }
            throw error
        }
        return pieces.map { key, dues in
            ClaimedWork(key, Array(dues.keys), crashes: dues.filter { 1...PeerStatements.crashLimit ~= $0.value })
        }
    }

    private func mustLook() -> Bool {
        let now = MonotonicClock.now
        return doubt.withLock { doubt in
            guard now < doubt.end, now >= doubt.nextLook else { return false }
            doubt.nextLook = now + Self.interval
            return true
        }
    }

    /// Adds the pieces of rows, and the times at which they are due.
    private func add(_ rows: ResultRows, to pieces: inout Pieces) {
        for row in rows.indices {
            guard let key = rows.key(row, 0) else { continue }
            let piece = WorkPiece(revision: Int(rows.integer(row, 1)), place: Int(rows.integer(row, 2)))
            pieces[key, default: [:]][piece] = rows.integer(row, 3)
        }
    }
}
