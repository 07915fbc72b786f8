import Synchronization
import Usher
import UsherJournal
import UsherProcess

/// One user's walk through one app: the inputs in the journal, and while it is awake the tree that they lead to, behind a
/// lock.
///
/// The tree is not `Sendable` and never leaves the lock; what leaves it is bytes. An answer leaves once all that it shows
/// is durable.
package final class Session: Sendable {
    /// The key to it.
    package let id: SessionID
    let settings: SessionSettings
    let guarded: Mutex<GuardedSession>
    /// The requests that wait for the lock.
    let queue = LockQueue()
    /// The inputs that were refused lately; none before the first, which costs no memory.
    let refusals = Mutex<RefusedInputs?>(nil)
    /// The place of its app's metrics.
    let app: Atomic<Int>
    private let used: Atomic<Int64>
    /// Until when the journal takes it to be in use.
    private let covered: Atomic<Int64>

    /// Makes a session that is known to the journal alone, or not at all.
    ///
    /// - Parameter use: Its last use: milliseconds since 1970; `Int64.min` where only the journal knows.
    init(_ id: SessionID, settings: SessionSettings, lastUsed use: Int64) {
        self.id = id
        self.settings = settings
        guarded = Mutex(GuardedSession())
        app = Atomic(settings.metrics.nameless)
        used = Atomic(use)
        covered = Atomic(.min)
    }

    /// Makes a session that is awake.
    init(_ awake: sending AwakeSession) {
        id = awake.id
        settings = awake.settings
        app = Atomic(settings.metrics.index(of: awake.app))
        used = Atomic(awake.time)
        covered = Atomic(awake.time)
        guarded = Mutex(GuardedSession(awake))
    }

    /// The time of its last use: milliseconds since 1970.
    var lastUse: Int64 { used.load(ordering: .relaxed) }

    func noteUse() {
        used.store(settings.clock.now().milliseconds, ordering: .relaxed)
    }

    /// Lets a request look at the tree, or change it, under the lock.
    ///
    /// - Parameters:
    ///   - turn: The request's part in the order of those that want the lock.
    ///   - claim: The claim by which it is let in.
    ///   - isUse: Set where it is a use of the session once it is let in.
    ///   - body: The request; its answer leaves once all that it shows is durable. It never answers `busy`, which says that
    ///     the lock was not free.
    @inline(__always)  // A request that the body captures would be copied twice.
    func use<Value, Obstacle>(
        _ turn: LockTurn = .arriving, for claim: SessionClaim = .granted, isUse: Bool = true,
        _ body: @Sendable (AwakeSession) -> Attempt<Value, Obstacle>
    ) -> Attempt<Value, Obstacle> {
        guard turn == .called || queue.isEmpty else { return .busy }
        // Set in place: what a closure returns is copied on its way out.
        var attempt = Attempt<Value, Obstacle>.busy
        guarded.withLockIfAvailable { guarded in
            switch guarded.enter() {
            case .awake(let awake):
                guard claim.denial(by: awake.access) == nil else { return attempt = .denied }
                if isUse { noteUse() }
                let leakCount = awake.leakCount
                attempt = body(awake)
                if awake.isBroken {
                    guarded.state.undo(leaving: awake.broken(leakCount: leakCount))
                } else if let ending = awake.ending {
                    guarded.state.end(with: ending)
                }
            case .asleep, .waking: attempt = .asleep
            case .over(let ending): attempt = .answered(ending.as())
            case .retired: attempt = .answered(PendingAnswer(.failure(.retired)))
            }
        }
        if case .busy = attempt { return .busy }
        // Only now, for a tree that was dropped may have gone with the lock.
        settings.endFlight()
        leaveLock()
        return attempt
    }

    // MARK: Looking

    /// The state now.
    ///
    /// - Parameter claim: The claim by which the request is let in.
    /// - Throws: `SessionError`.
    package func snapshot(for claim: SessionClaim = .granted) async throws(SessionError) -> Snapshot {
        try await look(for: claim) { $0.snapshot() }
    }

    /// The state now, and the tokens that open the session.
    ///
    /// - Parameter claim: The claim by which the request is let in.
    /// - Throws: `SessionError`.
    func watched(for claim: SessionClaim) async throws(SessionError) -> (snapshot: Snapshot, access: SessionAccess?) {
        try await look(for: claim) { ($0.snapshot(), $0.access) }
    }

    /// The coordinators as JSON.
    ///
    /// - Throws: `SessionError`.
    package func report() async throws(SessionError) -> [UInt8] {
        try await look(for: .operator, as: nil) { $0.report }
    }

    /// The session's line in an operator's list, while it is awake; `busy` where that cannot be told now.
    func summary() -> SessionSummary.Memory {
        ifFree { guarded in guarded.look { .awake($0.summary) } ?? .asleep } ?? .busy
    }

    /// About the bytes that it takes in memory; nil where it is not awake, or in use right now.
    var size: Int? {
        ifFree { guarded in guarded.look { Self.leastSize + 2 * $0.summary.bytes } } ?? nil
    }

    /// About the bytes of a tree of few coordinators without its screens, which take as much again as their JSON.
    private static let leastSize = 5_000

    /// The version of the record, as the journal confirms it: without one where this server alone has the journal.
    ///
    /// - Throws: `SessionError`.
    func version() async throws(SessionError) -> RecordToken? {
        try await peek { $0.newest }.version
    }

    /// Looks at the tree as it stands, which is a use of the session unless an operator looks.
    private func look<Value: Sendable>(
        for claim: SessionClaim = .granted, as work: Admission? = .waking, _ body: @Sendable (AwakeSession) -> Value
    ) async throws(SessionError) -> Value {
        let value = try await peek(for: claim, as: work, body)
        if claim.isUse { coverUse() }
        return value
    }

    /// Looks at the tree as it stands, and wakes the session for it.
    ///
    /// - Parameters:
    ///   - claim: The claim by which the request is let in.
    ///   - work: The kind of work that the waking is while memory is scarce; nil for an operator's, which is never refused.
    ///   - body: Reads the tree.
    /// - Throws: `SessionError`.
    func peek<Value: Sendable>(
        for claim: SessionClaim = .granted, as work: Admission? = .waking, _ body: @Sendable (AwakeSession) -> Value
    ) async throws(SessionError) -> Value {
        try await perform(for: claim) { turn, _ in
            use(turn, for: claim, isUse: claim.isUse) { awake in
                awake.flight.begin(.look)
                return .answered(awake.pending(.success(body(awake))))
            }
        } waking: { () throws(SessionError) in
            if claim.isUse { noteUse() }
            if let work { try settings.admit(work) }
            return try await wake(as: work)
        }
    }

    /// Tells the journal that it is used, where its inputs do not: it must not expire too early, also after a crash.
    ///
    /// Seldom, and therefore for some time ahead; a session may so live a little longer than it has to.
    ///
    /// - Parameter use: The use to be covered; the last one unless told.
    func coverUse(at use: Int64? = nil) {
        let use = use ?? lastUse
        let before = covered.load(ordering: .relaxed)
        guard use > before else { return }
        let end = use &+ settings.bounds.useCover.milliseconds
        covered.store(end, ordering: .relaxed)
        settings.submit(JournalChange(.touch(end), of: id.journalKey)).whenEnded { [self] result in
            // One that was not written is told by the next use.
            guard case .failure = result else { return }
            _ = covered.compareExchange(expected: end, desired: before, ordering: .relaxed)
        }
    }
}

// MARK: The lock

extension Session {
    /// Does something under the lock, if that is free.
    ///
    /// - Parameter body: What is done; no author's code runs in it.
    /// - Returns: Its result; nil where the lock is taken, or others wait for it.
    func ifFree<Value: Sendable>(
        _ turn: LockTurn = .arriving, _ body: @Sendable (inout GuardedSession) -> Value
    ) -> Value? {
        guard turn == .called || queue.isEmpty, let value = guarded.withLockIfAvailable({ body(&$0) }) else {
            return nil
        }
        leaveLock()
        return value
    }

    /// Does something under the lock, once that is free.
    func locked<Value: Sendable>(_ body: @Sendable (inout GuardedSession) -> Value) async -> Value {
        var turn = LockTurn.arriving
        while true {
            if let value = ifFree(turn, body) {
                if turn == .called { queue.endTurn() }
                return value
            }
            await waitForTurn(turn)
            turn = .called
        }
    }

    /// Does something under the lock: at once where that is free, else once it is, when the caller has gone on.
    ///
    /// - Parameters:
    ///   - body: What is done under the lock.
    ///   - then: What is done afterwards.
    func whenFree<Value: Sendable>(
        _ body: @escaping @Sendable (inout GuardedSession) -> Value,
        then: @escaping @Sendable (Value) -> Void = { _ in }
    ) {
        if let value = ifFree(.arriving, body) { return then(value) }
        Task.detached(priority: .high) { [self] in then(await locked(body)) }
    }

    /// Waits until this request may try to take the lock.
    func waitForTurn(_ turn: LockTurn) async {
        await queue.wait(isCalled: turn == .called) { guarded.withLockIfAvailable { _ in } != nil }
    }

    /// Calls the next that waits for the lock, which this request has just let go of.
    @inline(__always)
    func leaveLock() {
        if !queue.isEmpty { queue.callNext() }
    }
}

/// The content of a session's lock: its state, and the work beside its tree.
struct GuardedSession {
    var state: SessionState<AwakeSession>
    let work: BackgroundWork

    init() {
        state = SessionState()
        work = BackgroundWork()
    }

    init(_ awake: AwakeSession) {
        state = SessionState(awake)
        work = awake.work
        if let ending = awake.ending { state.end(with: ending) }
    }

    /// The remains of a session that is over.
    var tombstone: Tombstone? {
        guard case .failure(.ended(let tombstone)) = state.ending?.result else { return nil }
        return tombstone
    }

    /// The reason for which a request is not let in any more; nil also if the session is not in memory.
    mutating func denial(of claim: SessionClaim) -> AccessDenial? {
        if let tombstone { return claim.denial(by: tombstone.access) }
        return look { claim.denial(by: $0.access) }
    }

    /// A request comes in.
    mutating func enter() -> SessionState<AwakeSession>.Availability {
        let availability = state.enter()
        if case .asleep(_, isDropped: true) = availability { work.undo() }
        return availability
    }

    /// Drops the tree or the end of a lineage, because other servers have written since.
    ///
    /// - Parameter lineage: The lineage; the one that there is where nil.
    mutating func drop(_ lineage: Lineage? = nil) {
        guard let lineage = lineage ?? state.lineage else { return }
        state.drop(lineage)
    }

    /// Notes that a revision has become durable.
    ///
    /// Only one of the tree that is there counts: that of a tree before may have been lost since, and another input may have
    /// its number by now.
    ///
    /// - Parameters:
    ///   - revision: The revision.
    ///   - lineage: The lineage of the tree that came to the revision.
    /// - Returns: The states that may be shown by now.
    func noteDurable(_ revision: Int, of lineage: Lineage) -> [Snapshot] {
        work.takeSeen(through: lineage == state.lineage ? max(work.durable, revision) : work.durable)
    }

    /// Looks at the tree, where there is one whose writes are durable or under way.
    mutating func look<Value>(_ body: (AwakeSession) -> Value?) -> Value? {
        switch enter() {
        case .awake(let awake): body(awake)
        case .asleep, .waking, .over, .retired: nil
        }
    }
}
