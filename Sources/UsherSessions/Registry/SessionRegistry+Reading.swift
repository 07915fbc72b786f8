import Usher
import UsherJSON
package import UsherJournal

extension SessionRegistry {
    /// Returns a session's current state.
    ///
    /// - Throws: `SessionError`.
    package func snapshot(
        of id: SessionID, for claim: SessionClaim = .granted
    ) async throws(SessionError) -> Snapshot {
        try await with(id) { session throws(SessionError) in try await session.snapshot(for: claim) }
    }

    /// Returns the report on a session's coordinators, as JSON.
    ///
    /// - Throws: `SessionError`.
    package func report(of id: SessionID) async throws(SessionError) -> [UInt8] {
        try await with(id) { session throws(SessionError) in try await session.report() }
    }

    /// Returns the servers on the journal; empty if only this server uses it.
    ///
    /// - Throws: `SessionError` if the journal cannot be read.
    package func nodes() async throws(SessionError) -> [JournalNode] {
        guard let peers = settings.peers else { return [] }
        return try await settings.ask(await peers.nodes())
    }

    /// Returns the builds that use or have used the journal: running builds first, and in each group the most recent
    /// first.
    ///
    /// - Throws: `SessionError` if the journal cannot be read.
    package func builds() async throws(SessionError) -> [JournalBuild] {
        let builds = try await settings.ask(await settings.journal.builds())
        return builds.sorted { ($0.isServing ? 1 : 0, $0.seen, $0.number) > ($1.isServing ? 1 : 0, $1.seen, $1.number) }
    }

    /// Returns, for each build, the number of sessions that the build leaves to another build.
    ///
    /// - Throws: `SessionError` if the journal cannot be read.
    package func refusals() async throws(SessionError) -> [RefusalCount] {
        guard let peers = settings.peers else { return [] }
        return try await settings.ask(await peers.refusals())
    }

    // MARK: Watching

    /// Shows a session's states to a watcher from now on.
    ///
    /// - Parameters:
    ///   - watcher: Receives the states until `unwatch` is called.
    ///   - id: The session.
    ///   - claim: The request's token or right.
    /// - Returns: The current state. The watcher may already have received this state and older ones.
    /// - Throws: `SessionError`; `tooManyWatchers` if there is no room for another watcher.
    package func watch(
        _ id: SessionID, by watcher: any SessionWatcher, for claim: SessionClaim = .granted
    ) async throws(SessionError) -> SharedSnapshot {
        try settings.gate.admit(.stream, expecting: ExpectedMemory.stream)
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

    /// Removes a watcher.
    package func unwatch(_ id: SessionID, by watcher: any SessionWatcher) {
        settings.watches.remove(watcher, of: id)
        reclaim.note(left: { watcherCount })
    }

    /// Ends all waits for answers, because the server is about to stop; the waiting clients receive the current state.
    package func endWaits() {
        settings.waits.close()
    }

    /// The number of watchers of all sessions.
    package var watcherCount: Int { settings.watches.count }

    /// The number of watchers divided by the largest allowed number, from 0 to 1.
    package var watcherPart: Double { Double(watcherCount) / Double(max(1, settings.bounds.allWatchersLimit)) }

    /// Returns a session's state as soon as it differs from a known state, or when a time limit is reached.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - known: The state that the client knows.
    ///   - duration: The longest time to wait.
    ///   - claim: The request's token or right.
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

    /// Returns a session's entries in the journal.
    ///
    /// - Throws: `SessionError`.
    package func entries(of id: SessionID) async throws(SessionError) -> [Entry] {
        try await settings.liveRecord(of: id).entries
    }

    /// Returns a session's entries up to a revision.
    ///
    /// - Parameter revision: The last revision; `nil` for the newest.
    /// - Throws: `SessionError`; `noRevision` if there is no such revision, or if the replay has crashed this build.
    package func entries(of id: SessionID, through revision: Int?) async throws(SessionError) -> [Entry] {
        let record = try await settings.liveRecord(of: id)
        return Array(try entries(of: record, id, through: revision ?? record.head.revision))
    }

    private func entries(
        of record: SessionRecord, _ id: SessionID, through revision: Int
    ) throws(SessionError) -> ArraySlice<Entry> {
        let (first, newest) = (record.head.history.start, record.head.revision)
        guard (first...max(first, newest)).contains(revision) else {
            let reason = first > 1 ? ", because it has started over" : ""
            throw .noRevision(
                "the session has no revision \(revision); it has the revisions \(first) to \(newest)\(reason)")
        }
        let entries = record.entries.through(revision)
        guard let crash = replayCrash(of: id),
            (try? EffectiveHistory(entries))?.entries.contains(where: { $0.revision == crash.identity.revision })
                ?? false
        else { return entries }
        let last = crash.identity.revision
        throw .noRevision("this build cannot replay revision \(last), which ended its process (\(crash.crash))")
    }

    /// Returns the state that a session had at an earlier revision, as JSON.
    ///
    /// - Throws: `SessionError`; `noRevision` if there was no such revision, or this build cannot show it.
    package func state(of id: SessionID, at revision: Int) async throws(SessionError) -> [UInt8] {
        let (record, tree) = try await rebuild(id, at: revision)
        var writer = JSONWriter(reservingCapacity: tree.stateBytes + 512)
        tree.writeState(of: id, app: apps.presentName(of: record.head.app), into: &writer)
        return writer.bytes
    }

    /// Returns the report on the coordinators that a session had at an earlier revision, as JSON.
    ///
    /// - Throws: `SessionError`; `noRevision` if there was no such revision, or this build cannot show it.
    package func report(of id: SessionID, at revision: Int) async throws(SessionError) -> [UInt8] {
        try await rebuild(id, at: revision).tree.report
    }

    /// Returns the memory that a session used at its revisions.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - place: The revision that the points follow.
    ///   - revision: The last revision; `nil` for the newest.
    ///   - limit: The largest number of points, without counting points that show a leak.
    /// - Throws: `SessionError`; `noRevision` if there is no such revision, or if this build cannot follow the session.
    package func memoryHistory(
        of id: SessionID, after place: Int = 0, through revision: Int? = nil, limit: Int
    ) async throws(SessionError) -> [MemoryPoint] {
        try await replay(id, through: revision) { _, replay in try await replay.memory(after: place, limit: limit) }
    }

    /// Returns the states that a session has had, as places on the map of its app.
    ///
    /// - Parameter limit: The largest number of revisions; the newest are returned.
    /// - Throws: `SessionError`; `noRevision` if this build cannot follow the session.
    package func walk(
        of id: SessionID, limit: Int
    ) async throws(SessionError) -> (app: String, steps: [WalkStep]) {
        try await replay(id, through: nil) { [apps] record, replay in
            (apps.presentName(of: record.head.app), try await replay.walk(limit: limit))
        }
    }

    /// Returns a session's inputs in the form in which clients send them, so that a test can repeat the session.
    ///
    /// - Parameter revision: The last revision; `nil` for the newest.
    /// - Throws: `SessionError`; `noRevision` if there is no such revision, or if this build cannot follow the session.
    package func exported(
        _ id: SessionID, through revision: Int?
    ) async throws(SessionError) -> ExportedSession {
        try await replay(id, through: revision) { _, replay in try replay.exported() }
    }

    /// Returns a session's entries as an archive.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - revision: The last revision; `nil` for the newest.
    ///   - build: The name of this build.
    /// - Throws: `SessionError`; `noRevision` if there is no such revision.
    package func archive(
        _ id: SessionID, through revision: Int?, by build: String
    ) async throws(SessionError) -> SessionArchive {
        let record = try await settings.liveRecord(of: id)
        let entries = try entries(of: record, id, through: revision ?? record.head.revision)
        return SessionArchive(Array(entries), of: record.head.app, among: apps, by: build)
    }

    /// Creates a copy of the journal that another process can read.
    ///
    /// - Throws: `SessionError`.
    package func backUp() async throws(SessionError) -> Backup {
        try await settings.ask(await settings.journal.backUp())
    }

    /// Returns a session's whole record, and its tree at a revision.
    func rebuild(
        _ id: SessionID, at revision: Int
    ) async throws(SessionError) -> sending (record: SessionRecord, tree: Tree) {
        let (record, box) = try await replay(id, through: revision) { record, replay in
            (record, SendingBox(try await replay.tree()))
        }
        guard let tree = box.take() else { throw SessionError(restoring: ReplayError.noCreation) }
        return (record, tree)
    }

    /// Replays a session on the threads for replays; the live session stays unchanged.
    ///
    /// `body` receives the session's whole record, and the replay of its entries up to `revision`, or of all entries if
    /// `revision` is `nil`.
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
            let replay = settings.replay(entries, of: id, record.head.app)
            return try await withTaskExecutorPreference(settings.threads.replays) { try await body(record, replay) }
        } catch let divergence as Divergence {
            throw .noRevision("this server cannot show revision \(revision): \(divergence)")
        } catch {
            throw SessionError(restoring: error)
        }
    }
}
