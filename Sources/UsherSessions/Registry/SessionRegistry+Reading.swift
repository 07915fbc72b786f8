import Usher
import UsherJSON
package import UsherJournal

extension SessionRegistry {
    /// The state of a session now.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - claim: The claim by which the request is let in.
    /// - Throws: `SessionError`.
    package func snapshot(
        of id: SessionID, for claim: SessionClaim = .granted
    ) async throws(SessionError) -> Snapshot {
        try await with(id) { session throws(SessionError) in try await session.snapshot(for: claim) }
    }

    /// A session's coordinators as JSON.
    ///
    /// - Parameter id: The key to it.
    /// - Throws: `SessionError`.
    package func report(of id: SessionID) async throws(SessionError) -> [UInt8] {
        try await with(id) { session throws(SessionError) in try await session.report() }
    }

    /// The servers on the journal; none where this one alone has it.
    ///
    /// - Throws: `SessionError`, where the journal cannot be read.
    package func nodes() async throws(SessionError) -> [JournalNode] {
        guard let peers = settings.peers else { return [] }
        return try await settings.ask { _ throws(JournalError) in try await peers.nodes() }
    }

    /// The builds whose servers use, or have used, the journal; first those that are running, then the most recent.
    ///
    /// - Throws: `SessionError`, where the journal cannot be read.
    package func builds() async throws(SessionError) -> [JournalBuild] {
        let builds = try await settings.ask { journal throws(JournalError) in try await journal.builds() }
        return builds.sorted { ($0.isServing ? 1 : 0, $0.seen, $0.number) > ($1.isServing ? 1 : 0, $1.seen, $1.number) }
    }

    /// The number of sessions that each build has left to another.
    ///
    /// - Throws: `SessionError`, where the journal cannot be read.
    package func refusals() async throws(SessionError) -> [RefusalCount] {
        guard let peers = settings.peers else { return [] }
        return try await settings.ask { _ throws(JournalError) in try await peers.refusals() }
    }

    // MARK: Watching

    /// Shows a session's states to a watcher from now on.
    ///
    /// - Parameters:
    ///   - watcher: The observer that is shown them, until `unwatch`.
    ///   - id: The key to the session.
    ///   - claim: The claim by which the request is let in.
    /// - Returns: The state as it stands; what the watcher has seen by then may be older.
    /// - Throws: `SessionError`, `tooManyWatchers` where there is no room.
    package func watch(
        _ id: SessionID, by watcher: any SessionWatcher, for claim: SessionClaim = .granted
    ) async throws(SessionError) -> SharedSnapshot {
        try settings.admit(.stream, expecting: ExpectedMemory.stream)
        defer { settings.gate.settle(ExpectedMemory.stream) }
        guard settings.watches.add(watcher, of: id, isUse: claim.isUse) else { throw .tooManyWatchers }
        do throws(SessionError) {
            let (snapshot, access) = try await with(id) { session throws(SessionError) in
                try await session.watched(for: claim)
            }
            settings.watches.note(access, of: id)
            return settings.watches.share(snapshot, of: id)
        } catch {
            unwatch(id, by: watcher)
            throw error
        }
    }

    /// Shows a watcher nothing more.
    ///
    /// - Parameters:
    ///   - id: The key to the session.
    ///   - watcher: The observer that was shown its states.
    package func unwatch(_ id: SessionID, by watcher: any SessionWatcher) {
        settings.watches.remove(watcher, of: id)
        reclaim.note(left: { watcherCount })
    }

    /// Lets no answer wait any more for what a client need not wait for, for the server is about to go.
    package func endWaits() {
        settings.waits.close()
    }

    /// The number of watchers of all sessions.
    package var watcherCount: Int { settings.watches.count }

    /// The part of the watchers that there may be which are there, from 0 to 1.
    package var watcherPart: Double { Double(watcherCount) / Double(max(1, settings.bounds.allWatchersLimit)) }

    /// The state of a session once it is beyond a revision, or after a time.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - known: The state that the client knows.
    ///   - duration: The time to wait at most.
    ///   - claim: The claim by which the request is let in.
    /// - Throws: `SessionError`.
    package func snapshot(
        of id: SessionID, beyond known: Snapshot, within duration: Duration, for claim: SessionClaim = .granted
    ) async throws(SessionError) -> Snapshot {
        let watcher = RevisionWatcher(beyond: known.revision, in: known.epoch)
        let first = try await watch(id, by: watcher, for: claim).snapshot
        defer { unwatch(id, by: watcher) }
        guard first.isSameRevision(as: known) else { return first }
        await settings.waits.run(
            within: duration, by: settings.clock, { await watcher.wait() }, endingBy: { watcher.end() })
        return try await snapshot(of: id, for: claim)
    }

    // MARK: Earlier revisions

    /// A session's entries in the journal.
    ///
    /// - Parameter id: The key to it.
    /// - Throws: `SessionError`.
    package func entries(of id: SessionID) async throws(SessionError) -> [Entry] {
        try await settings.liveRecord(of: id).entries
    }

    /// A session's entries up to a revision, which this build can replay for all that is known.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - revision: The revision; nil for the newest.
    /// - Throws: `SessionError`, `noRevision` where there is none such, or its replay has ended this build's process.
    package func entries(of id: SessionID, through revision: Int?) async throws(SessionError) -> [Entry] {
        let record = try await settings.liveRecord(of: id)
        return Array(try entries(of: record, id, through: revision ?? record.head.revision))
    }

    private func entries(
        of record: SessionRecord, _ id: SessionID, through revision: Int
    ) throws(SessionError) -> ArraySlice<Entry> {
        let (first, newest) = (record.head.history.start, record.head.revision)
        guard (first...max(first, newest)).contains(revision) else {
            let reason = first > 1 ? " because it has started over" : ""
            throw .noRevision(
                "the session has the revisions \(first) to \(newest)\(reason), and no revision \(revision)")
        }
        let entries = record.entries.through(revision)
        guard let crash = replayCrash(of: id),
            (try? EffectiveHistory(entries))?.entries.contains(where: { $0.revision == crash.identity.revision })
                ?? false
        else { return entries }
        let last = crash.identity.revision
        throw .noRevision("this build cannot replay revision \(last), which ended its process (\(crash.crash))")
    }

    /// The state that a session had at an earlier revision, as JSON.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - revision: The revision.
    /// - Throws: `SessionError`, `noRevision` where there was none or this build cannot show it.
    package func state(of id: SessionID, at revision: Int) async throws(SessionError) -> [UInt8] {
        let (record, tree) = try await rebuild(id, at: revision)
        var writer = JSONWriter(reservingCapacity: tree.stateBytes + 512)
        tree.writeState(of: id, app: apps.presentName(of: record.head.app), into: &writer)
        return writer.bytes
    }

    /// The coordinators that a session had at an earlier revision, as JSON.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - revision: The revision.
    /// - Throws: `SessionError`, `noRevision` where there was none or this build cannot show it.
    package func report(of id: SessionID, at revision: Int) async throws(SessionError) -> [UInt8] {
        try await rebuild(id, at: revision).tree.report
    }

    /// The memory that a session had at its revisions.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - place: The revision behind which the points begin.
    ///   - revision: The last revision; nil for the newest.
    ///   - limit: The number of points at most, beside those that tell of a leak.
    /// - Throws: `SessionError`, `noRevision` where there is none such, or this build cannot follow the session.
    package func memoryHistory(
        of id: SessionID, after place: Int = 0, through revision: Int? = nil, limit: Int
    ) async throws(SessionError) -> MemoryHistory {
        try await replay(id, through: revision) { _, replay in try await replay.memory(after: place, limit: limit) }
    }

    /// The states that a session has been in, on the map of its app.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - limit: The number of revisions at most, the newest.
    /// - Throws: `SessionError`, `noRevision` where this build cannot follow the session.
    package func walk(
        of id: SessionID, limit: Int
    ) async throws(SessionError) -> (app: String, walk: SessionWalk) {
        try await replay(id, through: nil) { [apps] record, replay in
            (apps.presentName(of: record.head.app), try await replay.walk(limit: limit))
        }
    }

    /// A session as its inputs have to be sent to walk it again.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - revision: The last revision; nil for the newest.
    /// - Throws: `SessionError`, `noRevision` where there is none such, or this build cannot follow the session.
    package func exported(
        _ id: SessionID, through revision: Int?
    ) async throws(SessionError) -> ExportedSession {
        try await replay(id, through: revision) { _, replay in try replay.exported() }
    }

    /// A session's entries as JSON can have them.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - revision: The last revision; nil for the newest.
    ///   - build: This build.
    /// - Throws: `SessionError`, `noRevision` where there is none such.
    package func archive(
        _ id: SessionID, through revision: Int?, by build: String
    ) async throws(SessionError) -> SessionArchive {
        let record = try await settings.liveRecord(of: id)
        let entries = try entries(of: record, id, through: revision ?? record.head.revision)
        return SessionArchive(Array(entries), of: record.head.app, among: apps, by: build)
    }

    /// Makes a copy of the journal that another process can read.
    ///
    /// - Throws: `SessionError`.
    package func backUp() async throws(SessionError) -> Backup {
        try await settings.ask { journal throws(JournalError) in try await journal.backUp() }
    }

    /// The whole record of a session, and the tree as it was at a revision.
    func rebuild(
        _ id: SessionID, at revision: Int
    ) async throws(SessionError) -> sending (record: SessionRecord, tree: Tree) {
        let (record, box) = try await replay(id, through: revision) { record, replay in
            (record, SendingBox(try await replay.tree()))
        }
        guard let tree = box.take() else { throw SessionError(restoring: ReplayError.noCreation) }
        return (record, tree)
    }

    /// Replays a session beside the live one, on the threads for that.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - revision: The last revision; nil for the newest.
    ///   - body: Is given the session's whole record, and the replay of its entries.
    private func replay<Found: Sendable>(
        _ id: SessionID, through revision: Int?,
        _ body: @Sendable (SessionRecord, Replay) async throws -> Found
    ) async throws(SessionError) -> Found {
        let record = try await settings.liveRecord(of: id)
        if !settings.guilty.isEmpty { try await settings.judgeReplay(of: id, record) }
        let bytes = ExpectedMemory.record(of: record.head.bytes)
        settings.gate.expect(bytes)
        defer { settings.gate.settle(bytes) }
        let revision = revision ?? record.head.revision
        let entries = try entries(of: record, id, through: revision)
        do {
            let replay = Replay(
                entries, apps: apps, stateLimit: settings.bounds.stateLimit,
                by: settings.guilty.build(),
                marking: SessionFlight(settings.flight, of: id.journalKey, app: record.head.app))
            return try await withTaskExecutorPreference(settings.threads.replays) { try await body(record, replay) }
        } catch let divergence as Divergence {
            throw .noRevision("this server cannot show revision \(revision): \(divergence)")
        } catch {
            throw SessionError(restoring: error)
        }
    }
}
