internal import UsherJournal
internal import UsherMetrics
internal import UsherProcess

extension Worker {
    /// Keeps changes in one transaction.
    ///
    /// One that does not follow on what is there fails alone; if the storage fails, none of them has happened.
    func commit(_ changes: [Change]) {
        let changes = changes.filter { !$0.tail.isBroken }
        guard !changes.isEmpty else { return }
        let start = MonotonicClock.now
        do throws(JournalError) {
            var isFiling = true
            try store.transaction { () throws(JournalError) in
                // What fails after it has written something is taken back with all the others, which are then done again.
                while try !apply(changes, isFiling: &isFiling) {
                    store.rollBack()
                    try store.begin()
                }
            }
            population.note(changes)
            count(changes, since: start)
            hooks.didCommit(changes.count)
        } catch {
            // First the epoch: who sees a broken tail must not see the epoch of what it has lost.
            epoch?.change()
            copyDue = copyDue ?? MonotonicClock.now
            for change in changes { change.tail.fail(error) }
            metrics.failures.add()
        }
    }

    /// Applies changes in their order, and files some of the old ones.
    ///
    /// - Returns: false if all must be taken back and done again, without one whose tail is broken by now.
    private func apply(_ changes: [Change], isFiling: inout Bool) throws(JournalError) -> Bool {
        for change in changes where !change.tail.isBroken {
            let written = store.written
            do throws(JournalError) { try store.apply(change) } catch {
                if case .unavailable = error { throw error }
                refuse(change, error)
                guard error == .conflict, store.written == written else { return false }
            }
        }
        return try fileSome(&isFiling)
    }

    private func refuse(_ change: Change, _ error: JournalError) {
        switch change.action {
        case .erase, .touch: break
        default: epoch?.change()
        }
        change.tail.fail(error)
        metrics.refusals.add()
    }
}
