import UsherJournal

/// Rings that nobody has followed yet, as a state machine: each session is in it once, however often others write it, so
/// that nothing piles up while the journal does not answer.
struct PendingRings {
    /// Rings that are followed together.
    struct Gathered {
        /// The newest revision of each session.
        fileprivate(set) var revisions: [SessionID: Int] = [:]
        /// Set where all sessions may have been written, for rings were lost.
        fileprivate(set) var areAll = false
    }

    /// Nil while nobody takes them.
    private var waiting: Gathered?
    /// The sessions that are being confirmed: true where they rang again meanwhile.
    private var confirming: [SessionID: Bool] = [:]

    /// Adds rings; none stands for all sessions.
    ///
    /// - Returns: True where somebody has to begin to take them.
    mutating func insert(_ rings: [JournalRing]) -> Bool {
        var batch = waiting ?? Gathered()
        batch.areAll = batch.areAll || rings.isEmpty
        for ring in rings {
            let id = SessionID(ring.key)
            batch.revisions[id] = max(batch.revisions[id] ?? 0, ring.revision)
        }
        defer { waiting = batch }
        return waiting == nil
    }

    /// Takes what has come.
    ///
    /// - Returns: nil where there is nothing; the next to come has to be taken by somebody anew.
    mutating func take() -> Gathered? {
        guard let batch = waiting, batch.areAll || !batch.revisions.isEmpty else {
            waiting = nil
            return nil
        }
        waiting = Gathered()
        return batch
    }

    /// A session has to be confirmed.
    ///
    /// - Returns: False where that goes on already: it is confirmed once more then, for it may have begun before the ring.
    mutating func begin(_ id: SessionID) -> Bool {
        let isFirst = confirming[id] == nil
        confirming[id] = !isFirst
        return isFirst
    }

    /// A session has been confirmed.
    ///
    /// - Returns: True where it has to be confirmed once more.
    mutating func goesOn(_ id: SessionID) -> Bool {
        guard confirming[id] == true else {
            confirming[id] = nil
            return false
        }
        confirming[id] = false
        return true
    }
}
