import Synchronization
import Usher
import UsherJournal
import UsherProcess

/// One user's run through an app.
///
/// The inputs are in the journal; an awake session also has a tree. The tree is not `Sendable`, and only the holder of
/// the session's lock uses the tree. Other code receives only bytes. An answer is sent only when everything that the
/// answer shows is durable.
package final class Session: Sendable {
    package let id: SessionID
    let settings: SessionSettings
    let guarded: Mutex<GuardedSession>
    let queue = LockQueue()
    /// The newest refused inputs; `nil` before the first one, to save memory.
    let refusals = Mutex<RefusedInputs?>(nil)
    /// The index of the app's metrics in `SessionMetrics.apps`.
    let app: Atomic<Int>
    private let used: Atomic<Int64>
    /// The time until which the session counts as used, according to the journal.
    private let covered: Atomic<Int64>

    /// Creates a session without a tree; the journal may or may not contain the session.
    ///
    /// - Parameter use: The last use in milliseconds since 1970; `Int64.min` if only the journal knows the last use.
    init(_ id: SessionID, settings: SessionSettings, lastUsed use: Int64) {
        self.id = id
        self.settings = settings
        guarded = Mutex(GuardedSession())
        app = Atomic(settings.metrics.nameless)
        used = Atomic(use)
        covered = Atomic(.min)
    }

    init(_ awake: sending AwakeSession) {
        id = awake.id
        settings = awake.settings
        app = Atomic(settings.metrics.index(of: awake.app))
        used = Atomic(awake.time)
        covered = Atomic(awake.time)
        guarded = Mutex(GuardedSession(awake))
    }

    /// The time of the last use, in milliseconds since 1970.
    var lastUse: Int64 { used.load(ordering: .relaxed) }

    func noteUse() {
        used.store(settings.clock.now().milliseconds, ordering: .relaxed)
    }

    /// Calls a closure with the tree under the lock.
    ///
    /// The closure must not return `busy`, which stands for a lock that was not free.
    @inline(__always)  // Without inlining, a request that the closure captures would be copied twice.
    func use<Value, Obstacle>(
        _ turn: LockTurn = .arriving, for claim: SessionClaim = .granted, isUse: Bool = true,
        _ body: @Sendable (AwakeSession) -> Attempt<Value, Obstacle>
    ) -> Attempt<Value, Obstacle> {
        guard turn == .called || queue.isEmpty else { return .busy }
        // The closure sets this variable, because a result of the closure would be copied.
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
        // Removes the mark after the lock is released: a dropped tree may be deallocated at that time, which runs the
        // app's code.
        settings.endFlight()
        leaveLock()
        return attempt
    }

    // MARK: Reading

    /// Returns the current state.
    ///
    /// - Throws: `SessionError`.
    package func snapshot(for claim: SessionClaim = .granted) async throws(SessionError) -> Snapshot {
        try await look(for: claim) { $0.snapshot() }
    }

    /// Returns the current state and the session's tokens.
    ///
    /// - Throws: `SessionError`.
    func watched(for claim: SessionClaim) async throws(SessionError) -> (snapshot: Snapshot, access: SessionAccess?) {
        try await look(for: claim) { ($0.snapshot(), $0.access) }
    }

    /// Returns the report on the coordinators, as JSON.
    ///
    /// - Throws: `SessionError`.
    package func report() async throws(SessionError) -> [UInt8] {
        try await look(for: .operator, as: nil) { $0.report }
    }

    /// Returns the session's details for an operator's list; `busy` if the lock is not free.
    func summary() -> SessionSummary.Memory {
        ifFree { guarded in guarded.look { .awake($0.summary) } ?? .asleep } ?? .busy
    }

    /// The approximate size in memory, in bytes; `nil` if the session is not awake, or if the lock is not free.
    var size: Int? {
        ifFree { guarded in guarded.look { Self.leastSize + 2 * $0.summary.bytes } } ?? nil
    }

    /// The approximate size in bytes of a small tree without its screens.
    private static let leastSize = 5_000

    /// Returns the version of the record that the journal confirms; `nil` if only this server uses the journal.
    ///
    /// - Throws: `SessionError`.
    func version() async throws(SessionError) -> RecordToken? {
        try await peek { $0.newest }.version
    }

    /// Reads the tree; unless the request is the operator's, this counts as a use of the session.
    private func look<Value: Sendable>(
        for claim: SessionClaim = .granted, as work: Admission? = .waking, _ body: @Sendable (AwakeSession) -> Value
    ) async throws(SessionError) -> Value {
        let value = try await peek(for: claim, as: work, body)
        if claim.isUse { coverUse() }
        return value
    }

    /// Reads the tree, and wakes the session first if necessary; if `work` is `nil`, even if memory is scarce.
    ///
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
            try settings.gate.admit(work)
            return try await wake(as: work)
        }
    }

    /// Records a use that is not an input, so that the session does not expire too early, even after a crash.
    ///
    /// To write rarely, the function records a time somewhat after the use, and records no further use before that
    /// time. A session may therefore expire a little later.
    func coverUse(at use: Int64? = nil) {
        let use = use ?? lastUse
        let before = covered.load(ordering: .relaxed)
        guard use > before else { return }
        let end = use &+ settings.bounds.useCover.milliseconds
        covered.store(end, ordering: .relaxed)
        settings.journal.submit(JournalChange(.touch(end), of: id.journalKey)).whenEnded { [self] result in
            // If the write fails, the next use is recorded.
            guard case .failure = result else { return }
            _ = covered.compareExchange(expected: end, desired: before, ordering: .relaxed)
        }
    }
}

// MARK: The lock

extension Session {
    /// Calls a closure under the lock; returns `nil` if the lock is taken or other requests wait for it.
    ///
    /// If the closure marks the app's code in the flight record, the caller ends the mark, because a dropped tree may
    /// be released with the lock.
    func ifFree<Value: Sendable>(
        _ turn: LockTurn = .arriving, _ body: @Sendable (inout GuardedSession) -> Value
    ) -> Value? {
        guard turn == .called || queue.isEmpty, let value = guarded.withLockIfAvailable({ body(&$0) }) else {
            return nil
        }
        leaveLock()
        return value
    }

    /// Calls a closure under the lock, as soon as the lock is free.
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

    /// Calls a closure under the lock without making the caller wait: now if the lock is free, otherwise later.
    ///
    /// After the lock is released, `then` is called with the result.
    func whenFree<Value: Sendable>(
        _ body: @escaping @Sendable (inout GuardedSession) -> Value,
        then: @escaping @Sendable (Value) -> Void = { _ in }
    ) {
        if let value = ifFree(.arriving, body) { return then(value) }
        Task.detached(priority: .high) { [self] in then(await locked(body)) }
    }

    /// Waits until it is this request's turn to try to take the lock.
    func waitForTurn(_ turn: LockTurn) async {
        await queue.wait(isCalled: turn == .called) { guarded.withLockIfAvailable { _ in } != nil }
    }

    /// Calls the next request that waits for the lock; must be called after the lock was released.
    @inline(__always)
    func leaveLock() {
        if !queue.isEmpty { queue.callNext() }
    }
}

/// The state that a session's lock protects: its state machine, and the work outside of its tree.
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

    /// The record of the session's end; `nil` if the session has not ended.
    var tombstone: Tombstone? {
        guard case .failure(.ended(let tombstone)) = state.ending?.result else { return nil }
        return tombstone
    }

    /// Returns the reason why a request may not use the session; `nil` if it may, or if no tokens are in memory.
    mutating func denial(of claim: SessionClaim) -> AccessDenial? {
        if let tombstone { return claim.denial(by: tombstone.access) }
        return look { claim.denial(by: $0.access) }
    }

    mutating func enter() -> SessionState<AwakeSession>.Availability {
        let availability = state.enter()
        if case .asleep(_, isDropped: true) = availability { work.undo() }
        return availability
    }

    /// Drops the tree, or the end of the session, because other servers may have written since.
    ///
    /// Does nothing if the lineage is no longer the current one; `nil` stands for the current lineage.
    mutating func drop(_ lineage: Lineage? = nil) {
        guard let lineage = lineage ?? state.lineage else { return }
        state.drop(lineage)
    }

    /// Records that a revision is durable, and returns the states that watchers may now see.
    ///
    /// Ignores a revision of an earlier tree: it may have been lost, and another input may now have the same revision.
    func noteDurable(_ revision: Int, of lineage: Lineage) -> [Snapshot] {
        work.takeSeen(through: lineage == state.lineage ? max(work.durable, revision) : work.durable)
    }

    /// Reads the tree, if there is one and none of its writes has failed.
    mutating func look<Value>(_ body: (AwakeSession) -> Value?) -> Value? {
        switch enter() {
        case .awake(let awake): body(awake)
        case .asleep, .waking, .over, .retired: nil
        }
    }
}
