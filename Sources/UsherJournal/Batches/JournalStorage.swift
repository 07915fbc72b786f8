/// The storage of a batched journal's rows, which only the journal's thread uses.
///
/// A storage gets all changes of a group commit at once, so that it may write them in one statement. A storage that
/// writes one change after another in a transaction conforms to `TransactionalStorage`, which needs less code.
package protocol JournalStorage: AnyObject, JournalContents {
    /// Writes the changes of a group commit in order, except those that build on a failed change.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - refuse: Called with each change that fails on its own, and the reason. Changes that build on a failed change
    ///     fail, too.
    /// - Returns: The statistics of the changes that are now durable.
    /// - Throws: `JournalError.unavailable` if the storage fails and no change was written; `outcomeUnknown` if the
    ///   changes may have been written.
    func write(
        _ changes: [JournalChange], refusing refuse: (JournalChange, JournalError) -> Void
    ) throws(JournalError) -> BatchStatistics

    /// Returns a session's record without its entries; nil if there is no such session.
    func outline(of key: JournalKey) throws(JournalError) -> RecordOutline?

    /// Returns a slice of a session's entries as bytes: the entries directly after a revision, without a gap.
    ///
    /// Reading a slice should take about a millisecond, because commits wait in the meantime. A slice therefore has at
    /// most some hundred entries, and fewer if they are large.
    ///
    /// - Parameter revision: The revision before the slice's first entry; 0 for the first slice.
    /// - Returns: The entries; empty only if there are no more entries.
    func entries(of key: JournalKey, after revision: Int) throws(JournalError) -> [[UInt8]]

    /// Returns the header of a session, even after its end; nil if there is no such session.
    func header(of key: JournalKey) throws(JournalError) -> SessionHeader?

    /// Makes a copy of the storage, possibly in several steps of maintenance.
    ///
    /// - Parameters:
    ///   - time: The current time in milliseconds since 1970.
    ///   - end: Called when the copy is complete or has failed.
    func backUp(at time: Int64, then end: @escaping @Sendable (Result<Backup, JournalError>) -> Void)

    /// The time when maintenance is due, by the `MonotonicClock`; nil for none.
    var maintenanceDue: Int64? { get }

    /// Performs some maintenance between two batches.
    ///
    /// - Parameter isIdle: `true` if maintenance is due and no work is waiting.
    func maintain(isIdle: Bool)

    /// Closes the storage. No other call follows.
    func close()
}

extension JournalStorage {
    /// Returns the record of a session, read in one step; a journal usually reads the record in slices instead.
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

    package func head(of key: JournalKey) throws(JournalError) -> RecordHead? {
        try header(of: key).map { RecordHead($0) }
    }

    /// Returns the first entry of a session; nil if there is no such session, or if it has ended.
    package func creation(of key: JournalKey) throws(JournalError) -> Entry? {
        guard let head = try header(of: key), head.ending == nil,
            let first = try entries(of: key, after: head.history.start - 1).first
        else { return nil }
        return try intact { () throws(EntryError) in try Entry(first, of: key) }
    }

    /// Returns the next slice of a record.
    ///
    /// - Returns: At most the entries that the outline counts. If the session has ended or started over since, or if it
    ///   is damaged, the slice may be empty.
    func slice(of key: JournalKey, after revision: Int, in outline: RecordOutline) throws(JournalError) -> [[UInt8]] {
        let start = outline.head.history.start
        let rest = outline.head.entryCount - (revision - start + 1)
        // Returns nothing if the session has started over, because this deleted the entries that the outline counts.
        if revision >= start, let head = try header(of: key), head.history.start != start { return [] }
        let slice = try entries(of: key, after: revision)
        guard slice.count >= rest else { return slice }
        // If there are more entries than the outline counts, either they were added later, or the header is damaged.
        let surplus = slice.count > rest ? slice : try entries(of: key, after: revision + slice.count)
        if !surplus.isEmpty, try header(of: key)?.revision == outline.head.revision { throw .corrupt(.incomplete) }
        return Array(slice.prefix(rest))
    }
}

/// A storage that writes a group of changes in a transaction, one change after the other.
package protocol TransactionalStorage: JournalStorage {
    func begin() throws(JournalError)

    /// Writes a change.
    ///
    /// - Throws: `JournalError.conflict` or `.corrupt` if only this change fails.
    func apply(_ change: JournalChange) throws(JournalError)

    /// The number of writes so far. If this number has grown, there is something to roll back.
    var written: Int64 { get }

    /// Writes the data that belongs to the whole group, before the commit.
    ///
    /// - Returns: `false` if the transaction must be rolled back and repeated. The second call returns `true`.
    func finishGroup() throws(JournalError) -> Bool

    /// Commits the transaction and makes its writes durable.
    ///
    /// - Throws: `JournalError.unavailable` if the transaction was not committed, and cannot reappear after a crash;
    ///   `outcomeUnknown` if the transaction may have been committed.
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
            // If a change fails after it has written something, all changes are rolled back, and all other changes are
            // repeated.
            while true {
                if let statistics = try applyAll(changes, refusing: refuse) { return statistics }
                rollBack()
                try begin()
            }
        }
    }

    /// Runs a closure and commits its writes; if the closure throws, rolls its writes back.
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

    /// Applies the changes, except those that build on a failed change.
    ///
    /// - Returns: nil if a change has just failed, so that all changes must be rolled back, and the others repeated.
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
