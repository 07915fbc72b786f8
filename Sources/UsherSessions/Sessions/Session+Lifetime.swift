import Synchronization
import Usher
import UsherJournal
import UsherMetrics
import UsherProcess

extension Session {
    /// Builds the tree by replay, or waits for the request that is building it.
    ///
    /// The replay does not hold the session's lock, and a long replay runs on the threads for replays. Only requests
    /// for this session therefore wait.
    ///
    /// - Parameters:
    ///   - revision: The revision to roll back to, if the session cannot be replayed; otherwise `nil`.
    ///   - waits: Pass `true` to wait until the waking's changes are durable. If a write fails, the waking fails, too.
    ///   - work: The kind of work that may be refused if the record needs too much memory; `nil` for other work.
    /// - Returns: The version that this request has read; `nil` if it has read no record, or if the journal is not
    ///   shared.
    /// - Throws: `SessionError` if there is no tree.
    @discardableResult
    func wake(
        rollingBackTo revision: Int? = nil, waiting waits: Bool = true, as work: Admission? = nil
    ) async throws(SessionError) -> RecordToken? {
        switch await locked({ $0.state.beginWaking() }) {
        case .none: return nil
        case .wait(let waking):
            let error = await waking.wait()
            // A rollback continues even if the other request has found that the session is on hold.
            if revision != nil, error?.isUnrestorable ?? true {
                return try await wake(rollingBackTo: revision, waiting: waits, as: work)
            }
            guard let error else { return nil }
            // The other request was refused for lack of memory; this request is never refused, so the caller retries.
            if case .noRoom = error, work == nil { return nil }
            throw error
        case .build(let predecessor):
            let start = settings.clock.uptime
            let result = await timed { await build(after: predecessor, at: revision, as: work) }
            let cost = predecessor?.isBroken ?? false ? settings.clock.uptime &- start : 0
            let waking = await locked { guarded in
                // Informs the watchers under the lock, so that they do not see a state of another tree before.
                if case .onHold(let reason)? = result.error { hold(guarded, for: reason) }
                return guarded.endWaking(result, costing: cost)
            }
            // Starts the work of the replayed inputs, which are durable. Work of a new resumption starts later.
            if let woken = result.woken {
                settings.held.forgetStalled([id])
                commit(beginning: woken.begun)
            }
            if case .over = result {
                // Counts the coordinators of a dropped tree as ended, because the session has ended.
                settings.totals.end(predecessor?.counted.live ?? 0)
                whenFree { [self] in stop($0) }
            }
            waking?.open(with: result.error)
            if let error = result.error { throw error }
            // Does not wait on a shared journal: if another server wrote first, the request wakes the session again.
            guard waits, !settings.isShared, let woken = result.woken else { return result.woken?.newest.version }
            if case .failure(let error) = await woken.newest.wait() { throw SessionError(writing: error) }
            if woken.revision > woken.durable { commit(woken.revision, of: woken.lineage) }
            return nil
        }
    }

    /// Writes the resumption of the session, and then starts the session's work.
    func confirmResumption() async {
        let written = await locked { guarded in
            guarded.look { awake -> WrittenResumption? in
                let written = awake.confirmResumption()
                // Shows the state again, because the state has another entity tag after the resumption is written.
                if written != nil { awake.showState() }
                return written
            } ?? nil
        }
        if let written { _ = await begin(written) }
    }

    /// Waits until a resumption is durable, and then starts the session's work; returns the error if the write failed.
    func begin(_ resumption: WrittenResumption) async -> JournalError? {
        if case .failure(let error) = await resumption.commit.wait() { return error }
        commit(resumption.revision, of: resumption.lineage, beginning: resumption.begun)
        return nil
    }

    private func build(
        after predecessor: CarriedState?, at revision: Int?, as work: Admission?
    ) async -> WakeResult {
        do throws(JournalError) {
            let verdict = try await settings.held.verdict(on: id)
            // A rollback ignores the verdict.
            if revision == nil, let verdict, try await counts(verdict) { return .failed(.onHold(verdict.reason)) }
            // If the session is left to another build, checks whether it has ended, because the answer is then the end.
            if settings.releases.isLeft(id), let head = try await settings.journal.head(of: id.journalKey),
                head.header.ending == nil
            {
                return .failed(.servedElsewhere)
            }
            guard let record = try await settings.journal.record(of: id.journalKey) else { return .failed(.unknown) }
            if let tombstone = Tombstone(record.head) { return .over(tombstone, at: record.token) }
            let bytes = ExpectedMemory.session + ExpectedMemory.record(of: record.head.bytes)
            do throws(SessionError) { try settings.gate.admit(work, expecting: bytes) } catch { return .failed(error) }
            defer { settings.gate.settle(bytes) }
            // A short replay stays on this thread, because switching threads would take longer.
            let threads = record.entries.count > Replay.shortStretch ? settings.threads.replays : nil
            let result = await withTaskExecutorPreference(threads) {
                await replay(record, after: predecessor, at: revision)
            }
            // If the verdict cannot be deleted now, the next replay will delete it.
            if let verdict, result.woken != nil { try? await settings.held.lift(verdict, on: id) }
            return result
        } catch {
            let head = try? await settings.journal.head(of: id.journalKey)
            return await fail(SessionError(reading: error), at: head.map { RecordVersion($0.header, $0.token) })
        }
    }

    /// Returns `true` if a verdict still applies to the record.
    ///
    /// - Throws: `JournalError`.
    private func counts(_ verdict: HeldSessions.Verdict) async throws(JournalError) -> Bool {
        if settings.isLeftToWriter(verdict) { return false }
        // This server or another one may have deleted the guilty input.
        if verdict.reason.kind == .replayCrashes, settings.guilty.replay(of: id.journalKey) == nil { return false }
        // Without a version, it is unknown whether the record has changed since the verdict.
        guard verdict.version != nil else { return false }
        guard verdict.reason.kind == .losesFacts, let writer = verdict.writer,
            settings.apps.contains(where: { $0.onDivergence == .end }),
            let head = try await settings.journal.head(of: id.journalKey),
            settings.apps.app(named: head.header.app)?.onDivergence == .end
        else { return true }
        return try await settings.releases.permission(toServeAfter: writer) == .unwritten
    }

    private func replay(
        _ record: SessionRecord, after predecessor: CarriedState?, at revision: Int?
    ) async -> WakeResult {
        do {
            if !settings.guilty.isEmpty { try await settings.judgeReplay(of: id, record) }
            let replay = settings.replay(record.entries, of: id, record.head.app)
            let result = try await restore(replay, at: revision, beyond: record.head.reservation)
            let diverges = result.divergence != nil
            // The build that wrote the record may still serve the session. That build's coordinators may take other
            // paths, because they know other changes of the app.
            let isForeign = settings.isShared && result.tree.hasForeignChanges
            let permission = diverges || isForeign ? try await askToServe(record) : .written
            if permission == .refused { return .failed(.servedElsewhere) }
            // A rollback is written at once, because an operator has requested it.
            let mayWait = diverges && permission == .unwritten && revision == nil
            let awake = awake(result, record, after: predecessor, mayWait: mayWait)
            let begun = diverges && !mayWait ? awake.begunWork() : []
            return .awake(
                WokenTree(
                    durable: record.head.revision, begun: begun,
                    revision: mayWait ? record.head.revision : awake.revision, newest: awake.newest,
                    lineage: awake.lineage, box: SendingBox(awake)))
        } catch {
            let failure = SessionError(restoring: error)
            let ends = settings.apps.endSession(of: record.head.app, after: error)
            if case .onHold(let reason) = failure, reason.dependsOnBuild, settings.isShared || ends {
                do throws(SessionError) {
                    switch try await askToServe(record) {
                    case .refused: return .failed(.servedElsewhere)
                    case .written where ends: return try await end(record, for: reason)
                    case .written, .unwritten: break
                    }
                } catch {
                    return .failed(error)
                }
            }
            return await fail(
                failure, at: RecordVersion(record.head, record.token), writtenBy: record.entries.newestBuild)
        }
    }

    /// Ends the session, because its app ends sessions that this build cannot follow.
    private func end(_ record: SessionRecord, for reason: HoldReason) async throws(SessionError) -> WakeResult {
        var writer = RecordWriter(
            RecordHead(record.head, token: record.token), of: id, settings: settings, answers: [], isOwn: true)
        let ending = SessionEnding(.deleted, options: record.entries.first?.toldOptions)
        let commit = writer.end(ending, at: settings.clock.now())
        if case .failure(let error) = await commit.wait() { throw SessionError(writing: error) }
        guard let tombstone = Tombstone(writer.header) else { throw .unknown }
        settings.metrics.app(settings.apps.presentName(of: record.head.app)).count(.deleted)
        settings.observe(.endedByDivergence(id, reason))
        return .over(tombstone, at: commit.version)
    }

    /// Returns the permission to serve the session differently than the former build.
    ///
    /// If this build may not serve the session, leaves the session to the former build, and ends the streams of the
    /// watchers, which must reconnect.
    private func askToServe(_ record: SessionRecord) async throws(SessionError) -> Releases.Permission {
        guard let writer = record.entries.newestBuild else { return .written }
        let permission = try await settings.ask(await settings.releases.permission(toServeAfter: writer))
        if permission == .refused {
            await settings.releases.leave(id, to: writer)
            settings.watches.end(id, .restart)
        }
        return permission
    }

    /// Builds the tree; throws an error if the replay is known to crash the process.
    private func restore(
        _ replay: Replay, at revision: Int?, beyond reservation: SessionHeader.Reservation?
    ) async throws -> sending ReplayResult {
        let time = settings.clock.now()
        guard let crash = settings.guilty.replay(of: id.journalKey) else {
            return try await replay.restore(at: time, beyond: reservation)
        }
        guard let entry = try replay.followed(crash.identity.revision) else {
            // The rollback has removed the crashing entry from the history, so the replay is safe again.
            await settings.forgetReplay(of: id)
            return try await replay.restore(at: time, beyond: reservation)
        }
        guard let revision else { throw SessionError.onHold(HoldReason(crash)) }
        return try await replay.restore(
            from: revision, past: Divergence(entry, found: "the end of the process"), at: time,
            beyond: reservation)
    }

    private func awake(
        _ result: consuming sending ReplayResult, _ record: SessionRecord, after predecessor: CarriedState?,
        mayWait: Bool
    ) -> sending AwakeSession {
        app.store(settings.metrics.index(of: settings.apps.presentName(of: record.head.app)), ordering: .relaxed)
        let (head, writer) = (RecordHead(record.head, token: record.token), record.entries.newestBuild)
        let awake = AwakeSession(
            result.tree, head, id: id, settings: settings, answers: record.answers,
            isOwn: result.entry != nil || writer == settings.guilty.build())
        awake.begin(after: predecessor, with: result, writtenBy: writer, mayWait: mayWait)
        return awake
    }

    private func fail(
        _ error: SessionError, at version: RecordVersion?, writtenBy writer: UInt64? = nil
    ) async -> WakeResult {
        await note(error, at: version, writtenBy: writer)
        return .failed(error)
    }

    /// If the error is `onHold`, records the verdict on the session, and reports a new verdict to the operator.
    private func note(_ error: SessionError, at version: RecordVersion?, writtenBy writer: UInt64? = nil) async {
        guard case .onHold(let reason) = error else { return }
        let verdict = HeldSessions.Verdict(
            reason: reason, version: version, writer: reason.dependsOnBuild ? writer : nil)
        do throws(JournalError) {
            if try await settings.held.hold(id, by: verdict) { settings.observe(.held(id, reason)) }
        } catch {
            // If the verdict cannot be written, the next request judges the session again.
            settings.observe(.postponed(cause: "\(error)"))
        }
    }

    /// Stops the work of a dropped tree, because there will be no new tree, and informs the watchers.
    private func hold(_ guarded: borrowing GuardedSession, for reason: HoldReason) {
        guarded.work.stop()
        settings.watches.end(id, .held(reason))
    }

    /// Returns the head of the session's record in the journal; `nil` if there is no record.
    ///
    /// - Throws: `SessionError`. A damaged head is also reported to the operator.
    func headInJournal() async throws(SessionError) -> RecordHead? {
        do throws(SessionError) {
            return try await settings.ask(await settings.journal.head(of: id.journalKey))
        } catch {
            await note(error, at: nil)
            throw error
        }
    }

    private func timed(_ body: () async -> WakeResult) async -> WakeResult {
        let start = ContinuousClock.now
        let result = await body()
        guard case .awake = result else { return result }
        settings.metrics.wakingTimes.record(Int((ContinuousClock.now - start).nanoseconds))
        metrics.count(.woken)
        return result
    }

    // MARK: The end

    /// Removes the session from memory, unless it is in use; returns `true` if the session has left memory.
    func retire() -> Bool {
        let leaks = ifFree(.arriving) { retire(&$0) }
        settings.endFlight()
        guard let leaks, let leaks else { return false }
        settings.leave(self)
        if !leaks.isEmpty { settings.observe(.leaked(id, leaks)) }
        return true
    }

    /// Removes the session from memory, unless it is in use, and returns the coordinators that stayed in memory.
    ///
    /// - Returns: `nil` if the session was not removed.
    private func retire(_ guarded: inout GuardedSession) -> [Leak]? {
        // `enter` drops a tree whose write failed. A session with a waiting answer stays in memory, because requests
        // with the same key look for the answer in memory.
        _ = guarded.enter()
        guard !guarded.work.hasWaits else { return nil }
        switch guarded.state.retire(where: { $0.isIdle }, keeping: guarded.work.hasEffects) {
        case .refused: return nil
        case .left: return []
        case .forgotten(let carried):
            guarded.work.stop()
            settings.totals.hibernate(carried?.counted.live ?? 0)
            return []
        case .hibernated(let awake):
            guarded.work.stop()
            awake.flight.begin(.end)
            return awake.hibernate()
        }
    }
}

extension GuardedSession {
    /// Ends the waking, and returns the latch to open.
    ///
    /// - Parameter cost: The milliseconds that the rebuild took, if the tree replaces a broken one; otherwise 0.
    fileprivate mutating func endWaking(
        _ result: WakeResult, costing cost: Int64
    ) -> SessionState<AwakeSession>.WakeLatch? {
        switch result {
        case .awake(let woken):
            guard let awake = woken.box.take() else { return state.endWaking(with: nil) }
            awake.join(work)
            // The work starts again when the resumption is written.
            if awake.unwritten != nil { work.interrupt() }
            awake.pay(for: cost)
            if awake.settings.isShared {
                // The former tree may have lost a conflict with another server, so that tree's states are no longer
                // valid. The new tree contains all written inputs.
                work.undo()
                awake.settings.watches.note(awake.access, of: awake.id)
            } else {
                work.undo(beyond: woken.durable)
            }
            work.goOn(from: woken.durable)
            // Shows the state, because watchers may have seen a state that was undone since.
            awake.showState()
            defer { if let ending = awake.ending { state.end(with: ending) } }
            return state.endWaking(with: awake)
        case .over(let tombstone, let version):
            defer { state.end(with: .ended(tombstone, at: version)) }
            return state.endWaking(with: nil)
        case .failed: return state.endWaking(with: nil)
        }
    }
}

private enum WakeResult: Sendable {
    case awake(WokenTree)
    /// The session had already ended. The value includes the version of the session's record.
    case over(Tombstone, at: RecordToken?)
    case failed(SessionError)

    var woken: WokenTree? {
        if case .awake(let woken) = self { woken } else { nil }
    }

    /// The error for the requests that wait for the waking.
    var error: SessionError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

/// A tree that was built by replay and is not yet stored under the session's lock.
private struct WokenTree: Sendable {
    /// The newest durable revision.
    let durable: Int
    /// The work that the written resumption starts again; empty if no resumption was written.
    let begun: [BegunWork]
    /// The tree's revision, which is greater than `durable` if a resumption was written.
    let revision: Int
    let newest: PendingCommit
    let lineage: Lineage
    let box: SendingBox<AwakeSession>
}

/// A box that carries a value that is not `Sendable` into a closure under a lock.
final class SendingBox<Value>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: sending Value) {
        self.value = Mutex(value)
    }

    /// Takes the value; later calls return `nil`.
    func take() -> sending Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}

/// The state that a dropped tree leaves to the next tree of the same process.
struct CarriedState {
    /// The free ids, so that no id is used twice; `nil` on a shared journal, because other servers may use these ids.
    let identifiers: NextIdentifiers?
    /// The leaks, with their holders as far as known.
    let leaks: [Leak]
    let leakCount: Int
    let counted: CoordinatorCounts
    let inquiry: LeakInquiry
    /// A Boolean value that indicates whether an input broke the tree.
    let isBroken: Bool
    let hasFailedTimer: Bool
}
