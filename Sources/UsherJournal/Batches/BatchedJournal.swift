import UsherProcess

/// The crashes that an acknowledged change outlives.
package enum Durability: String, CaseIterable, Sendable {
    /// Every crash, the machine's too: a change counts once it is on the disk.
    case sync
    /// No crash within the first 50 ms: a change counts at once, and is on the disk by then.
    case relaxed
}

/// A journal that commits in groups to a storage.
///
/// One thread of its own uses the storage, so that whoever hands something in never waits for the disk with a lock.
/// All that comes while a commit is under way goes into the next: group commit. It is the journal's one writer, so it
/// knows no tokens, and asks for no more than that a header follows.
package final class BatchedJournal: Journal {
    private let mailbox: JournalMailbox<StorageJob>
    private let status: JournalStatus
    private let counters: JournalMetrics
    private let isReadOnly: Bool
    private let now: @Sendable () -> Int64

    /// In nanoseconds, how long a relaxed journal gathers changes.
    private static let patience: Int64 = 50_000_000

    /// The error of a change to a journal that is read only.
    package static let unchangeable = JournalError.unsupported(
        "the journal was opened read-only")

    /// Makes the journal of a storage.
    ///
    /// - Parameters:
    ///   - storage: It goes over to the journal's thread.
    ///   - count: How many sessions of it have not ended.
    ///   - durability: The crashes that an acknowledged change outlives.
    ///   - isReadOnly: True to refuse all changes.
    ///   - now: The time of day: milliseconds since 1970.
    ///   - didCommit: Called on the journal's thread with the number of changes that a commit has made durable.
    /// - Returns: nil if the system has no thread for it.
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

    /// Makes a journal without a thread, whose work is done in steps: by a simulation, which decides when each is.
    ///
    /// - Parameters:
    ///   - storage: Used within the steps alone.
    ///   - count: How many sessions of it have not ended.
    ///   - now: The time of day: milliseconds since 1970.
    /// - Returns: The journal, and the step, which returns false where there is nothing to do.
    package static func stepping(
        _ storage: any JournalStorage, holding count: Int, now: @escaping @Sendable () -> Int64
    ) -> (journal: BatchedJournal, step: () -> Bool) {
        let journal = BatchedJournal(holding: count, durability: .sync, isReadOnly: false, now: now)
        let mailbox = journal.mailbox
        let worker = JournalWorker(storage, journal.status, journal.counters) { _ in }
        return (journal, { worker.step(mailbox) })
    }

    /// Ends the thread, also if nobody has closed the journal.
    deinit { mailbox.close() }

    /// The name of this run, and of what it has not lost; nil where nothing acknowledged is lost.
    package var epoch: String? { status.epoch }

    /// The counters of its commits.
    package var metrics: JournalMetrics? { counters }

    /// The number of sessions that have not ended.
    package var count: Int { status.count }

    /// Done once the storage is closed.
    package var closing: GroupCommit { mailbox.closing }

    /// Takes a change in, without waiting.
    package func submit(_ change: JournalChange) -> PendingCommit {
        isReadOnly ? PendingCommit(.failure(Self.unchangeable)) : mailbox.submit(change)
    }

    /// Commits what was submitted, and closes the storage; a second time it waits for the first.
    package func close() async {
        mailbox.close()
        await mailbox.closing.wait()
    }

    /// Uses the storage on the journal's thread, after the changes that were submitted before.
    package func read<Answer: Sendable>(
        _ body: @escaping @Sendable (any JournalStorage) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        try await ask { storage, continuation in
            continuation.resume(returning: Result { () throws(JournalError) in try body(storage) })
        }
    }

    /// Hands in a job, and waits for what it answers through its continuation.
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

    /// The record of a session as it stands now, read in slices: between two of them others' changes are committed.
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
                // It has ended or started over meanwhile, and its entries have gone; or it is damaged.
                return try await read { storage throws(JournalError) in try storage.record(of: key) }
            }
            entries += slice
        }
        return try SessionRecord(outline, entries: entries, of: key)
    }

    /// The header of a session.
    package func head(of key: JournalKey) async throws(JournalError) -> RecordHead? {
        try await read { storage throws(JournalError) in try storage.head(of: key).map { RecordHead($0) } }
    }

    /// The first entry of a session.
    package func creation(of key: JournalKey) async throws(JournalError) -> Entry? {
        try await read { storage throws(JournalError) in try storage.creation(of: key) }
    }

    /// The answer that is stored of a session under an idempotency key.
    package func answer(
        under idempotencyKey: String, of key: JournalKey
    ) async throws(JournalError) -> KeyedAnswer? {
        try await read { storage throws(JournalError) in try storage.answer(under: idempotencyKey, of: key) }
    }

    /// The session that was opened under an idempotency key.
    package func opening(under idempotencyKey: String) async throws(JournalError) -> KeyedOpening? {
        try await read { storage throws(JournalError) in try storage.opening(under: idempotencyKey) }
    }

    /// Sessions that have not ended, in the order of their keys.
    package func sessions(after key: JournalKey?, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await read { storage throws(JournalError) in try storage.sessions(after: key, limit: limit) }
    }

    /// Sessions of a subject that have not ended, in the order of their keys.
    package func sessions(
        of subject: String, after key: JournalKey?, limit: Int
    ) async throws(JournalError) -> [SessionListing] {
        try await read { storage throws(JournalError) in try storage.sessions(of: subject, after: key, limit: limit) }
    }

    /// The sessions that a question is for, those of a page.
    package func sessions(matching query: SessionQuery) async throws(JournalError) -> [FoundSession] {
        try await read { storage throws(JournalError) in try storage.sessions(matching: query) }
    }

    /// The number of sessions that a question is for, up to a limit.
    package func count(matching query: SessionQuery, limit: Int) async throws(JournalError) -> Int {
        try await read { storage throws(JournalError) in try storage.count(matching: query, limit: limit) }
    }

    /// Sessions that may not have been used since a time.
    package func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await read { storage throws(JournalError) in try storage.idle(since: time, limit: limit) }
    }

    /// Sessions that have something to do without being asked.
    package func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) async throws(JournalError) -> [DueSession] {
        try await read { storage throws(JournalError) in
            try storage.due(by: time, after: place, limit: limit, for: build)
        }
    }

    /// About the bytes that ended sessions have left.
    package func residue() async throws(JournalError) -> Int {
        try await read { $0.residue }
    }

    /// Forgets sessions altogether that ended before a time.
    package func purge(endedBefore time: Int64, limit: Int) async throws(JournalError) -> Int {
        guard !isReadOnly else { throw Self.unchangeable }
        return try await read { storage throws(JournalError) in try storage.purge(endedBefore: time, limit: limit) }
    }

    /// Adds a guilty input, durably also where the journal is relaxed.
    package func add(_ input: GuiltyInput) async throws(JournalError) {
        guard !isReadOnly else { throw Self.unchangeable }
        try await read { storage throws(JournalError) in try storage.add(input) }
    }

    /// The guilty inputs, the oldest first.
    package func guiltyInputs() async throws(JournalError) -> [GuiltyInput] {
        try await read { storage throws(JournalError) in try storage.guiltyInputs() }
    }

    /// Forgets guilty inputs.
    package func forget(_ selection: GuiltyInput.Selection) async throws(JournalError) {
        guard !isReadOnly else { throw Self.unchangeable }
        try await read { storage throws(JournalError) in try storage.forget(selection) }
    }

    /// The builds whose servers have used the journal.
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

    /// The verdicts of a build that stand.
    package func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) async throws(JournalError) -> [SessionHold] {
        try await read { storage throws(JournalError) in try storage.holds(for: build, in: keys, limit: limit) }
    }

    /// The number of a build's verdicts that stand, by the kinds of their reasons.
    package func holdCounts(for build: UInt64) async throws(JournalError) -> [String: Int] {
        try await read { storage throws(JournalError) in try storage.holdCounts(for: build) }
    }

    /// Changes the verdicts, durably also where the journal is relaxed.
    package func change(_ change: HoldChange) async throws(JournalError) {
        guard !isReadOnly else { throw Self.unchangeable }
        try await read { storage throws(JournalError) in try storage.change(change) }
    }

    /// Makes a copy; commits go on meanwhile.
    package func backUp() async throws(JournalError) -> Backup {
        let time = now()
        return try await ask { storage, continuation in
            storage.backUp(at: time) { continuation.resume(returning: $0) }
        }
    }
}
