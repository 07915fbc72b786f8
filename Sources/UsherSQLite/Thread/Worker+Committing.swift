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
            try transaction { () throws(JournalError) in
                // What fails after it has written something is taken back with all the others, which are then done again.
                while try !apply(changes) {
                    store.connection.rollBack()
                    try begin()
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

    /// Runs a body and commits what it has written; after a failure, nothing of that is left.
    func transaction<Result>(_ body: () throws(JournalError) -> Result) throws(JournalError) -> Result {
        do throws(JournalError) {
            try begin()
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            store.connection.rollBack()
            throw error
        }
    }

    private func begin() throws(JournalError) {
        try run("BEGIN IMMEDIATE")
    }

    private func run(_ sql: String) throws(JournalError) {
        do throws(SQLiteFailure) { try store.connection.execute(sql) } catch {
            throw .unavailable(error.unavailability(store.connection.path))
        }
    }

    /// Applies changes in their order.
    ///
    /// - Returns: false if all must be taken back and done again, without one whose tail is broken by now.
    private func apply(_ changes: [Change]) throws(JournalError) -> Bool {
        for change in changes where !change.tail.isBroken {
            let written = store.connection.totalChanges
            do throws(JournalError) { try store.apply(change) } catch {
                if case .unavailable = error { throw error }
                refuse(change, error)
                guard error == .conflict, store.connection.totalChanges == written else { return false }
            }
        }
        return true
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
