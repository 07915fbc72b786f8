import UsherProcess

/// The kinds of crash that an acknowledged change survives.
package enum Durability: String, CaseIterable, Sendable {
    /// The change survives every crash, even of the machine. The journal acknowledges a change when it is on the disk.
    case sync
    /// The change survives only crashes that happen more than 50 ms later. The journal acknowledges a change
    /// immediately, and writes it to the disk within 50 ms.
    case relaxed
}

/// A journal that commits changes to a storage in groups.
///
/// Only the journal's own thread uses the storage, so no caller waits for the disk while it holds a lock. Changes that
/// arrive during a commit go into the next commit (group commit). The journal is the only writer of its storage, so
/// records need no versions (`RecordToken`). The journal only checks that a new header follows the stored header.
package final class BatchedJournal: ThreadedJournal {
    private let mailbox: JournalMailbox<StorageJob>
    private let status: JournalStatus
    private let counters: JournalMetrics
    private let isReadOnly: Bool
    private let now: @Sendable () -> Int64

    /// The time in nanoseconds for which a relaxed journal collects changes.
    private static let patience: Int64 = 50_000_000

    /// Creates the journal of a storage.
    ///
    /// - Parameters:
    ///   - storage: The storage, which only the journal's thread uses from now on.
    ///   - count: The number of sessions in the storage that have not ended.
    ///   - durability: The crashes that an acknowledged change survives.
    ///   - isReadOnly: `true` to reject all changes.
    ///   - now: Returns the current time in milliseconds since 1970.
    ///   - didCommit: Called on the journal's thread after each commit, with the number of changes that are now
    ///     durable.
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

    /// Creates a journal without a thread, for a simulation that runs the journal's work step by step.
    ///
    /// - Returns: The journal, and a function that performs the journal's next step and returns `false` if there is
    ///   nothing to do.
    package static func stepping(
        _ storage: any JournalStorage, holding count: Int, now: @escaping @Sendable () -> Int64
    ) -> (journal: BatchedJournal, step: () -> Bool) {
        let journal = BatchedJournal(holding: count, durability: .sync, isReadOnly: false, now: now)
        let mailbox = journal.mailbox
        let worker = JournalWorker(storage, journal.status, journal.counters) { _ in }
        return (journal, { worker.step(mailbox) })
    }

    /// Ends the thread if no caller has closed the journal.
    deinit { mailbox.close() }

    /// Identifies this run of the journal; nil if no acknowledged commit can be lost.
    ///
    /// The value changes if acknowledged commits may be lost.
    package var epoch: String? { status.epoch }

    /// The error with which all changes fail if the journal was opened read-only; otherwise nil.
    package var refusal: JournalError? { isReadOnly ? .readOnly : nil }

    /// The counters of the journal's commits.
    package var metrics: JournalMetrics? { counters }

    package var count: Int { status.count }

    /// The commit that is finished when the storage is closed.
    package var closing: GroupCommit { mailbox.closing }

    package func submit(_ change: JournalChange) -> PendingCommit {
        isReadOnly ? PendingCommit(.failure(.readOnly)) : mailbox.submit(change)
    }

    /// Commits the submitted changes and closes the storage; a second call waits for the first.
    package func close() async {
        mailbox.close()
        await mailbox.closing.wait()
    }

    /// Reads the storage on the journal's thread, after the changes that were submitted before.
    package func read<Answer: Sendable>(
        _ body: @escaping @Sendable (any JournalStorage) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        try await mailbox.ask { end in
            { storage in end(Result { () throws(JournalError) in try body(storage) }) }
        }
    }

    /// Uses the contents on the journal's thread, after the changes that were submitted before.
    package func use<Answer: Sendable>(
        of key: JournalKey?, _ body: @escaping @Sendable (any JournalContents) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        try await read { storage throws(JournalError) in try body(storage) }
    }

    /// Returns a session's current record, read in slices, so that the journal can commit other changes in between.
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
                // The slices were incomplete, because the session is damaged, or has ended or started over in the
                // meantime. Therefore reads the record again in one step.
                return try await read { storage throws(JournalError) in try storage.record(of: key) }
            }
            entries += slice
        }
        return try SessionRecord(outline, entries: entries, of: key)
    }

    /// Makes a copy of the journal, which continues to commit in the meantime.
    package func backUp() async throws(JournalError) -> Backup {
        let time = now()
        return try await mailbox.ask { end in { storage in storage.backUp(at: time, then: end) } }
    }
}
