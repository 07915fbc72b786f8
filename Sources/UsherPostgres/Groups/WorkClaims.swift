import Synchronization
import UsherJournal
import UsherProcess

/// The claims of work that this server makes, with those that had no answer.
///
/// Work that such a claim has taken belongs to this living server, which does not know it: nobody would ever run it. So
/// each claim has a random mark, and the next ones take that work too.
final class WorkClaims: Sendable {
    private struct Unanswered {
        let mark: UInt64
        let until: Int64
    }

    private let unanswered = Mutex<[Unanswered]>([])
    private let node: Int64

    /// In nanoseconds, the time within which a statement that had no answer has happened, or never will.
    private static let memory: Int64 = 60_000_000_000

    init(of node: ServerNode) {
        self.node = node.number
    }

    /// Claims work, on the one thread that does so.
    ///
    /// - Parameters:
    ///   - time: What is due by then: milliseconds since 1970.
    ///   - limit: How many pieces at most.
    /// - Throws: `JournalError`.
    func claim(dueBy time: Int64, limit: Int, with reader: Reader) throws(JournalError) -> [ClaimedWork] {
        let mark = UInt64.random(in: .min ... .max)
        let now = MonotonicClock.now
        let earlier = unanswered.withLock { unanswered in
            unanswered.removeAll { $0.until < now }
            defer { unanswered.append(Unanswered(mark: mark, until: now + Self.memory)) }
            return unanswered.map(\.mark)
        }
        let rows = try reader.runOnce(PeerStatements.claim) {
            $0.integer(node)
            $0.integer(time)
            $0.integer(max(0, limit))
            $0.integer(mark)
            $0.marks(earlier)
        }
        unanswered.withLock { unanswered in unanswered.removeAll { $0.mark == mark } }
        var pieces: [JournalKey: [WorkPiece]] = [:]
        for row in rows.indices {
            guard let key = rows.key(row, 0) else { continue }
            pieces[key, default: []].append(
                WorkPiece(revision: Int(rows.integer(row, 1)), place: Int(rows.integer(row, 2))))
        }
        return pieces.map { ClaimedWork($0, $1) }
    }
}
