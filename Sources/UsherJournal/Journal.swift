/// Keeps the inputs of sessions, in order, as bytes: the truth of which trees are a cache.
///
/// A session's entries have the revisions 1, 2, 3 …; the pair of session and revision is what two writers would compete
/// for, so a change that does not follow on what is there is refused.
package protocol Journal: Sendable {
    /// What tells this run of the journal from others, where a crash can take back what was acknowledged; nil where none
    /// can.
    var epoch: String? { get }

    /// Takes a change in, without waiting; changes are kept in the order of the calls.
    ///
    /// - Parameter change: What becomes of a session's record.
    /// - Returns: What to wait for until the change counts; nil where it counts already. Whether it was kept, its tail
    ///   tells.
    func submit(_ change: JournalChange) -> Commit?

    /// All that is kept of a session; sees every change that was submitted before.
    ///
    /// - Parameter key: The session.
    /// - Returns: nil for a session that there is not.
    /// - Throws: `JournalError`.
    func record(of key: JournalKey) async throws(JournalError) -> SessionRecord?

    /// What is kept of a session beside its entries, also once it has ended.
    ///
    /// - Parameter key: The session.
    /// - Returns: nil for a session that there is not.
    /// - Throws: `JournalError`.
    func head(of key: JournalKey) async throws(JournalError) -> SessionHeader?

    /// The answer that a session keeps under an idempotency key, also once it has ended.
    ///
    /// - Parameters:
    ///   - idempotencyKey: The client's key.
    ///   - key: The session.
    /// - Throws: `JournalError`.
    func answer(under idempotencyKey: String, of key: JournalKey) async throws(JournalError) -> KeyedAnswer?

    /// The session that was opened under an idempotency key.
    ///
    /// - Parameter idempotencyKey: The client's key.
    /// - Throws: `JournalError`.
    func opening(under idempotencyKey: String) async throws(JournalError) -> KeyedOpening?

    /// What it counts of its work; nil where it keeps nothing on a disk.
    var metrics: JournalMetrics? { get }

    /// How many sessions have not ended; those that are being created or ended may not be counted yet.
    var count: Int { get }

    /// Sessions that have not ended, in the order of their keys.
    ///
    /// - Parameters:
    ///   - key: Where the page begins, exclusive; nil for the first page.
    ///   - limit: How many at most.
    /// - Throws: `JournalError`.
    func sessions(after key: JournalKey?, limit: Int) async throws(JournalError) -> [SessionListing]

    /// Sessions that may not have been used since a time: they were not when they were last touched or opened.
    ///
    /// - Parameters:
    ///   - time: Milliseconds since 1970.
    ///   - limit: How many at most, those that were touched longest ago.
    /// - Throws: `JournalError`.
    func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing]

    /// Sessions that have something to do without being asked, by their heads' `wakeAt`.
    ///
    /// - Parameters:
    ///   - time: Milliseconds since 1970: what is due by then.
    ///   - limit: How many at most, those that were due first.
    /// - Throws: `JournalError`.
    func due(by time: Int64, limit: Int) async throws(JournalError) -> [SessionListing]

    /// Forgets sessions altogether that ended before a time.
    ///
    /// - Parameters:
    ///   - time: Milliseconds since 1970.
    ///   - limit: How many at most.
    /// - Returns: How many were forgotten.
    /// - Throws: `JournalError`.
    func purge(endedBefore time: Int64, limit: Int) async throws(JournalError) -> Int

    /// Makes a copy that another process can read, while this one goes on.
    ///
    /// - Returns: Where it is.
    /// - Throws: `JournalError`.
    func backUp() async throws(JournalError) -> Backup

    /// Keeps what was submitted, and lets go of the storage; nothing is submitted afterwards.
    func close() async
}

extension Journal {
    /// Nothing is counted, unless a journal does.
    package var metrics: JournalMetrics? { nil }
}
