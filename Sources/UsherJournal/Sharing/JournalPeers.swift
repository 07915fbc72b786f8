/// The operations of a journal that several servers share: any server can serve any session, and none owns one.
///
/// A server's trees are caches that the journal can overrule. So a server sends nothing to a client that the journal
/// has not confirmed within the same request: by a change's own commit, or else by `confirm`.
package protocol JournalPeers: Sendable {
    /// A Boolean value that indicates whether this server can serve requests.
    ///
    /// `false` if the journal has not responded for some seconds, or another server runs with this one's name.
    var isReachable: Bool { get }

    /// A sentence for the operator if another server runs with this one's name; otherwise nil.
    var displacement: String? { get }

    /// The connections that this server has to the journal's database; nil for a journal without connections.
    var connections: JournalConnections? { get }

    // MARK: Time

    /// Returns the journal's current time, by which servers agree about ages and timers.
    ///
    /// - Returns: Milliseconds since 1970; nil if the journal has no clock, so that each server uses its own.
    func now() -> Int64?

    /// The milliseconds by which this server's clock is ahead of the journal's.
    var clockError: Int64 { get }

    // MARK: Records

    /// Checks whether a record still has the version that a tree knows; never waits.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - basis: The tree's newest change. If the change is pending, the check runs once the change was written: the
    ///     change's own result is not enough, because it may have been written before this call.
    /// - Returns: The pending result, which ends in the version; in `JournalError.conflict` if the record has another
    ///   version, which may come from a later change of the same tree; or in the error that prevented the check.
    func confirm(_ key: JournalKey, upon basis: PendingCommit) -> PendingCommit

    // MARK: Work

    /// The number of this server's newest lease.
    ///
    /// A lease that has expired is followed by a lease with another number, which owns none of the first one's work,
    /// because other servers may have claimed it.
    var lease: Int64 { get }

    /// A Boolean value that indicates whether the lease is valid.
    ///
    /// After the lease has expired, other servers may have claimed its work, and this server starts none.
    var mayBeginWork: Bool { get }

    /// Claims work that no living server owns; this server must run it as long as it has the same lease.
    ///
    /// Work that a change starts is already owned (`BegunWork.owner`). If the response to an earlier claim was lost,
    /// the work of that claim is returned again.
    ///
    /// - Parameters:
    ///   - lease: The lease; an expired lease claims nothing.
    ///   - time: The time by which the work is due, in milliseconds since 1970.
    ///   - limit: The maximum number of pieces; those due first are claimed.
    ///   - excluded: Sessions whose work is left to other servers.
    ///   - build: The server's build: work of sessions on hold for this build is not claimed.
    /// - Throws: `JournalError`.
    func claim(
        under lease: Int64, dueBy time: Int64, limit: Int, except excluded: [JournalKey], for build: UInt64
    ) async throws(JournalError) -> [ClaimedWork]

    /// Gives up work that this server cannot do, without waiting, so that other servers can claim it.
    ///
    /// - Parameters:
    ///   - pieces: The work; pieces that another lease owns by now are left unchanged.
    ///   - key: The session.
    ///   - lease: The lease that owns the work.
    func relinquish(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64)

    /// Deletes work that has ended, or that no tree waits for.
    ///
    /// The function does not wait, and the deletion is not part of the change with the work's result.
    ///
    /// - Parameters:
    ///   - pieces: The work; pieces that another lease owns by now are left unchanged.
    ///   - key: The session.
    ///   - lease: The lease that owns the work.
    func release(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64)

    /// Reserves a chore for some time.
    ///
    /// One server at a time should do a chore; two do no harm.
    ///
    /// - Parameter chore: The chore.
    /// - Returns: `false` if another server does the chore.
    /// - Throws: `JournalError`.
    func take(_ chore: JournalChore) async throws(JournalError) -> Bool

    /// Updates `Journal.count` from the count that one server makes once a minute for all servers.
    ///
    /// - Throws: `JournalError`.
    func learnCount() async throws(JournalError)

    /// Returns the version of the list of guilty inputs, which changes when any server adds or deletes an input.
    ///
    /// - Throws: `JournalError`.
    func guiltyVersion() async throws(JournalError) -> GuiltyInput.ListVersion

    // MARK: Builds side by side

    /// Records that a build has left a session to the build that wrote it.
    ///
    /// - Parameter refusal: The session and both builds.
    /// - Throws: `JournalError`.
    func note(_ refusal: SessionRefusal) async throws(JournalError)

    /// Returns the number of sessions that each build has left to another running build.
    ///
    /// - Throws: `JournalError`.
    func refusals() async throws(JournalError) -> [RefusalCount]

    // MARK: Other servers

    /// Adds a listener that hears about other servers' writes as long as it lives.
    ///
    /// A notification is only a hint: it may be lost or late, or be about a write that was lost again. Use `confirm`
    /// for certainty.
    ///
    /// - Parameter listener: The listener.
    func add(_ listener: any JournalListener)

    /// Returns the servers whose lease is valid, including this one.
    ///
    /// - Throws: `JournalError`.
    func nodes() async throws(JournalError) -> [JournalNode]
}

extension JournalPeers {
    /// Nil: by default, no other server can have this one's name.
    package var displacement: String? { nil }

    /// Nil: by default, a journal has no connections.
    package var connections: JournalConnections? { nil }

    /// Nil: by default, a journal has no clock.
    package func now() -> Int64? { nil }

    /// Zero: by default, a journal has no clock.
    package var clockError: Int64 { 0 }

    /// A Boolean value that indicates whether this server's clock differs from the journal's by more than a minute.
    ///
    /// One of the clocks is wrong, so this server expires no sessions.
    package var isClockWrong: Bool { clockError.magnitude > 60_000 }
}

/// A listener to other servers' writes.
package protocol JournalListener: AnyObject, Sendable {
    /// Called on one of the journal's threads when other servers have written.
    ///
    /// The function must be quick, and must not take a session's lock.
    ///
    /// - Parameter rings: The written sessions; empty if notifications were lost, so that any session may have changed.
    func hear(_ rings: [JournalRing])
}

/// A session that another server has written.
package struct JournalRing: Equatable, Sendable {
    /// The session.
    package let key: JournalKey
    /// The revision that the session has reached.
    package let revision: Int

    /// Creates a ring.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - revision: The revision that the session has reached.
    package init(_ key: JournalKey, at revision: Int) {
        self.key = key
        self.revision = revision
    }
}

/// A chore that one server does for all servers on a journal.
package enum JournalChore: String, CaseIterable, Sendable {
    /// Expires and purges sessions.
    case sweep
    /// Counts the sessions.
    case count
}

/// The connections of a server to its journal's database.
package struct JournalConnections: Equatable, Sendable {
    /// The connections that the database has granted; the server does all its work over these.
    package let granted: Int
    /// The connections that the server uses if it can.
    package let wanted: Int

    /// Creates a count of connections.
    ///
    /// - Parameters:
    ///   - granted: The connections that the database has granted.
    ///   - wanted: The connections that the server uses if it can.
    package init(granted: Int, wanted: Int) {
        self.granted = granted
        self.wanted = wanted
    }
}

/// A server on a shared journal.
package struct JournalNode: Equatable, Sendable {
    /// The server's name, which stays the same after a restart.
    package let name: String
    /// The server's build.
    package let build: String
    /// The time when the server started, in milliseconds since 1970.
    package let since: Int64
    /// The end of the server's lease in milliseconds since 1970.
    package let until: Int64

    /// Creates a node.
    ///
    /// - Parameters:
    ///   - name: The server's name.
    ///   - build: The server's build.
    ///   - since: The time when the server started.
    ///   - until: The end of the server's lease.
    package init(name: String, build: String, since: Int64, until: Int64) {
        self.name = name
        self.build = build
        self.since = since
        self.until = until
    }
}
