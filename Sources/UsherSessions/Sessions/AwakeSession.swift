import Synchronization
import Usher
import UsherJSON
import UsherJournal
import UsherProcess

/// An awake session: its tree, and the record that the tree writes.
///
/// `AwakeSession` is not `Sendable`, and only the holder of the session's lock uses it. Its state therefore needs no
/// checks for exclusive access.
final class AwakeSession {
    let settings: SessionSettings
    /// The app's current name.
    let app: String
    private let tree: Tree
    let flight: SessionFlight
    @safe @exclusivity(unchecked) private var record: RecordWriter
    /// The work outside of the tree; when the tree is rebuilt, the new tree uses the same object.
    @safe @exclusivity(unchecked) private(set) var work = BackgroundWork()
    @safe @exclusivity(unchecked) private var inquiry = LeakInquiry()
    /// The uptime before which the session handles no input of a user or backend.
    @safe @exclusivity(unchecked) private var pauseEnd = Int64.min
    /// The resumption at an earlier revision, if the journal does not contain the resumption yet.
    ///
    /// While a resumption is unwritten, no work starts, so that an earlier build can still serve the session unchanged.
    @safe @exclusivity(unchecked) private var resumption: UnwrittenResumption?
    /// A Boolean value indicating whether a timer failed in `fireTimers`; the next tree then handles the input first.
    @safe @exclusivity(unchecked) private var hasFailedTimer = false
    /// The counts of this tree that were already added to the server's totals.
    @safe @exclusivity(unchecked) private var counted = CoordinatorCounts()

    /// Creates an awake session from a tree at the end of its record.
    ///
    /// - Parameters:
    ///   - answers: The answers for idempotency keys in the record, oldest first.
    ///   - isOwn: Pass `true` if this build wrote the newest entry.
    init(
        _ tree: Tree, _ head: RecordHead, id: SessionID, settings: SessionSettings, answers: [KeyedAnswer] = [],
        isOwn: Bool
    ) {
        tree.noteDisplay()
        self.tree = tree
        self.settings = settings
        app = settings.apps.presentName(of: head.header.app)
        flight = SessionFlight(settings.flight, of: id.journalKey, app: app)
        record = RecordWriter(head, of: id, settings: settings, answers: answers, isOwn: isOwn)
    }

    var id: SessionID { record.id }
    var revision: Int { tree.revision }
    var access: SessionAccess? { record.header.access }
    /// The time of the newest input, in milliseconds since 1970.
    var time: Int64 { record.header.time }

    /// Handles an input of a user or a backend, or the result of the session's own work.
    ///
    /// `InputContext` describes the parameters.
    func handle(
        _ request: InputRequest, link decided: LinkDecision, lookup: KeyLookup?, cleared: GuiltyInput.Identity? = nil
    ) -> Attempt<InputOutcome, InputObstacle> {
        if let attempt = check(request, after: lookup) { return attempt }
        let link = decided.handling(at: tree.revision)
        if let attempt = pause(before: request.content, link) { return attempt }
        let leakCount = tree.leakCount
        // The writer is used three times: for the payload in the flight record, for the entry, and for the answer.
        var writer = JSONWriter(reservingCapacity: tree.stateBytes + 512)
        do throws(Rejection) {
            if resumption != nil, let attempt = try fireTimers(before: request) { return attempt }
            let content = try usage.admit(request.content, on: tree)
            if !settings.guilty.isEmpty, let attempt = judge(content, link, cleared, on: tree) { return attempt }
            let input = Input(content, at: record.now, link: link)
            _ = input.writePayload(SecretPlaces(), into: &writer)
            flight.begin(input, upon: tree.revision, writer.bytes)
            let before = (tree.identifiers, leakCount)
            let counts = try tree.handle(input)
            return .answered(write(input, counts, since: before, for: request, with: &writer))
        } catch {
            guard !tree.isBroken else { return .blocked(.brokeTree(error, at: tree.revision, upon: record.newest)) }
            // The tree handled timers before the input, and perhaps rejects the input only because of the timers.
            // Writes the timers, and then attempts the input again.
            if record.isResuming { return .blocked(.resumed(writeResumption())) }
            writer.bytes.removeAll(keepingCapacity: true)
            return .answered(pending(.failure(.rejected(error, current: snapshot(leaksSince: nil, into: &writer)))))
        }
    }

    /// Checks the request's key and precondition; returns `nil` if the tree may handle the input.
    private func check(_ request: InputRequest, after lookup: KeyLookup?) -> Attempt<InputOutcome, InputObstacle>? {
        if let key = request.key, let lookup = record.lookup(of: key, after: lookup) { return .blocked(.key(lookup)) }
        guard let failure: PendingAnswer<InputOutcome> = failure(of: request.precondition) else { return nil }
        return .answered(failure)
    }

    /// Returns the answer to a request whose precondition is not met; `nil` if the precondition is met.
    func failure<Value>(of precondition: Precondition) -> PendingAnswer<Value>? {
        guard !precondition.holds(for: revision, in: epoch) else { return nil }
        return pending(.failure(.preconditionFailed(current: snapshot())))
    }

    /// Delays an input of a user or a backend if an earlier input broke the tree.
    ///
    /// If the deep link of an input broke the tree, the next attempt of this input is not delayed.
    private func pause(before content: InputContent, _ link: LinkHandling) -> Attempt<InputOutcome, InputObstacle>? {
        guard pauseEnd > .min, content.result == nil, link == .follow else { return nil }
        return pauseEnd > settings.clock.uptime ? .blocked(.pause(until: pauseEnd)) : nil
    }

    /// Writes an input that the tree has handled to the journal, and returns the answer.
    private func write(
        _ input: Input, _ counts: Bool, since before: (identifiers: NextIdentifiers, leaks: Int),
        for request: InputRequest, with writer: inout JSONWriter
    ) -> PendingAnswer<InputOutcome> {
        if counts { includeResumption() }
        let resumes = record.isResuming
        let (work, erasable) = (work, tree.takeErasableRevisions())
        let isErased = erasable.contains(tree.revision)
        let beginning = counts ? tree.newBeginning : nil
        if let beginning { tree.note(options: beginning.options) }
        let entry: [UInt8]? =
            if let beginning {
                record.startOver(with: beginning, on: tree, at: input.time, erased: isErased)
            } else if counts {
                record.advance(by: input, on: tree, from: before.identifiers, erased: isErased, with: &writer)
            } else {
                nil
            }
        let key = key(of: request, beginning)
        let finished = counts ? work.follow(input.content, on: tree) : []
        writer.bytes.removeAll(keepingCapacity: true)
        let token = counts && request.wait != nil ? work.wait(for: tree, key: key) : nil
        let snapshot = snapshot(leaksSince: before.leaks, into: &writer)
        // While a resumption is unwritten, no answer is stored, because the former build may undo the answer's state.
        let answer = resumption == nil ? key?.answer(snapshot, isComplete: token == nil) : nil
        // The change that writes a resumption starts all pending work again.
        let begun =
            (counts || resumes) && settings.isShared ? begunWork { resumes || $0 >= tree.revision } : []
        let commit = record.write(
            entry, startsOver: beginning != nil, ending: SessionEnding(tree), at: input.time, answer: answer,
            size: snapshot.state.count,
            beginning: begun)
        if !erasable.isEmpty { record.erase(erasable.filter { $0 != tree.revision }) }
        for wait in finished { wait.end(pending(.success(self.snapshot(changes: wait.changes)))) }
        if counts, settings.watches.isWatched(id) { work.show(snapshot) }
        count()
        var outcome = InputOutcome(
            snapshot: snapshot, lineage: record.lineage, begun: begun, token: token, isBusy: work.isBusy || tree.hasWork
        )
        // Results and timers are not counted.
        if request.content.result == nil { outcome.count = counts ? .accepted : .repeated }
        return counts || key != nil ? pending(.success(outcome), upon: commit) : pending(.success(outcome))
    }

    /// Returns the idempotency key under which the request's answer is stored.
    ///
    /// If the body contained secrets, the returned key has no digest, because a digest could reveal the secrets even
    /// after they are erased from the entry.
    private func key(of request: InputRequest, _ beginning: NewBeginning?) -> IdempotencyKey? {
        guard let key = request.key else { return nil }
        let hasSecrets = beginning?.mayFollowSecrets ?? !tree.inputSecrets.isEmpty
        return hasSecrets ? key.blind : key
    }

    /// Adds the increase of the tree's counts to the server's totals.
    private func count() {
        settings.totals.add(tree.coordinatorCounts - counted)
        counted = tree.coordinatorCounts
    }

    // MARK: Answers

    /// Returns an answer that depends on a change, or that shows only the tree's state if `change` is `nil`.
    func pending<Value>(
        _ result: consuming Result<Value, SessionError>, upon change: PendingCommit? = nil
    ) -> PendingAnswer<Value> {
        record.pending(result, upon: change)
    }

    /// Returns the current state.
    ///
    /// - Parameters:
    ///   - known: The number of leaks that the snapshot leaves out, because they are already known; `nil` to leave out
    ///     all leaks.
    ///   - changes: The changes since the state that the client has; `nil` for the changes by the last input.
    func snapshot(leaksSince known: Int? = nil, changes: ChangeHistory? = nil) -> Snapshot {
        var writer = JSONWriter(reservingCapacity: tree.stateBytes + 512)
        return snapshot(leaksSince: known, changes: changes, into: &writer)
    }

    /// Returns the current state, written with an empty writer.
    private func snapshot(
        leaksSince known: Int?, changes: ChangeHistory? = nil, into writer: inout JSONWriter
    ) -> Snapshot {
        tree.writeState(of: id, app: app, notes: usage.notes, changes: changes, into: &writer)
        return Snapshot(tree, epoch: epoch, state: writer.take(), changes: changes, leaksSince: known)
    }

    /// The epoch, which distinguishes this tree's revisions from other revisions with the same numbers.
    ///
    /// An unwritten resumption has its own epoch, because another build may undo the resumption's revisions.
    private var epoch: String? { resumption?.mark ?? settings.journal.epoch }

    var summary: SessionSummary.Awake { SessionSummary.Awake(tree) }
    var report: [UInt8] { tree.report }

    private var usage: SessionUsage {
        SessionUsage(record.quota, at: tree.revision, bytes: record.header.bytes, within: settings.bounds)
    }

    // MARK: Beginning and end

    func begin(with entries: [[UInt8]], key: IdempotencyKey?, _ begun: [BegunWork]) -> PendingAnswer<Snapshot> {
        let snapshot = snapshot(leaksSince: 0)
        record.create(
            entries, opening: key?.answer(snapshot), leaked: leakCount, wakeAt: tree.wakeAt, beginning: begun)
        // If the root coordinator ended in `start()`, the session ends.
        if let ending = SessionEnding(tree) { record.end(ending, at: settings.clock.now()) }
        count()
        return pending(.success(snapshot), upon: record.newest)
    }

    /// Continues the session with a tree that was built by replay.
    ///
    /// - Parameters:
    ///   - predecessor: The state that an earlier tree of this process left when it was dropped.
    ///   - result: The result of the replay.
    ///   - writer: The build that last wrote the record; `nil` if it is unknown.
    ///   - mayWait: Pass `true` to write the entry of a divergence only with the next input.
    func begin(
        after predecessor: CarriedState?, with result: ReplayResult, writtenBy writer: UInt64?, mayWait: Bool
    ) {
        if let predecessor {
            tree.succeed(identifiers: predecessor.identifiers, leaks: predecessor.leaks, count: predecessor.leakCount)
            inquiry = predecessor.inquiry
        }
        // Does not count the coordinators of replayed inputs again.
        counted = predecessor?.counted ?? tree.coordinatorCounts
        if predecessor == nil { settings.totals.wake(tree.coordinatorCounts.live) }
        count()
        // Without an entry, there is no resumption to write: perhaps another server has written it.
        if result.entry == nil { settings.releases.removeUnwritten(id) }
        if let entry = result.entry, let divergence = result.divergence {
            // The epoch contains a digest of the state, because the state may depend on the time of this replay.
            let shown = SHA256.prefix(of: snapshot().state)
            resumption = UnwrittenResumption(
                entry, abandoned: result.abandoned, rival: writer == settings.guilty.build() ? nil : writer,
                mark: "b\(String(settings.guilty.build(), radix: 16))-\(String(shown, radix: 16))",
                firesTimers: !(predecessor?.hasFailedTimer ?? false))
            let isKnown = mayWait && writer.map { !settings.releases.addUnwritten(id, from: $0) } ?? false
            if !isKnown { settings.observe(.diverged(id, divergence)) }
            if mayWait {
                if let ids = result.reservation { record.reserve(ids, unlessServedBy: writer) }
                return
            }
            _ = writeResumption()
        }
        // Ends a session whose creation also ended it, if the server crashed between the two changes.
        if let ending = SessionEnding(tree) { record.end(ending, at: settings.clock.now()) }
        record.erase(tree.takeErasableRevisions() + result.abandoned)
    }

    /// Adds the unwritten resumption to the next change.
    private func includeResumption() {
        guard let resumption else { return }
        self.resumption = nil
        record.resume(by: resumption, wakeAt: tree.wakeAt)
    }

    /// Handles the timers that became due while the resumption was unwritten, in the order of their times.
    ///
    /// The tree handles the timers before the input, and one change writes the resumption, the timers and the input. If
    /// a timer fails, the tree is rebuilt, and the new tree handles the input before the timers.
    ///
    /// - Returns: `nil` if the tree can handle the input; otherwise the result of the attempt.
    /// - Throws: `Rejection` if the input is stale even before the timers. No timer is then handled.
    private func fireTimers(
        before request: InputRequest
    ) throws(Rejection) -> Attempt<InputOutcome, InputObstacle>? {
        // If there may be guilty inputs, the timers fire later, because each timer must then be checked like an input.
        guard let resumption, resumption.firesTimers, request.content.result == nil, settings.guilty.isEmpty else {
            return nil
        }
        let now = record.now
        let due = tree.work.compactMap { work in work.due.map { (time: $0, id: work.id) } }.filter { $0.time <= now }
        guard !due.isEmpty, try tree.isNews(request.content) else { return nil }
        includeResumption()
        for timer in due.sorted(by: { ($0.time, $0.id) < ($1.time, $1.id) }) where tree.waits(for: timer.id) {
            guard fire(timer.id, at: now) else {
                hasFailedTimer = true
                return .asleep
            }
        }
        // If the request requires a revision, the timers have changed the revision, so the condition is no longer met.
        return request.precondition.holds(for: revision, in: epoch) ? nil : .blocked(.resumed(writeResumption()))
    }

    /// Handles a timer together with the resumption; returns `false` if the timer failed, ended the session, or made
    /// the session start over.
    private func fire(_ timer: EffectID, at time: Timestamp) -> Bool {
        let input = Input(.timer(timer), at: time)
        var writer = JSONWriter(reservingCapacity: 64)
        _ = input.writePayload(SecretPlaces(), into: &writer)
        flight.begin(input, upon: tree.revision, writer.bytes)
        let identifiers = tree.identifiers
        guard let counts = try? tree.handle(input), tree.ending == nil, tree.newBeginning == nil else { return false }
        guard counts else { return true }
        settings.metrics.app(app).countTimer()
        record.add(record.advance(by: input, on: tree, from: identifiers, erased: false, with: &writer))
        return true
    }

    /// Writes the resumption and the timers that were handled with it; the former build can then no longer serve the
    /// session unchanged.
    private func writeResumption() -> WrittenResumption {
        includeResumption()
        let begun = begunWork()
        record.writeResumption(beginning: begun)
        record.erase(tree.takeErasableRevisions())
        return WrittenResumption(commit: record.newest, revision: revision, lineage: record.lineage, begun: begun)
    }

    /// Writes the resumption without an input; returns `nil` if there is no unwritten resumption.
    func confirmResumption() -> WrittenResumption? { resumption == nil ? nil : writeResumption() }

    /// Stores the current state, so that watchers see it when it is durable.
    func showState() {
        if settings.watches.isWatched(id), resumption == nil { work.show(snapshot()) }
    }

    /// Uses the work of the previous tree, and ends the waiting answers whose effects are no longer pending.
    func join(_ work: BackgroundWork) {
        self.work = work
        for wait in work.waits(forNoneOf: tree.work) {
            wait.end(pending(.success(snapshot(changes: wait.changes))))
        }
    }

    /// The answer to every request after the session's end; `nil` if the session has not ended.
    var ending: PendingAnswer<Never>? { record.header.ending == nil ? nil : record.ending }

    /// Ends the session because of a request or its expiry.
    func end(_ reason: Tombstone.Reason, at time: Timestamp, unlessUsedSince use: Int64?) -> PendingAnswer<EndOutcome?>
    {
        let ending = SessionEnding(reason, options: tree.options)
        let leaks = tree.end()
        count()
        let commit = record.end(ending, at: time, unlessUsedSince: use)
        return pending(.success(EndOutcome(app: app, leaks: leaks)), upon: commit)
    }

    func grant(_ change: TokenChange) -> Attempt<SessionAccess?, Never> {
        do throws(Rejection) {
            let commit = try record.grant(change)
            return .answered(pending(.success(access), upon: commit))
        } catch {
            return .answered(pending(.failure(.rejected(error, current: snapshot()))))
        }
    }

    /// The entry of the unwritten resumption; `nil` if no resumption is unwritten.
    var unwritten: Entry? { resumption?.entry }

    /// A Boolean value that indicates whether the session may leave memory.
    ///
    /// `true` if no write or effect is pending, no timer is due soon, and, on a shared journal, there are no watchers.
    var isIdle: Bool {
        record.isSettled && !(settings.isShared && settings.watches.isWatched(id))
            && work.isIdle(resumption == nil ? tree.work : [], until: settings.soon, settings.owned, of: id.journalKey)
    }

    /// Delays the session's next input by ten times the rebuild time, but at most ten seconds, because an input broke
    /// the previous tree.
    ///
    /// - Parameter time: The time that rebuilding the tree took, in milliseconds.
    func pay(for time: Int64) {
        if time > 0 { pauseEnd = settings.clock.uptime &+ 10 * min(time, 1_000) }
    }

    /// Releases the tree, and returns the coordinators that stayed in memory; the session stays in the journal.
    func hibernate() -> [Leak] {
        settings.totals.hibernate(counted.live)
        settings.metrics.app(app).count(.hibernated)
        return tree.end()
    }

    // MARK: Work and leaks

    /// Starts the durable work that this server owns, and cancels work that the tree no longer waits for.
    func runWork(_ start: (Work, _ salt: UInt64, _ app: String) -> Task<Void, Never>) {
        guard resumption == nil else { return }
        work.run(tree.work, at: tree.revision, settings.owned, of: id.journalKey) { start($0, record.header.salt, app) }
    }

    /// Returns the pending work that inputs of the given revisions started; empty if only this server uses the journal.
    func begunWork(at isBegun: (_ revision: Int) -> Bool = { _ in true }) -> [BegunWork] {
        settings.owned?.begin(tree.work.filter { isBegun($0.id.revision) }, at: settings.clock.now()) ?? []
    }

    /// A Boolean value that indicates whether an effect is pending or a timer is due soon.
    var hasWorkSoon: Bool { tree.work.contains { $0.due.map { $0.milliseconds <= settings.soon } ?? true } }

    var pendingEffects: [EffectID] { tree.work.filter { $0.due == nil }.map(\.id) }

    var leakCount: Int { tree.coordinatorCounts.leaked }

    /// A Boolean value that indicates whether an input or a timer has broken the tree, so that it must not be used.
    var isBroken: Bool { tree.isBroken || hasFailedTimer }

    /// Calls a closure with the search for the holders of leaks.
    func inquire<Answer>(_ body: (inout LeakInquiry, Tree) -> Answer) -> Answer { body(&inquiry, tree) }
}

struct WrittenResumption: Sendable {
    let commit: PendingCommit
    let revision: Int
    let lineage: Lineage
    /// The session's pending work, which starts now; empty if only one server uses the journal.
    let begun: [BegunWork]
}

extension AwakeSession: GuardedTree {
    var newest: PendingCommit { record.newest }
    var lineage: Lineage { record.lineage }
    /// The state that the tree leaves if it is dropped now.
    ///
    /// On a shared journal, the state contains no free ids, because other servers may use these ids.
    var carried: CarriedState {
        carried(identifiers: settings.isShared ? nil : tree.identifiers, leakCount: leakCount, isBroken: false)
    }

    /// Returns the state that the tree leaves after an input has broken it, with the number of leaks before that input.
    func broken(leakCount: Int) -> CarriedState {
        carried(identifiers: tree.identifiers, leakCount: leakCount, isBroken: true)
    }

    private func carried(identifiers: NextIdentifiers?, leakCount: Int, isBroken: Bool) -> CarriedState {
        CarriedState(
            identifiers: identifiers, leaks: tree.leaks, leakCount: leakCount, counted: counted, inquiry: inquiry,
            isBroken: isBroken, hasFailedTimer: hasFailedTimer)
    }
}
