internal import UsherJournal
internal import UsherProcess

extension Worker {
    /// When something that is not urgent is due, by the `MonotonicClock`.
    var errand: Int64? {
        backup == nil ? [scrapsDue, filingDue].compactMap(\.self).min() : 0
    }

    /// Does what is due beside the changes, a little at a time.
    func runErrands() {
        noteRecent()
        copyLog()
        guard let running = backup, running.step() else { return }
        backup = nil
    }

    /// Copies the write-ahead log into the database, when it has grown or must lose something.
    private func copyLog() {
        let connection = store.connection
        if store.hasScraps, scrapsDue == nil { scrapsDue = MonotonicClock.now + hooks.scrapsPatience }
        if let due = scrapsDue, due <= MonotonicClock.now {
            let isEmptied = connection.checkpoint(truncating: true)
            if isEmptied { store.forgetScraps() }
            scrapsDue = isEmptied ? nil : MonotonicClock.now + hooks.scrapsPatience
        } else if connection.logPages >= checkpointPages {
            // Where that fails, for want of room, it is not tried again with each commit.
            let isCopied = connection.checkpoint(truncating: false)
            checkpointPages = isCopied ? hooks.checkpointPages : connection.logPages + hooks.checkpointPages
            if !isCopied { copyDue = MonotonicClock.now + Self.copyPatience }
        }
    }

    /// In nanoseconds, how long a log that cannot be copied is left alone.
    static let copyPatience: Int64 = 1_000_000_000

    /// Empties a log for which there was no room, before it takes more: else it would get all the room that comes.
    func retryCopying() {
        guard let due = copyDue, due <= MonotonicClock.now else { return }
        guard store.connection.checkpoint(truncating: true) else {
            copyDue = MonotonicClock.now + Self.copyPatience / 10
            return
        }
        copyDue = nil
        checkpointPages = hooks.checkpointPages
        store.forgetScraps()
    }

    /// Begins a backup, which goes on between the batches.
    func backUp(to path: String, _ end: @escaping RunningBackup.Completion) {
        guard backup == nil else { return end(.failure(.unsupported("a backup is being made already; wait for it"))) }
        do throws(JournalError) { backup = try RunningBackup(of: store.connection, to: path, end) } catch {
            end(.failure(error))
        }
    }
}
