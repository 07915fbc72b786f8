import Synchronization
import UsherJournal

/// The sessions on hold: those that this build must not serve, and those with work of which nothing can come in this process.
///
/// No sweep wakes them, and they hibernate and expire like others. A verdict on a session holds for one version of its
/// record, so a client that asks again and again costs looks at a header, and no replay. The verdicts on no more sessions
/// than the limit are remembered; another replay finds what was forgotten.
final class HeldSessions: Sendable {
    /// A verdict on a session.
    struct Verdict: Equatable {
        /// Why this build must not serve the session.
        let reason: HoldReason
        /// The version of the record that was judged; nil if its header cannot be read.
        let version: RecordVersion?
        /// The build that wrote the record, if that build may serve the session.
        var writer: UInt64?
    }

    private struct Holds {
        var verdicts: [SessionID: Verdict] = [:]
        /// The sessions with results that could not even be refused, or with due work of another build.
        ///
        /// They are served, and a request that wakes one begins its work again.
        var stalled: Set<SessionID> = []
    }

    private let holds = Mutex(Holds())
    /// The number of verdicts that are remembered.
    private static let limit = 65_536

    /// Returns a Boolean value indicating whether no sweep may wake a session.
    func contains(_ id: SessionID) -> Bool {
        holds.withLock { $0.verdicts[id] != nil || $0.stalled.contains(id) }
    }

    /// Forgets a session: it was woken, or is over.
    func release(_ id: SessionID) {
        holds.withLock { holds in
            if !holds.verdicts.isEmpty { holds.verdicts[id] = nil }
            if !holds.stalled.isEmpty { holds.stalled.remove(id) }
        }
    }

    // MARK: Sessions that must not be served

    /// Holds a session.
    ///
    /// - Returns: True if the verdict is another than before.
    func hold(_ id: SessionID, by verdict: Verdict) -> Bool {
        holds.withLock { holds in
            let former = holds.verdicts.updateValue(verdict, forKey: id)
            if holds.verdicts.count > Self.limit, let other = holds.verdicts.keys.first(where: { $0 != id }) {
                holds.verdicts[other] = nil
            }
            return former != verdict
        }
    }

    /// The verdict on a session; nil unless this build must not serve it.
    func verdict(on id: SessionID) -> Verdict? {
        holds.withLock { $0.verdicts[id] }
    }

    /// The sessions that this build must not serve, in no order.
    var sessions: [SessionID] { holds.withLock { Array($0.verdicts.keys) } }

    /// The number of these sessions for each kind of reason.
    var counts: [HoldReason.Kind: Int] {
        holds.withLock { holds in
            holds.verdicts.values.reduce(into: [:]) { $0[$1.reason.kind, default: 0] += 1 }
        }
    }

    /// Forgets verdicts on records that other servers have written since.
    ///
    /// - Parameter revisions: The newest revisions that others have written; the end of a session keeps the revision.
    func forget(before revisions: [SessionID: Int]) {
        holds.withLock { holds in
            guard !holds.verdicts.isEmpty else { return }
            for (id, revision) in revisions {
                guard let verdict = holds.verdicts[id], verdict.version?.revision ?? 0 <= revision else { continue }
                holds.verdicts[id] = nil
            }
        }
    }

    // MARK: Work of which nothing can come

    /// The sessions with such work.
    var stalled: Set<SessionID> { holds.withLock(\.stalled) }

    /// Notes that nothing can come of work of a session.
    func stall(_ id: SessionID) {
        holds.withLock { _ = $0.stalled.insert(id) }
    }

    /// Returns a Boolean value indicating whether a session has such work.
    func isStalled(_ id: SessionID) -> Bool {
        holds.withLock { $0.stalled.contains(id) }
    }

    /// Forgets sessions that have no such work any more.
    func forgetStalled(_ ids: Set<SessionID>) {
        if !ids.isEmpty { holds.withLock { $0.stalled.subtract(ids) } }
    }
}

/// The version of a session's record, by which a verdict on it is known to hold still.
struct RecordVersion: Equatable {
    /// The revision of the newest entry.
    let revision: Int
    /// The mark of the newest write; nil where one server alone writes the journal.
    let mark: UInt64?

    init(_ head: SessionHeader, _ token: RecordToken?) {
        revision = head.revision
        mark = token?.mark
    }
}
