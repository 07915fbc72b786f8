internal import UsherJournal
internal import UsherMetrics
internal import UsherProcess

extension Worker {
    /// Keeps changes in one transaction.
    ///
    /// One that does not follow on what is there fails alone; if the storage fails, none of them has happened.
    func commit(_ changes: [JournalChange]) {
        guard changes.contains(where: { !$0.tail.isBroken }) else { return }
        let start = MonotonicClock.now
        do throws(JournalError) {
            var isFiling = true
            let tally = try store.transaction { () throws(JournalError) in
                // What fails after it has written something is taken back with all the others, which are then done again.
                while true {
                    if let tally = try apply(changes, isFiling: &isFiling) { return tally }
                    store.rollBack()
                    try store.begin()
                }
            }
            note(tally, since: start)
        } catch {
            // First the epoch: who sees a broken tail must not see the epoch of what it has lost.
            epoch?.change()
            copyDue = copyDue ?? MonotonicClock.now
            for change in changes { change.tail.fail(error) }
            metrics.failures.add()
        }
    }

    /// Counts a commit.
    ///
    /// - Parameter start: When it began, by the `MonotonicClock`.
    private func note(_ tally: Tally, since start: Int64) {
        population.grow(by: tally.growth)
        metrics.times.record(Int(MonotonicClock.now - start))
        metrics.changes.record(tally.changes)
        metrics.bytes.record(tally.bytes)
        hooks.didCommit(tally.changes)
    }

    /// Applies changes in their order, and files some of the old ones.
    ///
    /// - Returns: nil if all must be taken back and done again, without one whose tail is broken by now.
    private func apply(_ changes: [JournalChange], isFiling: inout Bool) throws(JournalError) -> Tally? {
        var tally = Tally()
        for change in changes where !change.tail.isBroken {
            let written = store.written
            do throws(JournalError) {
                try store.apply(change)
                tally.add(change)
            } catch {
                if case .unavailable = error { throw error }
                refuse(change, error)
                guard error == .conflict, store.written == written else { return nil }
            }
        }
        return try fileSome(&isFiling) ? tally : nil
    }

    private func refuse(_ change: JournalChange, _ error: JournalError) {
        switch change.action {
        case .erase, .touch: break
        default: epoch?.change()
        }
        change.tail.fail(error)
        metrics.refusals.add()
    }
}
