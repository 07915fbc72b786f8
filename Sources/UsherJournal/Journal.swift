/// A durable log of sessions' inputs, in order, as bytes: the truth of which trees are a cache.
///
/// A session's entries have the revisions 1, 2, 3 …, until its root coordinator starts over: then the older ones go. The
/// pair of session and revision is what two writers would compete for, so a change that does not follow on what is stored is refused, by the rules of `JournalChange.update(upon:)`.
/// There is one order for each session, and none over all of them. Where several servers share a journal, `peers` is the
/// rest of what they have to know.
package protocol Journal: AnyObject, Sendable {
    /// The name of this run of the journal, where a crash can take back what was acknowledged; nil where none can.
    var epoch: String? { get }

    /// The other servers on this journal; nil where this is the only one, so that nothing has to be confirmed, caught up
    /// with or claimed.
    var peers: (any JournalPeers)? { get }

    /// Takes a change in, without waiting; a session's changes are made durable in the order of the calls.
    ///
    /// A change fails with `JournalError.conflict` if another server has written first, and with the failure of its basis.
    ///
    /// - Parameter change: A step in a session's record.
    /// - Returns: The pending commit, which ends in a result: the version of the record, or why the change has not happened.
    @discardableResult
    func submit(_ change: JournalChange) -> PendingCommit

    /// The record of a session, as it was at one moment; sees every change of it that was submitted here before.
    ///
    /// - Parameter key: The session.
    /// - Returns: nil for a session that there is not.
    /// - Throws: `JournalError`.
    func record(of key: JournalKey) async throws(JournalError) -> SessionRecord?

    /// The header of a session, also once it has ended.
    ///
    /// - Parameter key: The session.
    /// - Returns: nil for a session that there is not.
    /// - Throws: `JournalError`.
    func head(of key: JournalKey) async throws(JournalError) -> RecordHead?

    /// The first entry of a session that has not ended.
    ///
    /// - Parameter key: The session.
    /// - Returns: nil for a session that there is not, or not any more.
    /// - Throws: `JournalError`.
    func creation(of key: JournalKey) async throws(JournalError) -> Entry?

    /// The answer that is stored of a session under an idempotency key, also once it has ended.
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

    /// The crashes that an acknowledged change outlives, in words for the log; nil where its place says it all.
    var promise: String? { get }

    /// The counters of its commits; nil where it has no disk to commit to.
    var metrics: JournalMetrics? { get }

    /// The number of sessions that have not ended; those that are being created or ended, or were by other servers within
    /// a minute, may not be counted yet.
    var count: Int { get }

    /// Sessions that have not ended, in the order of their keys.
    ///
    /// - Parameters:
    ///   - key: Where the page begins, exclusive; nil for the first page.
    ///   - limit: How many at most.
    /// - Throws: `JournalError`.
    func sessions(after key: JournalKey?, limit: Int) async throws(JournalError) -> [SessionListing]

    /// Sessions of a subject that have not ended, in the order of their keys.
    ///
    /// - Parameters:
    ///   - subject: The user for whom they were opened.
    ///   - key: Where the page begins, exclusive; nil for the first page.
    ///   - limit: How many at most.
    /// - Throws: `JournalError`.
    func sessions(
        of subject: String, after key: JournalKey?, limit: Int
    ) async throws(JournalError) -> [SessionListing]

    /// The sessions that a question is for, those of a page; found by an index, unless the journal is in memory.
    ///
    /// - Parameter query: The question.
    /// - Throws: `JournalError`.
    func sessions(matching query: SessionQuery) async throws(JournalError) -> [FoundSession]

    /// The number of sessions that a question is for, on whatever page, up to a limit beyond which none is looked at.
    ///
    /// - Parameters:
    ///   - query: The question.
    ///   - limit: The number to which it is counted.
    /// - Throws: `JournalError`.
    func count(matching query: SessionQuery, limit: Int) async throws(JournalError) -> Int

    /// Sessions that may not have been used since a time: they were not when they were last touched or opened.
    ///
    /// - Parameters:
    ///   - time: Milliseconds since 1970.
    ///   - limit: How many at most, those that were touched longest ago.
    /// - Throws: `JournalError`.
    func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing]

    /// Sessions that have something to do without being asked, by their headers' `wakeAt`; none where several servers may
    /// share the journal, because work is claimed there.
    ///
    /// - Parameters:
    ///   - time: Milliseconds since 1970: what is due by then.
    ///   - place: The last of the page before; nil for the first page.
    ///   - limit: How many at most, those that were due first.
    ///   - build: The build that asks: sessions on hold for it are left out.
    /// - Returns: A page in the order of `DueSession`.
    /// - Throws: `JournalError`.
    func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) async throws(JournalError) -> [DueSession]

    /// About the bytes that ended sessions have left: tombstones, answers and openings.
    ///
    /// After a start the residue of earlier runs may still be being counted.
    ///
    /// - Throws: `JournalError`.
    func residue() async throws(JournalError) -> Int

    /// Forgets sessions altogether that ended before a time.
    ///
    /// - Parameters:
    ///   - time: Milliseconds since 1970.
    ///   - limit: How many at most, those that ended first.
    /// - Returns: How many were forgotten.
    /// - Throws: `JournalError`.
    func purge(endedBefore time: Int64, limit: Int) async throws(JournalError) -> Int

    /// Adds a guilty input; it is durable once this returns, so that it may be refused from then on.
    ///
    /// The newest `GuiltyInput.limit` stay.
    ///
    /// - Parameter input: The input.
    /// - Throws: `JournalError`.
    func add(_ input: GuiltyInput) async throws(JournalError)

    /// The guilty inputs, the oldest first, those of other builds too; a purge forgets those of its sessions.
    ///
    /// One whose row is damaged is left out: no more is lost than another crash.
    ///
    /// - Throws: `JournalError`.
    func guiltyInputs() async throws(JournalError) -> [GuiltyInput]

    /// Forgets guilty inputs, durably.
    ///
    /// - Parameter selection: Those that go.
    /// - Throws: `JournalError`.
    func forget(_ selection: GuiltyInput.Selection) async throws(JournalError)

    /// The builds whose servers use, or have used, the journal, in no order.
    ///
    /// - Throws: `JournalError`.
    func builds() async throws(JournalError) -> [JournalBuild]

    /// Records durably that a server of a build is running. An earlier time than the recorded one changes nothing.
    ///
    /// - Parameters:
    ///   - build: The digest of its executable.
    ///   - time: Now: milliseconds since 1970.
    ///   - isConfirmed: Pass true if an operator confirms the build's release.
    /// - Throws: `JournalError`.
    func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) async throws(JournalError)

    /// The verdicts of a build that stand, in the order of their sessions; a damaged row is left out.
    ///
    /// - Parameters:
    ///   - build: The build.
    ///   - keys: The range of the sessions.
    ///   - limit: How many at most.
    /// - Throws: `JournalError`.
    func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) async throws(JournalError) -> [SessionHold]

    /// The number of a build's verdicts that stand, by the kinds of their reasons.
    ///
    /// - Throws: `JournalError`.
    func holdCounts(for build: UInt64) async throws(JournalError) -> [String: Int]

    /// Changes the verdicts durably. A session's end deletes its verdicts, and so does `note(_:at:isConfirmed:)` those of
    /// builds that have not been seen for `SessionHold.lifetime`.
    ///
    /// - Throws: `JournalError`.
    func change(_ change: HoldChange) async throws(JournalError)

    /// Makes a copy that another process can read, while this one goes on.
    ///
    /// - Returns: Where it is.
    /// - Throws: `JournalError`.
    func backUp() async throws(JournalError) -> Backup

    /// Commits what was submitted, and closes the storage; nothing is submitted afterwards.
    func close() async
}

extension Journal {
    /// The first entry of a session is found in its record, unless a journal has a shorter way.
    package func creation(of key: JournalKey) async throws(JournalError) -> Entry? {
        try await record(of: key)?.entries.first
    }

    /// A journal counts nothing unless it says so.
    package var metrics: JournalMetrics? { nil }

    /// A journal's place says what it promises unless it says more.
    package var promise: String? { nil }

    /// A journal has one server unless it says otherwise.
    package var peers: (any JournalPeers)? { nil }
}

/// A copy of a journal, on the server's disk.
package struct Backup: Equatable, Sendable {
    /// Its path on the server's disk.
    package let path: String
    /// Its size in bytes.
    package let size: Int

    /// Makes a backup's description.
    ///
    /// - Parameters:
    ///   - path: Its path on the server's disk.
    ///   - size: Its size in bytes.
    package init(path: String, size: Int) {
        self.path = path
        self.size = size
    }
}

/// The reason why a journal did not do what it was asked.
package enum JournalError: Error, Equatable, Sendable {
    /// The change does not follow on what is stored: another server was first, or something was lost.
    case conflict
    /// The stored rows of a session are not those that were written; it alone is affected.
    case corrupt(EntryError)
    /// The storage does not work now, by its own words; it may later. What it was asked has not happened.
    case unavailable(String)
    /// The storage failed at a commit, by its own words, and nobody can tell whether that has happened.
    case outcomeUnknown(String)
    /// This journal cannot do that at all.
    case unsupported(String)
}

extension JournalError: CustomStringConvertible {
    /// One sentence for an operator.
    package var description: String {
        switch self {
        case .conflict: "the journal and the tree of this session have different revisions"
        case .corrupt(let error): "the session's record is damaged: \(error)"
        case .unavailable(let reason), .outcomeUnknown(let reason), .unsupported(let reason): reason
        }
    }
}

extension JournalError {
    /// True where the change or its session is to blame, and not the storage: all others go on.
    package var concernsOneSession: Bool {
        switch self {
        case .conflict, .corrupt: true
        case .unavailable, .outcomeUnknown, .unsupported: false
        }
    }
}
