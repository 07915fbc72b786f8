internal import UsherJournal

extension Recent {
    /// Notes that a transaction has begun.
    mutating func begin() {
        progress = old?.progress ?? (0, 0)
    }

    /// Notes that the transaction was committed.
    ///
    /// - Returns: Whether entries of sessions that have ended left the table with it.
    mutating func commit() -> Bool {
        steps.removeAll(keepingCapacity: true)
        if written > 0 { young.addRow(of: written) }
        written = 0
        let hasScraps = dropDeleted()
        if young.isFull(by: limits) { turn() }
        return hasScraps
    }

    /// Takes back what was done since the transaction began.
    mutating func rollBack() {
        for (key, step) in steps.reversed() { takeBack(step, of: key) }
        steps.removeAll(keepingCapacity: true)
        group.removeAll()
        written = 0
        old?.progress = progress
    }

    private mutating func takeBack(_ step: Step, of key: JournalKey) {
        switch step {
        case .begun(let before):
            young.takeBackSession()
            young.add(-1, bytes: -(sessions[key]?.entries.last?.count ?? 0))
            sessions[key] = before
        case .grown(let head, let generation):
            if generation != young.number { young.takeBackSession() }
            let size = sessions[key]?.takeBack(to: head, in: generation) ?? 0
            young.add(-1, bytes: -size)
        case .filed(let session): sessions[key] = session
        case .carried(let count, let bytes):
            young.takeBackSession()
            young.add(-count, bytes: -bytes)
        }
    }

    /// Forgets the old generation once it has left the table, with the sessions that have nothing else there.
    private mutating func dropDeleted() -> Bool {
        guard let old, old.isDeleted else { return false }
        for key in old.sessions {
            guard let session = sessions[key], session.entries.isEmpty, session.generation <= old.number else {
                continue
            }
            sessions[key] = nil
        }
        self.old = nil
        // Also what it has grown to.
        if sessions.isEmpty { sessions = [:] }
        return old.hasScraps
    }
}
