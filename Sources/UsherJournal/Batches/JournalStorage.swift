/// The rows of a batched journal, which only the journal's thread uses.
///
/// A storage gets all changes of a group commit at once, so that it can write them in one statement if it is able to. A
/// storage with transactions only has to conform to `TransactionalStorage`.
package protocol JournalStorage: AnyObject, JournalContents {
    /// Writes the changes of a group commit in order, except those whose basis has failed.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - refuse: Called with each change that fails on its own, and the reason; changes that build on it fail, too.
    /// - Returns: The statistics of the changes that are now durable.
    /// - Throws: `JournalError.unavailable` if the storage fails and no change was written; `outcomeUnknown` if the
    ///   changes may have been written.
    func write(
        _ changes: [JournalChange], refusing refuse: (JournalChange, JournalError) -> Void
    ) throws(JournalError) -> BatchStatistics

    /// Returns a session's record without its entries; nil if there is no such session.
    func outline(of key: JournalKey) throws(JournalError) -> RecordOutline?

    /// Returns a slice of a session's entries as bytes: those directly after a revision, without a gap.
    ///
    /// Reading a slice should take about a millisecond, because commits wait meanwhile: at most some hundred entries,
    /// fewer if they are large.
    ///
    /// - Parameter revision: The revision before the slice's first entry; 0 for the first slice.
    /// - Returns: The entries; empty only if there are no more.
    func entries(of key: JournalKey, after revision: Int) throws(JournalError) -> [[UInt8]]

    /// Returns the header of a session, even after its end; nil if there is no such session.
    func head(of key: JournalKey) throws(JournalError) -> SessionHeader?

    /// Makes a copy, possibly in pieces as maintenance.
    ///
    /// - Parameters:
    ///   - time: The current time in milliseconds since 1970.
    ///   - end: Called when the copy is complete or has failed.
    func backUp(at time: Int64, then end: @escaping @Sendable (Result<Backup, JournalError>) -> Void)

    /// The time when maintenance is due, by the `MonotonicClock`; nil for none.
    var maintenanceDue: Int64? { get }

    /// Does some maintenance between two batches.
    ///
    /// - Parameter isIdle: `true` if no work is waiting and maintenance is due.
    func maintain(isIdle: Bool)

    /// Closes the storage, before it is released.
    func close()
}

extension JournalStorage {
    /// Returns the record of a session, read at once; a journal reads the record in slices.
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

    /// Returns the first entry of a session; nil if there is none.
    package func creation(of key: JournalKey) throws(JournalError) -> Entry? {
        guard let head = try head(of: key), head.ending == nil,
            let first = try entries(of: key, after: head.history.start - 1).first
        else { return nil }
        do throws(EntryError) { return try Entry(first, of: key) } catch { throw .corrupt(error) }
    }

    /// Returns the next slice of a record.
    ///
    /// - Returns: At most the entries that the outline counts; fewer if the session has ended or started over since, or
    ///   is damaged.
    func slice(of key: JournalKey, after revision: Int, in outline: RecordOutline) throws(JournalError) -> [[UInt8]] {
        let start = outline.head.history.start
        let rest = outline.head.entryCount - (revision - start + 1)
        // The entries of the outline were deleted.
        if revision >= start, let head = try head(of: key), head.history.start != start { return [] }
        let slice = try entries(of: key, after: revision)
        guard slice.count >= rest else { return slice }
        // Either entries were added after the outline was read, or the header does not belong to these entries.
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
    /// - Throws: `JournalError.conflict` or `.corrupt` if only this change fails.
    func apply(_ change: JournalChange) throws(JournalError)

    /// A counter of writes; if it has grown, there is something to roll back.
    var written: Int64 { get }

    /// Writes what belongs to the group as a whole.
    ///
    /// - Returns: `false` if the transaction must be rolled back and repeated; the repetition returns `true`.
    func finishGroup() throws(JournalError) -> Bool

    /// Commits the transaction, and makes its writes durable.
    ///
    /// - Throws: `JournalError.unavailable` if the transaction was not committed, and no crash can bring it back;
    ///   `outcomeUnknown` if it may have been committed.
    func commit() throws(JournalError)

    /// Rolls back everything written since `begin`.
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
            // A change that fails after it has written something is rolled back with all others, which are then
            // repeated.
            while true {
                if let statistics = try applyAll(changes, refusing: refuse) { return statistics }
                rollBack()
                try begin()
            }
        }
    }

    /// Runs a body and commits its writes; rolls them back after a failure.
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
    /// - Returns: The statistics; nil if all changes must be rolled back and repeated without a change that has just
    ///   failed.
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
