/// The operations of a journal that several servers share.
///
/// Any server can serve any session, and no server owns a session. A server's trees are caches, which may be outdated.
/// A server therefore sends clients only states that the journal has confirmed within the same request: by committing a
/// change, or by `confirm`.
package protocol JournalPeers: Sendable {
    /// A Boolean value that indicates whether this server can serve requests.
    ///
    /// `false` if the journal has not responded for some seconds, or if another server runs under this server's name.
    var isReachable: Bool { get }

    /// A sentence for the operator if another server runs under this server's name; otherwise nil.
    var displacement: String? { get }

    /// The server's connections to the journal's database; nil for a journal without connections.
    var connections: JournalConnections? { get }

    // MARK: Time

    /// Returns the journal's current time in milliseconds since 1970, which all servers use for ages and timers; nil if
    /// the journal has no clock, so that each server uses its own clock.
    func now() -> Int64?

    /// The milliseconds by which this server's clock is ahead of the journal's clock.
    var clockError: Int64 { get }

    // MARK: Records

    /// Checks, without waiting, whether a record still has the version that a tree knows.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - basis: The tree's newest change. If this change is pending, the check runs after the change was written. The
    ///     result of the change itself is not enough, because the change may have been written before this call.
    /// - Returns: The pending result. If the record still has the known version, the result is this version. If the
    ///   record has another version, perhaps by a later change of the same tree, the result is `JournalError.conflict`.
    ///   If the version cannot be checked, the result is the error.
    func confirm(_ key: JournalKey, upon basis: PendingCommit) -> PendingCommit

    // MARK: Work

    /// The number of this server's newest lease.
    ///
    /// If a lease expires, the next lease has another number, and does not own the work of the earlier lease, because
    /// other servers may have claimed this work.
    var lease: Int64 { get }

    /// A Boolean value that indicates whether the lease is valid; if not, this server starts none of its work.
    var mayBeginWork: Bool { get }

    /// Claims work that no living server owns. This server must run the claimed work as long as its lease stays the
    /// same.
    ///
    /// Work that a change starts need not be claimed if the change already sets its owner (`BegunWork.owner`). If the
    /// response to an earlier claim was lost, the function returns the work of that claim again.
    ///
    /// - Parameters:
    ///   - lease: The lease. An expired lease claims nothing.
    ///   - time: The time by which the work is due, in milliseconds since 1970.
    ///   - limit: The maximum number of pieces. The pieces that are due first are claimed.
    ///   - excluded: Sessions whose work is left to other servers.
    ///   - build: The server's build. Work of sessions on hold for this build is not claimed.
    func claim(
        under lease: Int64, dueBy time: Int64, limit: Int, except excluded: [JournalKey], for build: UInt64
    ) async throws(JournalError) -> [ClaimedWork]

    /// Gives up work that this server cannot do, so that other servers can claim the work. Does not wait.
    ///
    /// Pieces that another lease owns by now stay unchanged.
    func relinquish(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64)

    /// Deletes work that has ended or that no tree waits for.
    ///
    /// The function does not wait, and the deletion is separate from the change with the work's result. Pieces that
    /// another lease owns by now stay unchanged.
    func release(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64)

    /// Reserves a chore for some time; returns `false` if another server does the chore.
    ///
    /// Normally, only one server does a chore. If two servers do it, there is no harm.
    func take(_ chore: JournalChore) async throws(JournalError) -> Bool

    /// Updates `Journal.count`: once a minute, one server counts the sessions, and all servers read the result.
    func learnCount() async throws(JournalError)

    func guiltyVersion() async throws(JournalError) -> GuiltyInput.ListVersion

    // MARK: Builds side by side

    /// Records that a build leaves a session to the build that wrote the session.
    func note(_ refusal: SessionRefusal) async throws(JournalError)

    /// Returns the number of sessions that each build leaves to another running build.
    func refusals() async throws(JournalError) -> [RefusalCount]

    // MARK: Other servers

    /// Adds a listener. As long as the listener exists, the journal calls it when other servers have written.
    ///
    /// A notification is only a hint: the notification may be lost or late, and the write that it reports may be lost
    /// afterwards. Use `confirm` for certainty.
    func add(_ listener: any JournalListener)

    /// Returns the servers whose lease is valid, including this server.
    func nodes() async throws(JournalError) -> [JournalNode]
}

extension JournalPeers {
    package var displacement: String? { nil }

    package var connections: JournalConnections? { nil }

    package func now() -> Int64? { nil }

    package var clockError: Int64 { 0 }

    /// A Boolean value that indicates whether this server's clock is more than a minute off the journal's clock.
    ///
    /// If so, it is unknown which clock is wrong, so this server expires no sessions.
    package var isClockWrong: Bool { clockError.magnitude > 60_000 }
}

package protocol JournalListener: AnyObject, Sendable {
    /// Called on one of the journal's threads when other servers have written.
    ///
    /// The function must return quickly, and must not take a session's lock.
    ///
    /// - Parameter rings: The sessions that were written; empty if notifications were lost, so that any session may
    ///   have changed.
    func hear(_ rings: [JournalRing])
}

/// A session to which another server has written.
package struct JournalRing: Equatable, Sendable {
    package let key: JournalKey
    /// The revision that the session has reached.
    package let revision: Int

    package init(_ key: JournalKey, at revision: Int) {
        self.key = key
        self.revision = revision
    }
}

/// A chore that one server does for all servers on a journal.
package enum JournalChore: String, CaseIterable, Sendable {
    case sweep
    case count
}

/// The connections of a server to its journal's database.
package struct JournalConnections: Equatable, Sendable {
    /// The number of connections that the database has granted, over which the server does all its work.
    package let granted: Int
    /// The number of connections that the server would use if the database granted them.
    package let wanted: Int

    package init(granted: Int, wanted: Int) {
        self.granted = granted
        self.wanted = wanted
    }
}

/// A server on a shared journal.
package struct JournalNode: Equatable, Sendable {
    /// The server's name, which stays the same after a restart.
    package let name: String
    package let build: String
    /// The time when the server started, in milliseconds since 1970.
    package let since: Int64
    /// The end of the server's lease in milliseconds since 1970.
    package let until: Int64

    package init(name: String, build: String, since: Int64, until: Int64) {
        self.name = name
        self.build = build
        self.since = since
        self.until = until
    }
}
