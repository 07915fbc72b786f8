import Synchronization
import Usher
import UsherJournal
import UsherMetrics

extension Session {
    /// Builds the tree by replay, or waits for the request that does.
    ///
    /// Not under the lock: a long history holds nobody up but those who want this session.
    ///
    /// - Throws: `SessionError`, why there is no tree.
    func wake() async throws(SessionError) {
        switch guarded.withLock({ $0.state.beginWaking() }) {
        case .none: return
        case .wait:
            if let error = await waitForWaker() { throw error }
        case .build(let predecessor):
            let result = await timed { await build(after: predecessor) }
            let waiters = guarded.withLock { $0.endWaking(result) }
            // All that was replayed is durable; a divergence that was written begins no work.
            if case .awake(_, let durable) = result { commit(durable) }
            for waiter in waiters { waiter(result.error) }
            if let error = result.error { throw error }
        }
    }

    /// Waits for the request that wakes the session, if there is one.
    ///
    /// - Returns: Why there is no tree then.
    func waitForWaker() async -> SessionError? {
        await withCheckedContinuation { continuation in
            let waits = guarded.withLock { $0.state.wait { continuation.resume(returning: $0) } }
            if !waits { continuation.resume(returning: nil) }
        }
    }

    private func build(after predecessor: CarriedState?) async -> WakeResult {
        do throws(JournalError) {
            guard let record = try await settings.journal.record(of: id.journalKey) else { return .failed(.unknown) }
            if let tombstone = Tombstone(record.head) { return .over(tombstone) }
            return await replay(record, after: predecessor)
        } catch {
            return fail(SessionError(reading: error))
        }
    }

    private func replay(_ record: SessionRecord, after predecessor: CarriedState?) async -> WakeResult {
        do {
            let replay = Replay(record.entries, apps: settings.apps, limits: settings.bounds.limits)
            let result = try await replay.restore(at: settings.clock.now())
            return .awake(SendingBox(awake(result, record, after: predecessor)), durable: record.head.revision)
        } catch {
            return fail(SessionError(restoring: error))
        }
    }

    private func awake(
        _ result: consuming sending ReplayResult, _ record: SessionRecord, after predecessor: CarriedState?
    ) -> sending AwakeSession {
        app.store(settings.metrics.index(of: record.head.app), ordering: .relaxed)
        let (divergence, entry, abandoned) = (result.divergence, result.entry, result.abandoned)
        let awake = AwakeSession(result.tree, record.head, id: id, settings: settings, answers: record.answers)
        awake.begin(after: predecessor, divergence: divergence, entry, abandoned: abandoned)
        return awake
    }

    private func fail(_ error: SessionError) -> WakeResult {
        if case .notRestored(let cause) = error { settings.observe(.unavailable(id, cause: cause)) }
        return .failed(error)
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
}

extension GuardedSession {
    /// The waking has ended.
    ///
    /// - Returns: Those who wait for it.
    fileprivate mutating func endWaking(_ result: WakeResult) -> [SessionState<AwakeSession>.Waiter] {
        switch result {
        case .awake(let box, _):
            guard let awake = box.take() else { return state.endWaking(.failed) }
            awake.join(work)
            defer { if let ending = awake.ending { state.end(with: ending) } }
            return state.endWaking(.awake(awake))
        case .over(let tombstone): return state.endWaking(.over(PendingAnswer(.failure(.ended(tombstone)))))
        case .failed: return state.endWaking(.failed)
        }
    }
}

/// The result of waking a session.
private enum WakeResult: Sendable {
    /// There is a tree; all is durable up to a revision.
    case awake(SendingBox<AwakeSession>, durable: Int)
    /// It was over already.
    case over(Tombstone)
    case failed(SessionError)

    /// The error for those who waited for it.
    var error: SessionError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

/// A box that takes a value which is not `Sendable` into a lock: a closure cannot capture it as *sending*.
private final class SendingBox<Value>: Sendable {
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
    /// Ids that it has spent stay spent.
    let identifiers: NextIdentifiers
    /// Its leaks, with what was found out about them.
    let leaks: [Leak]
    let leakCount: Int
    /// The part of its counts that the server's totals have got.
    let counted: CoordinatorCounts
    let inquiry: LeakInquiry
}
