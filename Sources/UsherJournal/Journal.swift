/// A durable log of sessions' inputs as bytes, in order, from which the sessions' trees can be rebuilt.
///
/// A session's entries have the revisions 1, 2, 3 …. When the session's root coordinator starts over, older entries are
/// deleted. If two writers compete for a session's next revision, only one can succeed: the rules of
/// `JournalChange.update(upon:)` reject a change that does not follow the stored record.
///
/// Entries are ordered within a session, but not between sessions. If several servers share the journal, `peers` has
/// the additional operations that they need.
package protocol Journal: AnyObject, Sendable {
    /// Identifies this run of the journal; nil if no crash can lose acknowledged changes.
    var epoch: String? { get }

    /// The operations for a journal that other servers use, too; nil if only this server uses the journal.
    var peers: (any JournalPeers)? { get }

    /// Adds a change without waiting. A session's changes become durable in the order of the calls.
    ///
    /// A change fails with `JournalError.conflict` if another server has written first. If a change's basis fails, the
    /// change fails with the same error.
    @discardableResult
    func submit(_ change: JournalChange) -> PendingCommit

    /// Returns the record of a session at one moment, including all changes that this server submitted before the call;
    /// nil if there is no such session.
    func record(of key: JournalKey) async throws(JournalError) -> SessionRecord?

    /// Returns the header of a session, even after the session's end; nil if there is no such session.
    func head(of key: JournalKey) async throws(JournalError) -> RecordHead?

    /// Returns the first entry of a session; nil if there is no such session, or if the session has ended.
    func creation(of key: JournalKey) async throws(JournalError) -> Entry?

    /// Returns the response that a session stores for an idempotency key, even after the session's end.
    func answer(under idempotencyKey: String, of key: JournalKey) async throws(JournalError) -> KeyedAnswer?

    /// Returns the session that was opened with an idempotency key.
    func opening(under idempotencyKey: String) async throws(JournalError) -> KeyedOpening?

    /// The crashes that an acknowledged change survives, in words for the log; nil if there is nothing to log.
    var promise: String? { get }

    /// The counters of the journal's commits; nil if the journal has no disk.
    var metrics: JournalMetrics? { get }

    /// The number of sessions that have not ended; changes in progress, and the last minute's changes by other servers,
    /// may not be counted yet.
    var count: Int { get }

    /// Returns a page of the sessions that match a query. If the journal is not in memory, this uses an index.
    func sessions(matching query: SessionQuery) async throws(JournalError) -> [FoundSession]

    /// Returns the number of sessions that match a query, on all pages. Stops counting at the limit.
    func count(matching query: SessionQuery, limit: Int) async throws(JournalError) -> Int

    /// Returns sessions whose last recorded use is not after a time; their actual last use may be later.
    ///
    /// - Parameters:
    ///   - time: The time in milliseconds since 1970.
    ///   - limit: The maximum number of sessions. The sessions with the oldest use are returned.
    func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing]

    /// Returns sessions with a timer or an effect that is due according to the header's `wakeAt`.
    ///
    /// If several servers may share the journal, the list is empty, because these servers claim work instead.
    ///
    /// - Parameters:
    ///   - time: The time by which the work is due, in milliseconds since 1970.
    ///   - place: The last entry of the previous page; nil for the first page.
    ///   - limit: The maximum number of sessions. The sessions that are due first are returned.
    ///   - build: The build of this server. Sessions on hold for this build are left out.
    /// - Returns: A page in the order of `DueSession`.
    func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) async throws(JournalError) -> [DueSession]

    /// Returns the approximate number of bytes that ended sessions still use: tombstones, responses and openings.
    ///
    /// Shortly after a start, the journal may still be counting the bytes that earlier runs left.
    func residue() async throws(JournalError) -> Int

    /// Deletes all traces of sessions that ended before a time.
    ///
    /// - Parameters:
    ///   - time: The time in milliseconds since 1970.
    ///   - limit: The maximum number of sessions. The sessions that ended first are deleted.
    /// - Returns: The number of deleted sessions.
    func purge(endedBefore time: Int64, limit: Int) async throws(JournalError) -> Int

    /// Adds a guilty input durably. When the function returns, all later processes of the build can refuse the input.
    ///
    /// The journal stores the newest `GuiltyInput.limit` inputs.
    func add(_ input: GuiltyInput) async throws(JournalError)

    /// Returns the guilty inputs of all builds, oldest first. When a session is purged, its guilty inputs are deleted.
    ///
    /// Damaged rows are left out, because the worst consequence is another crash.
    func guiltyInputs() async throws(JournalError) -> [GuiltyInput]

    /// Deletes guilty inputs durably.
    func forget(_ selection: GuiltyInput.Selection) async throws(JournalError)

    /// Returns the builds whose servers use or have used the journal, in no particular order.
    func builds() async throws(JournalError) -> [JournalBuild]

    /// Records durably that a server of a build is running. A time that is before the recorded time changes nothing.
    ///
    /// - Parameters:
    ///   - build: The digest of the build's executable.
    ///   - time: The current time in milliseconds since 1970.
    ///   - isConfirmed: `true` if an operator confirms the build's release.
    func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) async throws(JournalError)

    /// Returns a build's valid verdicts in the order of their sessions, without damaged rows.
    func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) async throws(JournalError) -> [SessionHold]

    /// Returns the number of a build's valid verdicts, by the kind of the verdict's reason.
    func holdCounts(for build: UInt64) async throws(JournalError) -> [String: Int]

    /// Changes the verdicts durably.
    ///
    /// When a session ends, its verdicts are deleted. `note(_:at:isConfirmed:)` deletes the verdicts of builds that
    /// have not been seen for `SessionHold.lifetime`.
    func change(_ change: HoldChange) async throws(JournalError)

    /// Makes a copy of the journal that another process can read. The journal continues to work in the meantime.
    func backUp() async throws(JournalError) -> Backup

    /// Commits the submitted changes and closes the storage. No change may be submitted afterwards.
    func close() async
}

extension Journal {
    /// Returns sessions that have not ended, in the order of their keys.
    ///
    /// - Parameters:
    ///   - key: The key after which the page begins; nil for the first page.
    ///   - limit: The maximum number of sessions.
    /// - Throws: `JournalError`.
    package func sessions(after key: JournalKey?, limit: Int) async throws(JournalError) -> [FoundSession] {
        try await sessions(matching: SessionQuery(after: key.map { .init(key: $0) }, limit: limit))
    }

    /// Returns the first entry from the session's whole record; a journal may implement a faster way.
    package func creation(of key: JournalKey) async throws(JournalError) -> Entry? {
        try await record(of: key)?.entries.first
    }

    package var metrics: JournalMetrics? { nil }

    package var promise: String? { nil }

    package var peers: (any JournalPeers)? { nil }
}

/// A copy of a journal, on the server's disk.
package struct Backup: Equatable, Sendable {
    /// The copy's path on the server's disk.
    package let path: String
    /// The copy's size in bytes.
    package let size: Int

    package init(path: String, size: Int) {
        self.path = path
        self.size = size
    }
}

/// The reason why a journal's operation failed.
package enum JournalError: Error, Equatable, Sendable {
    /// The change does not follow the stored record: another server wrote first, or committed changes were lost.
    case conflict
    /// A session's stored rows are damaged or incomplete. Only this session is affected.
    case corrupt(EntryError)
    /// The storage fails now, for the given reason, and may work later. The operation did not take effect.
    case unavailable(String)
    /// The storage failed during a commit, for the given reason. The commit may have taken effect.
    case outcomeUnknown(String)
    /// This journal does not support the operation.
    case unsupported(String)
}

extension JournalError: CustomStringConvertible {
    /// The error in one sentence for an operator.
    package var description: String {
        switch self {
        case .conflict: "the journal and the tree of this session have different revisions"
        case .corrupt(let error): "the session's record is damaged: \(error)"
        case .unavailable(let reason), .outcomeUnknown(let reason), .unsupported(let reason): reason
        }
    }
}

extension JournalError {
    /// A Boolean value that indicates whether the error concerns only one session, and not the whole storage.
    package var concernsOneSession: Bool {
        switch self {
        case .conflict, .corrupt: true
        case .unavailable, .outcomeUnknown, .unsupported: false
        }
    }
}
