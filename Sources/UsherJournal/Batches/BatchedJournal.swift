import UsherProcess

/// The crashes that an acknowledged change survives.
package enum Durability: String, CaseIterable, Sendable {
    /// Every crash, even of the machine: a change is acknowledged once it is on the disk.
    case sync
    /// Crashes more than 50 ms later: a change is acknowledged immediately, and is on the disk within 50 ms.
    case relaxed
}

/// A journal that commits changes to a storage in groups.
///
/// Only the journal's own thread uses the storage, so no caller waits for the disk while it holds a lock. Changes that
/// arrive during a commit go into the next one (group commit). The journal is the only writer of its storage, so it
/// needs no tokens, and only checks that a header follows the stored one.
package final class BatchedJournal: Journal {
    private let mailbox: JournalMailbox<StorageJob>
    private let status: JournalStatus
    private let counters: JournalMetrics
    private let isReadOnly: Bool
    private let now: @Sendable () -> Int64

    /// The time for which a relaxed journal collects changes, in nanoseconds.
    private static let patience: Int64 = 50_000_000

    /// The error of a change to a read-only journal.
    package static let unchangeable = JournalError.unsupported(
        "the journal was opened read-only")

    /// Creates the journal of a storage.
    ///
    /// - Parameters:
    ///   - storage: The storage, which only the journal's thread uses from now on.
    ///   - count: The number of sessions in the storage that have not ended.
    ///   - durability: The crashes that an acknowledged change survives.
    ///   - isReadOnly: `true` to reject all changes.
    ///   - now: Returns the current time in milliseconds since 1970.
    ///   - didCommit: Called on the journal's thread with the number of changes that a commit has made durable.
    /// - Returns: nil if the system has no thread for the journal.
    package convenience init?(
        _ storage: sending any JournalStorage, holding count: Int, durability: Durability, isReadOnly: Bool = false,
        now: @escaping @Sendable () -> Int64, didCommit: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.init(holding: count, durability: durability, isReadOnly: isReadOnly, now: now)
        let (mailbox, worker) = (mailbox, JournalWorker(storage, status, counters, didCommit: didCommit))
        guard SystemThread.start({ worker.run(mailbox) }, then: { mailbox.closing.finish() }) else { return nil }
    }

    private init(holding count: Int, durability: Durability, isReadOnly: Bool, now: @escaping @Sendable () -> Int64) {
        let isRelaxed = durability == .relaxed
        let mailbox = JournalMailbox<StorageJob>(patience: isRelaxed ? Self.patience : nil)
        self.mailbox = mailbox
        status = JournalStatus(start: isRelaxed ? now() : nil, count: count)
        counters = JournalMetrics { mailbox.waiting }
        self.isReadOnly = isReadOnly
        self.now = now
    }

    /// Creates a journal without a thread, whose work a simulation runs step by step.
    ///
    /// - Parameters:
    ///   - storage: The storage, which only the steps use.
    ///   - count: The number of sessions in the storage that have not ended.
    ///   - now: Returns the current time in milliseconds since 1970.
    /// - Returns: The journal and its step, which returns `false` if there is nothing to do.
    package static func stepping(
        _ storage: any JournalStorage, holding count: Int, now: @escaping @Sendable () -> Int64
    ) -> (journal: BatchedJournal, step: () -> Bool) {
        let journal = BatchedJournal(holding: count, durability: .sync, isReadOnly: false, now: now)
        let mailbox = journal.mailbox
        let worker = JournalWorker(storage, journal.status, journal.counters) { _ in }
        return (journal, { worker.step(mailbox) })
    }

    /// Ends the thread, even if nobody has closed the journal.
    deinit { mailbox.close() }

    /// Identifies this run; it changes if acknowledged commits may be lost, and is nil if none can be lost.
    package var epoch: String? { status.epoch }

    /// The counters of the journal's commits.
    package var metrics: JournalMetrics? { counters }

    /// The number of sessions that have not ended.
    package var count: Int { status.count }

    /// The commit that is done once the storage is closed.
    package var closing: GroupCommit { mailbox.closing }

    /// Adds a change to the next group commit without waiting.
    package func submit(_ change: JournalChange) -> PendingCommit {
        isReadOnly ? PendingCommit(.failure(Self.unchangeable)) : mailbox.submit(change)
    }

    /// Commits the submitted changes, and closes the storage; a second call waits for the first.
    package func close() async {
        mailbox.close()
        await mailbox.closing.wait()
    }

    /// Reads the storage on the journal's thread, after the changes that were submitted before.
    package func read<Answer: Sendable>(
        _ body: @escaping @Sendable (any JournalStorage) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        try await ask { storage, continuation in
            continuation.resume(returning: Result { () throws(JournalError) in try body(storage) })
        }
    }

    /// Adds a job, and waits until the job resumes its continuation.
    private func ask<Answer: Sendable>(
        _ job:
            @escaping @Sendable (
                any JournalStorage, CheckedContinuation<Result<Answer, JournalError>, Never>
            ) -> Void
    ) async throws(JournalError) -> Answer {
        let result = await withCheckedContinuation { continuation in
            if !mailbox.ask({ job($0, continuation) }) { continuation.resume(returning: .failure(.closed)) }
        }
        return try result.get()
    }

    /// Returns a session's current record, read in slices: the journal commits other changes between two slices.
    package func record(of key: JournalKey) async throws(JournalError) -> SessionRecord? {
        let start = try await read { storage throws(JournalError) -> (outline: RecordOutline, slice: [[UInt8]])? in
            guard let outline = try storage.outline(of: key) else { return nil }
            return (outline, try storage.slice(of: key, after: outline.head.history.start - 1, in: outline))
        }
        guard let (outline, slice) = start else { return nil }
        var entries = slice
        while entries.count < outline.head.entryCount {
            let revision = outline.head.history.start - 1 + entries.count
            let slice = try await read { storage throws(JournalError) in
                try storage.slice(of: key, after: revision, in: outline)
            }
            guard !slice.isEmpty else {
                // The session has ended or started over meanwhile, so its entries were deleted; or the session is
                // damaged.
                return try await read { storage throws(JournalError) in try storage.record(of: key) }
            }
            entries += slice
        }
        return try SessionRecord(outline, entries: entries, of: key)
    }

    /// Returns the header of a session.
    package func head(of key: JournalKey) async throws(JournalError) -> RecordHead? {
        try await read { storage throws(JournalError) in try storage.head(of: key).map { RecordHead($0) } }
    }

    /// Returns the first entry of a session.
    package func creation(of key: JournalKey) async throws(JournalError) -> Entry? {
        try await read { storage throws(JournalError) in try storage.creation(of: key) }
    }

    /// Returns the response that a session stores for an idempotency key.
    package func answer(
        under idempotencyKey: String, of key: JournalKey
    ) async throws(JournalError) -> KeyedAnswer? {
        try await read { storage throws(JournalError) in try storage.answer(under: idempotencyKey, of: key) }
    }

    /// Returns the session that was opened with an idempotency key.
    package func opening(under idempotencyKey: String) async throws(JournalError) -> KeyedOpening? {
        try await read { storage throws(JournalError) in try storage.opening(under: idempotencyKey) }
    }

    /// Returns a page of the sessions that match a query.
    package func sessions(matching query: SessionQuery) async throws(JournalError) -> [FoundSession] {
        try await read { storage throws(JournalError) in try storage.sessions(matching: query) }
    }

    /// Returns the number of sessions that match a query, up to a limit.
    package func count(matching query: SessionQuery, limit: Int) async throws(JournalError) -> Int {
        try await read { storage throws(JournalError) in try storage.count(matching: query, limit: limit) }
    }

    /// Returns sessions whose last recorded use is not after a time.
    package func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await read { storage throws(JournalError) in try storage.idle(since: time, limit: limit) }
    }

    /// Returns sessions with a timer or an effect that is due.
    package func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) async throws(JournalError) -> [DueSession] {
        try await read { storage throws(JournalError) in
            try storage.due(by: time, after: place, limit: limit, for: build)
        }
    }

    /// Returns the approximate number of bytes that ended sessions still use.
    package func residue() async throws(JournalError) -> Int {
        try await read { $0.residue }
    }

    /// Deletes all traces of sessions that ended before a time.
    package func purge(endedBefore time: Int64, limit: Int) async throws(JournalError) -> Int {
        guard !isReadOnly else { throw Self.unchangeable }
        return try await read { storage throws(JournalError) in try storage.purge(endedBefore: time, limit: limit) }
    }

    /// Adds a guilty input, durably even if the journal is relaxed.
    package func add(_ input: GuiltyInput) async throws(JournalError) {
        guard !isReadOnly else { throw Self.unchangeable }
        try await read { storage throws(JournalError) in try storage.add(input) }
    }

    /// Returns the guilty inputs, the oldest first.
    package func guiltyInputs() async throws(JournalError) -> [GuiltyInput] {
        try await read { storage throws(JournalError) in try storage.guiltyInputs() }
    }

    /// Deletes guilty inputs.
    package func forget(_ selection: GuiltyInput.Selection) async throws(JournalError) {
        guard !isReadOnly else { throw Self.unchangeable }
        try await read { storage throws(JournalError) in try storage.forget(selection) }
    }

    /// Returns the builds whose servers have used the journal.
    package func builds() async throws(JournalError) -> [JournalBuild] {
        try await read { storage throws(JournalError) in try storage.builds() }
    }

    /// Records that a server of a build is running.
    package func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) async throws(JournalError) {
        guard !isReadOnly else { throw Self.unchangeable }
        try await read { storage throws(JournalError) in
            try storage.note(build, at: time, isConfirmed: isConfirmed)
        }
    }

    /// Returns a build's valid verdicts.
    package func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) async throws(JournalError) -> [SessionHold] {
        try await read { storage throws(JournalError) in try storage.holds(for: build, in: keys, limit: limit) }
    }

    /// Returns the number of a build's valid verdicts by the kind of their reason.
    package func holdCounts(for build: UInt64) async throws(JournalError) -> [String: Int] {
        try await read { storage throws(JournalError) in try storage.holdCounts(for: build) }
    }

    /// Changes the verdicts, durably even if the journal is relaxed.
    package func change(_ change: HoldChange) async throws(JournalError) {
        guard !isReadOnly else { throw Self.unchangeable }
        try await read { storage throws(JournalError) in try storage.change(change) }
    }

    /// Makes a copy; the journal continues to commit meanwhile.
    package func backUp() async throws(JournalError) -> Backup {
        let time = now()
        return try await ask { storage, continuation in
            storage.backUp(at: time) { continuation.resume(returning: $0) }
        }
    }
}
