/// The rows of a batched journal, used by the journal's thread alone.
///
/// A storage takes the changes of a group commit together, so that one which can write them all in one statement may do
/// so. One with transactions needs no more than `TransactionalStorage` asks for.
package protocol JournalStorage: AnyObject {
    /// Writes the changes of a group commit, in their order; those whose basis has failed are left out.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - refuse: Takes a change that fails alone, and why; those that build on it fail too.
    /// - Returns: Statistics of the changes that are durable now.
    /// - Throws: `JournalError.unavailable` where the storage fails: none of the changes has happened then;
    ///   `outcomeUnknown` where nobody can tell whether they have.
    func write(
        _ changes: [JournalChange], refusing refuse: (JournalChange, JournalError) -> Void
    ) throws(JournalError) -> BatchStatistics

    /// A session's record but for its entries.
    ///
    /// - Returns: nil for a session that there is not.
    func outline(of key: JournalKey) throws(JournalError) -> RecordOutline?

    /// A slice of a session's entries: the bytes of those that follow on a revision, without a gap.
    ///
    /// It takes about a millisecond, for commits wait meanwhile: at most some hundred entries, fewer where they are large.
    ///
    /// - Parameter revision: The revision before the slice's first; 0 for the first slice.
    /// - Returns: Empty only where none follows.
    func entries(of key: JournalKey, after revision: Int) throws(JournalError) -> [[UInt8]]

    /// The header of a session, also once it has ended; nil for a session that there is not.
    func head(of key: JournalKey) throws(JournalError) -> SessionHeader?

    /// As `Journal.answer(under:of:)`.
    func answer(under idempotencyKey: String, of key: JournalKey) throws(JournalError) -> KeyedAnswer?

    /// As `Journal.opening(under:)`.
    func opening(under idempotencyKey: String) throws(JournalError) -> KeyedOpening?

    /// As `Journal.sessions(after:limit:)`.
    func sessions(after key: JournalKey?, limit: Int) throws(JournalError) -> [SessionListing]

    /// As `Journal.sessions(matching:)`.
    func sessions(matching query: SessionQuery) throws(JournalError) -> [FoundSession]

    /// As `Journal.count(matching:limit:)`.
    func count(matching query: SessionQuery, limit: Int) throws(JournalError) -> Int

    /// As `Journal.idle(since:limit:)`.
    func idle(since time: Int64, limit: Int) throws(JournalError) -> [SessionListing]

    /// As `Journal.due(by:after:limit:for:)`.
    func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) throws(JournalError) -> [DueSession]

    /// As `Journal.residue()`.
    var residue: Int { get }

    /// As `Journal.purge(endedBefore:limit:)`, durably.
    func purge(endedBefore time: Int64, limit: Int) throws(JournalError) -> Int

    /// As `Journal.add(_:)`, durably.
    func add(_ input: GuiltyInput) throws(JournalError)

    /// As `Journal.guiltyInputs()`.
    func guiltyInputs() throws(JournalError) -> [GuiltyInput]

    /// As `Journal.forget(_:)`, durably.
    func forget(_ selection: GuiltyInput.Selection) throws(JournalError)

    /// As `Journal.builds()`.
    func builds() throws(JournalError) -> [JournalBuild]

    /// As `Journal.note(_:at:isConfirmed:)`, durably.
    func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) throws(JournalError)

    /// As `Journal.holds(for:in:limit:)`.
    func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) throws(JournalError) -> [SessionHold]

    /// As `Journal.holdCounts(for:)`.
    func holdCounts(for build: UInt64) throws(JournalError) -> [String: Int]

    /// As `Journal.change(_:)`, durably.
    func change(_ change: HoldChange) throws(JournalError)

    /// Makes a copy, maybe bit by bit as maintenance.
    ///
    /// - Parameters:
    ///   - time: The time of day: milliseconds since 1970.
    ///   - end: Called once it is made, or cannot be.
    func backUp(at time: Int64, then end: @escaping @Sendable (Result<Backup, JournalError>) -> Void)

    /// The time by which there is maintenance to do, by the `MonotonicClock`; nil for none.
    var maintenanceDue: Int64? { get }

    /// Does some maintenance, between two batches.
    ///
    /// - Parameter isIdle: True where nothing waits, and maintenance was due.
    func maintain(isIdle: Bool)

    /// Does what must be done before the storage is let go of.
    func close()
}

extension JournalStorage {
    /// The record of a session, read in one go; a journal reads it in slices.
    package func record(of key: JournalKey) throws(JournalError) -> SessionRecord? {
        guard let outline = try outline(of: key) else { return nil }
        var entries: [[UInt8]] = []
        repeat {
            let slice = try slice(of: key, after: outline.head.history.start - 1 + entries.count, in: outline)
            guard !slice.isEmpty else { break }
            entries += slice
        } while entries.count < outline.head.entryCount
        return try SessionRecord(outline, entries: entries, of: key)
    }

    /// The first entry of a session; nil where there is none.
    func creation(of key: JournalKey) throws(JournalError) -> Entry? {
        guard let head = try head(of: key), head.ending == nil,
            let first = try entries(of: key, after: head.history.start - 1).first
        else { return nil }
        do throws(EntryError) { return try Entry(first, of: key) } catch { throw .corrupt(error) }
    }

    /// The next slice of a record.
    ///
    /// - Returns: No more than the outline tells of; less than it tells of where the session has ended or started over
    ///   since, or is damaged.
    func slice(of key: JournalKey, after revision: Int, in outline: RecordOutline) throws(JournalError) -> [[UInt8]] {
        let start = outline.head.history.start
        let rest = outline.head.entryCount - (revision - start + 1)
        // The entries of the outline have gone.
        if revision >= start, let head = try head(of: key), head.history.start != start { return [] }
        let slice = try entries(of: key, after: revision)
        guard slice.count >= rest else { return slice }
        // Entries beyond the header have come since, or it is not the header of these.
        let surplus = slice.count > rest ? slice : try entries(of: key, after: revision + slice.count)
        if !surplus.isEmpty, try head(of: key)?.revision == outline.head.revision { throw .corrupt(.incomplete) }
        return Array(slice.prefix(rest))
    }
}

/// A storage that writes a group of changes in a transaction, one change after the other.
package protocol TransactionalStorage: JournalStorage {
    /// Begins a transaction.
    func begin() throws(JournalError)

    /// Writes a change.
    ///
    /// - Throws: `JournalError.conflict` or `.corrupt` where the change alone fails.
    func apply(_ change: JournalChange) throws(JournalError)

    /// A count of what has been written so far: where it has grown, there is something to roll back.
    var written: Int64 { get }

    /// Writes what goes along with the changes of a group.
    ///
    /// - Returns: false if the transaction must be rolled back and made again, which another time comes to true.
    func finishGroup() throws(JournalError) -> Bool

    /// Commits the transaction: what was written since `begin` is durable then.
    ///
    /// - Throws: `JournalError.unavailable` where it has not happened, and never will: no crash brings it back.
    ///   `outcomeUnknown` where it may have.
    func commit() throws(JournalError)

    /// Takes back what was written since `begin`.
    func rollBack()
}

extension TransactionalStorage {
    /// Writes the changes of a group commit in one transaction.
    package func write(
        _ changes: [JournalChange], refusing refuse: (JournalChange, JournalError) -> Void
    ) throws(JournalError) -> BatchStatistics {
        try writeInTransaction(changes, refusing: refuse)
    }

    /// Writes the changes of a group commit in one transaction.
    package func writeInTransaction(
        _ changes: [JournalChange], refusing refuse: (JournalChange, JournalError) -> Void
    ) throws(JournalError) -> BatchStatistics {
        try transaction { () throws(JournalError) in
            // A change that fails after it has written something is taken back with all others, which are then redone.
            while true {
                if let statistics = try applyAll(changes, refusing: refuse) { return statistics }
                rollBack()
                try begin()
            }
        }
    }

    /// Runs a body and commits what it has written; after a failure, nothing of that is left.
    package func transaction<Result>(_ body: () throws(JournalError) -> Result) throws(JournalError) -> Result {
        do throws(JournalError) {
            try begin()
            let result = try body()
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Applies the changes whose basis has not failed.
    ///
    /// - Returns: nil if all must be rolled back and redone, without a change that has failed by now.
    private func applyAll(
        _ changes: [JournalChange], refusing refuse: (JournalChange, JournalError) -> Void
    ) throws(JournalError) -> BatchStatistics? {
        var statistics = BatchStatistics()
        for change in changes where !change.failWithBasis() {
            let before = written
            do throws(JournalError) {
                try apply(change)
                statistics.add(change)
            } catch {
                guard error.concernsOneSession else { throw error }
                refuse(change, error)
                guard error == .conflict, written == before else { return nil }
            }
        }
        return try finishGroup() ? statistics : nil
    }
}
