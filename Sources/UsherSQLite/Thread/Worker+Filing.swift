internal import UsherJournal
internal import UsherProcess

extension Worker {
    /// Files entries of the old generation along with a commit, faster than the young one grows.
    ///
    /// - Parameter isFiling: Whether to do so; not again in a transaction once that has failed.
    /// - Returns: false if all must be taken back and done again, for a session could not be filed.
    func fileSome(_ isFiling: inout Bool) throws(JournalError) -> Bool {
        guard isFiling, store.recent.old != nil else { return true }
        guard let stuck = try store.fileSome(3 * store.recent.group.count) else { return true }
        store.recent.noteStuck(stuck)
        isFiling = false
        return false
    }

    /// Notes that there is something to file once there is time; while generations follow fast on each other, all of them
    /// are filed along with commits.
    func noteRecent() {
        let number = store.recent.young.number
        guard filingDue == nil || number != filingNumber else { return }
        guard store.recent.hasFilable, !store.connection.isInspecting else { return }
        filingDue = MonotonicClock.now + hooks.filingPatience
        filingNumber = number
    }

    /// Files a slice, where that is due.
    func fileDue() {
        guard let due = filingDue, due <= MonotonicClock.now else { return }
        if fileSlice() {
            // At once, as soon as nothing else is to be done.
            filingDue = store.recent.old == nil ? nil : due
            filingNumber = store.recent.young.number
        } else {
            filingDue = MonotonicClock.now + hooks.filingPatience
        }
    }

    /// Files all there is, before the file is let go of; where that fails, it is there the next time.
    func fileRest() {
        while store.recent.hasFilable, fileSlice() {}
    }

    /// Files some of the old generation in a transaction of its own.
    ///
    /// - Returns: Whether the storage works.
    private func fileSlice() -> Bool {
        store.recent.turn()
        do throws(JournalError) {
            while true {
                try store.begin()
                guard let stuck = try store.fileSome(Self.sliceSize) else { break }
                store.rollBack()
                store.recent.noteStuck(stuck)
            }
            try store.commit()
            return true
        } catch {
            store.rollBack()
            return false
        }
    }

    /// About how many entries are filed in one go: within a millisecond or two.
    private static let sliceSize = 512
}
