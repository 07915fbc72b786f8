/// The side of a journal that several servers share: any of them serves any session, and none owns one.
///
/// A server's trees are caches that the journal can overrule. So nothing leaves a server that the journal has not
/// confirmed within the same request: a change by its own commit, everything else by `confirm`.
package protocol JournalPeers: Sendable {
    /// False while the journal has not answered for some seconds, or another server runs under this one's name: this server
    /// can serve nobody.
    var isReachable: Bool { get }

    /// The sentence for the operator while another server runs under this one's name; nil where none does.
    var displacement: String? { get }

    /// The connections to the journal's database that do this server's work; nil for a journal without connections.
    var connections: JournalConnections? { get }

    // MARK: Time

    /// The journal's time of day, by which servers agree about ages and timers.
    ///
    /// - Returns: Milliseconds since 1970; nil if the journal has no clock, so that each server goes by its own.
    func now() -> Int64?

    /// Milliseconds by which this server's time of day is ahead of the journal's.
    var clockError: Int64 { get }

    // MARK: Records

    /// Asks whether a record is still at the version that a tree knows; never waits.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - basis: The tree's newest change. If it is under way, the question is asked once it has happened: the change alone
    ///     is no answer, because it may have been written before this was asked.
    /// - Returns: The pending answer. It ends in the version; in `JournalError.conflict` if the record has another version,
    ///   which a later change of the same tree may have brought; or in why nobody knows.
    func confirm(_ key: JournalKey, upon basis: PendingCommit) -> PendingCommit

    // MARK: Work

    /// The number of this server's lease, the newest that it had.
    ///
    /// A lease that ran out is followed by one of another number, which owns nothing of what the first did: others may
    /// have claimed that.
    var lease: Int64 { get }

    /// True while the lease has not run out: else others may have claimed its work, and this server begins none.
    var mayBeginWork: Bool { get }

    /// Claims work that no living server owns; from now on it is this one's to run, as long as its lease is the same.
    ///
    /// Work that a change begins is owned already (`BegunWork.owner`). What the lease owns without this server having been
    /// told, for an answer did not come, comes again.
    ///
    /// - Parameters:
    ///   - lease: The lease; one that has run out claims nothing.
    ///   - time: What is due by then: milliseconds since 1970.
    ///   - limit: How many pieces at most, those that were due first.
    ///   - excluded: Sessions of which nothing is claimed: their work is left to others.
    ///   - build: The server's build: nothing is claimed of sessions that are on hold for it.
    /// - Throws: `JournalError`.
    func claim(
        under lease: Int64, dueBy time: Int64, limit: Int, except excluded: [JournalKey], for build: UInt64
    ) async throws(JournalError) -> [ClaimedWork]

    /// Gives work back that this server cannot do, without waiting: any other may claim it from now on.
    ///
    /// - Parameters:
    ///   - pieces: The work; what another lease owns by now stays that one's.
    ///   - key: The session.
    ///   - lease: The lease that owns it.
    func relinquish(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64)

    /// Forgets work that has come to its end, or that no tree waits for; without waiting, and apart from the change that
    /// brought its result.
    ///
    /// - Parameters:
    ///   - pieces: The work; what another lease owns by now stays.
    ///   - key: The session.
    ///   - lease: The lease that owns it.
    func release(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64)

    /// Takes a chore for some time, which one server at a time should do; two do no harm.
    ///
    /// - Parameter chore: The chore.
    /// - Returns: False where another server does it.
    /// - Throws: `JournalError`.
    func take(_ chore: JournalChore) async throws(JournalError) -> Bool

    /// Learns how many sessions there are, as one server counts them once a minute for all; for `Journal.count`.
    ///
    /// - Throws: `JournalError`.
    func learnCount() async throws(JournalError)

    /// The version of the list of guilty inputs: another after any server has added or forgotten one.
    ///
    /// - Throws: `JournalError`.
    func guiltyVersion() async throws(JournalError) -> GuiltyInput.ListVersion

    // MARK: Builds side by side

    /// Records that a build has left a session to the build that wrote it.
    ///
    /// - Parameter refusal: The session and both builds.
    /// - Throws: `JournalError`.
    func note(_ refusal: SessionRefusal) async throws(JournalError)

    /// The number of sessions that each build has left to another that is running.
    ///
    /// - Throws: `JournalError`.
    func refusals() async throws(JournalError) -> [RefusalCount]

    // MARK: Other servers

    /// Tells a listener of what other servers write, as long as it lives.
    ///
    /// That is a hint: a ring may be lost, come late, or tell of what was lost again. Whoever has to know asks `confirm`.
    ///
    /// - Parameter listener: The listener.
    func add(_ listener: any JournalListener)

    /// The servers whose lease has not run out, this one among them.
    ///
    /// - Throws: `JournalError`.
    func nodes() async throws(JournalError) -> [JournalNode]
}

extension JournalPeers {
    /// None.
    package var displacement: String? { nil }

    /// None.
    package var connections: JournalConnections? { nil }

    /// None.
    package func now() -> Int64? { nil }

    /// None.
    package var clockError: Int64 { 0 }

    /// A Boolean value indicating whether this server's time of day differs from the journal's by more than a minute.
    ///
    /// Either of them is wrong, so this server expires nothing.
    package var isClockWrong: Bool { clockError.magnitude > 60_000 }
}

/// A listener to what other servers write.
package protocol JournalListener: AnyObject, Sendable {
    /// Other servers have written; called on a thread of the journal's, so it takes no time and no session's lock.
    ///
    /// - Parameter rings: The sessions; none where all may have been written, for rings were lost.
    func hear(_ rings: [JournalRing])
}

/// A session that another server has written.
package struct JournalRing: Equatable, Sendable {
    /// The session.
    package let key: JournalKey
    /// The revision that it has come to.
    package let revision: Int

    /// Makes a ring.
    ///
    /// - Parameters:
    ///   - key: The session.
    ///   - revision: The revision that it has come to.
    package init(_ key: JournalKey, at revision: Int) {
        self.key = key
        self.revision = revision
    }
}

/// A chore that is done for all servers on a journal.
package enum JournalChore: String, CaseIterable, Sendable {
    /// Expiry and purge.
    case sweep
    /// Counting the sessions.
    case count
}

/// The connections of a server to its journal's database.
package struct JournalConnections: Equatable, Sendable {
    /// The connections that the database has granted; the server does all its work over these.
    package let granted: Int
    /// The connections that the server uses if it can.
    package let wanted: Int

    /// Makes a count of connections.
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
    /// Its name, which is the same after a restart.
    package let name: String
    /// Its build.
    package let build: String
    /// The time at which it came: milliseconds since 1970.
    package let since: Int64
    /// The end of its lease: milliseconds since 1970.
    package let until: Int64

    /// Makes a node.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - build: Its build.
    ///   - since: The time at which it came.
    ///   - until: The end of its lease.
    package init(name: String, build: String, since: Int64, until: Int64) {
        self.name = name
        self.build = build
        self.since = since
        self.until = until
    }
}
