import Synchronization
import Usher
import UsherJournal
import UsherMetrics
import UsherProcess

extension Session {
    /// Builds the tree by replay, or waits for the request that does.
    ///
    /// Not under the lock, and a long history on threads of its own: it holds nobody up but those who want this session.
    ///
    /// - Parameters:
    ///   - revision: An earlier revision to go on from, for a session that cannot be replayed; nil for none.
    ///   - waits: Set to wait until what the waking has to write is durable: a tree for which it is not is none.
    ///   - work: The kind of work that it is, if it may be refused for the memory that its record takes.
    /// - Returns: The version of the record that this request has read; nil if it has read none, or one server alone writes.
    /// - Throws: `SessionError`, why there is no tree.
    @discardableResult
    func wake(
        rollingBackTo revision: Int? = nil, waiting waits: Bool = true, as work: Admission? = nil
    ) async throws(SessionError) -> RecordToken? {
        switch await locked({ $0.state.beginWaking() }) {
        case .none: return nil
        case .wait:
            let error = await waitForWaker()
            // Requests that find the session on hold do not keep it from being taken back.
            if revision != nil, error?.isUnrestorable ?? true {
                return try await wake(rollingBackTo: revision, waiting: waits, as: work)
            }
            guard let error else { return nil }
            // Another request was refused the room, and this one is not: it wakes the session itself.
            if case .noRoom = error, work == nil { return nil }
            throw error
        case .build(let predecessor):
            let start = settings.clock.uptime
            let result = await timed { await build(after: predecessor, at: revision, as: work) }
            let cost = predecessor?.isBroken ?? false ? settings.clock.uptime &- start : 0
            let waiters = await locked { guarded in
                // Under the lock: nobody is shown another tree before.
                if case .onHold(let reason)? = result.error { hold(guarded, for: reason) }
                return guarded.endWaking(result, costing: cost)
            }
            // All that was replayed is durable; a divergence that was written begins no work.
            if let woken = result.woken {
                settings.held.forgetStalled(id)
                settings.owned?.backoff.end(for: id.journalKey)
                commit(beginning: woken.begun)
            }
            if case .over = result {
                // The coordinators of a tree that was dropped have ended with the session.
                settings.totals.end(predecessor?.counted.live ?? 0)
                whenFree { [self] in stop($0) }
            }
            for waiter in waiters { waiter(result.error) }
            if let error = result.error { throw error }
            // With several servers another may have been first, and then the session is woken again.
            guard waits, !settings.isShared, let woken = result.woken else { return result.woken?.newest.version }
            if case .failure(let error) = await woken.newest.wait() { throw SessionError(writing: error) }
            if woken.revision > woken.durable { commit(woken.revision, of: woken.lineage) }
            return nil
        }
    }

    /// Writes that the session has resumed at an earlier revision, and begins its work.
    func confirmResumption() async {
        let written = await locked { guarded in
            guarded.look { awake -> WrittenResumption? in
                let written = awake.confirmResumption()
                // Its tag was another one.
                if written != nil { awake.showState() }
                return written
            } ?? nil
        }
        if let written { _ = await begin(written) }
    }

    /// Begins the work of a session that has resumed, once that is durable.
    ///
    /// - Returns: Why the resumption is not written; nil if it is.
    func begin(_ resumption: WrittenResumption) async -> JournalError? {
        if case .failure(let error) = await resumption.commit.wait() { return error }
        commit(resumption.revision, of: resumption.lineage, beginning: resumption.begun)
        return nil
    }

    /// Waits for the request that wakes the session, if there is one.
    ///
    /// - Returns: Why there is no tree then.
    func waitForWaker() async -> SessionError? {
        await withCheckedContinuation { continuation in
            whenFree {
                $0.state.wait { continuation.resume(returning: $0) }
            } then: { waits in
                if !waits { continuation.resume(returning: nil) }
            }
        }
    }

    private func build(
        after predecessor: CarriedState?, at revision: Int?, as work: Admission?
    ) async -> WakeResult {
        do throws(JournalError) {
            let verdict = try await settings.held.verdict(on: id)
            // What is on hold is taken back all the same.
            if revision == nil, let verdict, try await counts(verdict) { return .failed(.onHold(verdict.reason)) }
            // Of one that is over, the record tells.
            if settings.releases.isLeft(id), let head = try await settings.journal.head(of: id.journalKey),
                head.header.ending == nil
            {
                return .failed(.servedElsewhere)
            }
            guard let record = try await settings.journal.record(of: id.journalKey) else { return .failed(.unknown) }
            if let tombstone = Tombstone(record.head) { return .over(tombstone, at: record.token) }
            let bytes = ExpectedMemory.session + ExpectedMemory.record(of: record.head.bytes)
            do throws(SessionError) { try settings.expect(bytes, for: work) } catch { return .failed(error) }
            defer { settings.gate.settle(bytes) }
            // A short one is done before another thread would have it.
            let threads = record.entries.count > Replay.shortStretch ? settings.threads.replays : nil
            let result = await withTaskExecutorPreference(threads) {
                await replay(record, after: predecessor, at: revision)
            }
            // A verdict that stays is judged again at the next wake.
            if let verdict, result.woken != nil { try? await settings.held.lift(verdict, on: id) }
            return result
        } catch {
            let head = try? await settings.journal.head(of: id.journalKey)
            return await fail(SessionError(reading: error), at: head.map { RecordVersion($0.header, $0.token) })
        }
    }

    /// Returns a Boolean value indicating whether a verdict on the record as it stands need not be reached again.
    ///
    /// - Throws: `JournalError`.
    private func counts(_ verdict: HeldSessions.Verdict) async throws(JournalError) -> Bool {
        if settings.isLeftToWriter(verdict) { return false }
        // The crash may have been forgotten, here or by another server.
        if verdict.reason.kind == .replayCrashes, settings.guilty.replay(of: id.journalKey) == nil { return false }
        // Nobody can tell whether a header that cannot be read is another by now.
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
            let replay = Replay(
                record.entries, apps: settings.apps, stateLimit: settings.bounds.stateLimit,
                by: settings.guilty.build(),
                marking: SessionFlight(settings.flight, of: id.journalKey, app: record.head.app))
            let result = try await restore(replay, at: revision, beyond: record.head.reservation)
            let diverges = result.divergence != nil
            // The build that wrote it may serve it, too, and goes another way where it has begun a change.
            let isForeign = settings.isShared && result.tree.hasForeignChanges
            let permission = diverges || isForeign ? try await askToServe(record) : .written
            if permission == .refused { return .failed(.servedElsewhere) }
            // An operator who rolls a session back has decided.
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

    /// Ends the session, because its app chooses so instead of having it on hold.
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

    /// Asks how this build may serve the session although the build that wrote it would serve it differently.
    ///
    /// If it may not, the session is left to that build: who watches it here has to watch it there.
    private func askToServe(_ record: SessionRecord) async throws(SessionError) -> Releases.Permission {
        guard let writer = record.entries.newestBuild else { return .written }
        let permission = try await settings.ask { _ throws(JournalError) in
            try await settings.releases.permission(toServeAfter: writer)
        }
        if permission == .refused {
            await settings.releases.leave(id, to: writer)
            settings.watches.restart(id)
        }
        return permission
    }

    /// Builds the tree, unless that is known to end the process.
    private func restore(
        _ replay: Replay, at revision: Int?, beyond reservation: SessionHeader.Reservation?
    ) async throws -> sending ReplayResult {
        let time = settings.clock.now()
        guard let crash = settings.guilty.replay(of: id.journalKey) else {
            return try await replay.restore(at: time, beyond: reservation)
        }
        guard let entry = try replay.followed(crash.identity.revision) else {
            // Its record goes on from an earlier revision by now.
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
        let (divergence, entry, abandoned) = (result.divergence, result.entry, result.abandoned)
        let reservation = result.reservation
        let (head, writer) = (RecordHead(record.head, token: record.token), record.entries.newestBuild)
        let awake = AwakeSession(
            result.tree, head, id: id, settings: settings, answers: record.answers,
            isOwn: entry != nil || writer == settings.guilty.build())
        awake.begin(
            after: predecessor, divergence: divergence, entry, abandoned: abandoned, writer: writer, mayWait: mayWait,
            reserving: reservation)
        return awake
    }

    private func fail(
        _ error: SessionError, at version: RecordVersion?, writtenBy writer: UInt64? = nil
    ) async -> WakeResult {
        await note(error, at: version, writtenBy: writer)
        return .failed(error)
    }

    /// Records that this build must not serve the session, and tells the operator once.
    ///
    /// - Parameters:
    ///   - error: An error; only `onHold` is a verdict.
    ///   - version: The version of the record that was judged; nil if its header cannot be read.
    ///   - writer: The build that wrote the record; nil if it is not known.
    private func note(_ error: SessionError, at version: RecordVersion?, writtenBy writer: UInt64? = nil) async {
        guard case .onHold(let reason) = error else { return }
        let verdict = HeldSessions.Verdict(
            reason: reason, version: version, writer: reason.dependsOnBuild ? writer : nil)
        do throws(JournalError) {
            if try await settings.held.hold(id, by: verdict) { settings.observe(.held(id, reason)) }
        } catch {
            // The next request reaches it again.
            settings.observe(.postponed(cause: "\(error)"))
        }
    }

    /// Ends what goes on beside a tree that was dropped, because there will be none in its place.
    private func hold(_ guarded: borrowing GuardedSession, for reason: HoldReason) {
        guarded.work.stop()
        settings.watches.hold(id, for: reason)
    }

    /// The session's head in the journal; nil where there is none.
    ///
    /// - Throws: `SessionError`; of one that is damaged the operator has been told then.
    func headInJournal() async throws(SessionError) -> RecordHead? {
        do throws(SessionError) {
            return try await settings.ask { journal throws(JournalError) in try await journal.head(of: id.journalKey) }
        } catch {
            await note(error, at: nil)
            throw error
        }
    }

    /// Counts the waking of the session, and how long it takes.
    private func timed(_ body: () async -> WakeResult) async -> WakeResult {
        let start = ContinuousClock.now
        let result = await body()
        guard case .awake = result else { return result }
        settings.metrics.wakingTimes.record((ContinuousClock.now - start).nanoseconds)
        metrics.count(.woken)
        return result
    }

    // MARK: The end

    /// Takes the session out of memory, unless something is under way; the journal has it.
    ///
    /// - Returns: True where it has left.
    func retire() -> Bool {
        guard queue.isEmpty else { return false }
        let leaks = guarded.withLockIfAvailable { retire(&$0) }
        guard let leaks else { return false }
        settings.endFlight()
        leaveLock()
        guard let leaks else { return false }
        settings.leave(self)
        if !leaks.isEmpty { settings.observe(.leaked(id, leaks)) }
        return true
    }

    /// - Returns: The coordinators that did not leave memory; nil where the session stays.
    private func retire(_ guarded: inout GuardedSession) -> [Leak]? {
        // A tree whose writes were not durable is in nobody's way; a request that waits finds its answer here.
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
    /// The waking has ended.
    ///
    /// - Parameter cost: The time for which the session pays, in milliseconds.
    /// - Returns: Those who wait for it.
    fileprivate mutating func endWaking(
        _ result: WakeResult, costing cost: Int64
    ) -> [SessionState<AwakeSession>.Waiter] {
        switch result {
        case .awake(let woken):
            guard let awake = woken.box.take() else { return state.endWaking(.failed) }
            awake.join(work)
            // It begins again, as recorded, once the resumption is written.
            if awake.unwritten != nil { work.interrupt() }
            awake.pay(for: cost)
            if awake.settings.isShared {
                // The tree before may have lost since, and others have written: all that was is in this one.
                work.undo()
                awake.settings.watches.note(awake.access, of: awake.id)
            } else {
                work.undo(beyond: woken.durable)
            }
            work.goOn(from: woken.durable)
            // Those who watch may have been shown something that was taken back since.
            awake.showState()
            defer { if let ending = awake.ending { state.end(with: ending) } }
            return state.endWaking(.awake(awake))
        case .over(let tombstone, let version): return state.endWaking(.over(.ended(tombstone, at: version)))
        case .failed: return state.endWaking(.failed)
        }
    }
}

/// The result of waking a session.
private enum WakeResult: Sendable {
    /// There is a tree.
    case awake(WokenTree)
    /// It was over already, at a version of its record.
    case over(Tombstone, at: RecordToken?)
    case failed(SessionError)

    /// The tree; nil if there is none.
    var woken: WokenTree? {
        if case .awake(let woken) = self { woken } else { nil }
    }

    /// The error for those who waited for it.
    var error: SessionError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

/// A tree that was built by replay, on its way into the session's lock.
private struct WokenTree: Sendable {
    /// The revision to which the journal has the session.
    let durable: Int
    /// The work that begins anew, for the build diverges.
    let begun: [BegunWork]
    /// The revision to which the tree has come: beyond the durable one where the build diverges.
    let revision: Int
    /// The newest change; before there is one, the version of the record that was read.
    let newest: PendingCommit
    let lineage: Lineage
    let box: SendingBox<AwakeSession>
}

/// A box that takes a value which is not `Sendable` into a lock: a closure cannot capture it as *sending*.
final class SendingBox<Value>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: sending Value) {
        self.value = Mutex(value)
    }

    /// The value, once.
    func take() -> sending Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}

/// The state that a dropped tree leaves to the one that is built in its place within the same process.
struct CarriedState {
    /// Ids that it has spent stay spent; nil where other servers would spend the same, for nothing that it did has happened.
    let identifiers: NextIdentifiers?
    /// Its leaks, with what was found out about them.
    let leaks: [Leak]
    let leakCount: Int
    /// The part of its counts that the server's totals have got.
    let counted: CoordinatorCounts
    let inquiry: LeakInquiry
    /// A Boolean value indicating whether an input has broken it.
    let isBroken: Bool
    /// A Boolean value indicating whether that was a timer which was to come with a resumption.
    let hasFailedTimer: Bool
}
