import Synchronization
import Usher
import UsherJournal

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
    /// The place of its app's metrics.
    let app: Atomic<Int>
    private let used: Atomic<Int64>
    /// Until when the journal takes it to be in use.
    private let covered: Atomic<Int64>

    /// Makes a session that is known to the journal alone, or not at all.
    ///
    /// - Parameter use: Its last use: milliseconds since 1970; now unless told.
    init(_ id: SessionID, settings: SessionSettings, lastUsed use: Int64? = nil) {
        self.id = id
        self.settings = settings
        guarded = Mutex(GuardedSession())
        app = Atomic(settings.metrics.nameless)
        used = Atomic(use ?? settings.clock.now().milliseconds)
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
    /// - Parameter body: The request; its answer leaves once all that it shows is durable.
    func use<Value>(_ body: @Sendable (AwakeSession) -> Attempt<Value>) -> Attempt<Value> {
        guarded.withLock { guarded in
            switch guarded.enter() {
            case .awake(let awake):
                let leakCount = awake.leakCount
                let attempt = body(awake)
                if case .undone = attempt {
                    guarded.state.undo(leaving: awake.carried(leakCount: leakCount))
                } else if let ending = awake.ending {
                    guarded.state.end(with: ending)
                }
                return attempt
            case .asleep, .waking: return .asleep
            case .over(let ending): return .answered(ending.as())
            case .retired: return .answered(PendingAnswer(.failure(.retired)))
            }
        }
    }

    // MARK: Looking

    /// The state now.
    ///
    /// - Throws: `SessionError`.
    package func snapshot() async throws(SessionError) -> Snapshot {
        try await look { $0.snapshot() }
    }

    /// The coordinators as JSON.
    ///
    /// - Throws: `SessionError`.
    package func report() async throws(SessionError) -> [UInt8] {
        try await look { $0.report }
    }

    /// The session's line in an operator's list, while it is awake.
    func summary() -> SessionSummary.Awake? {
        guarded.withLock { $0.look { $0.summary } }
    }

    private func look<Value: Sendable>(
        _ body: @escaping @Sendable (AwakeSession) -> Value
    ) async throws(SessionError) -> Value {
        noteUse()
        let value = try await complete(Look(body: body))
        coverUse()
        return value
    }

    /// Tells the journal that it is used, where its inputs do not: it must not expire too early, also after a crash.
    ///
    /// Seldom, and therefore for some time ahead; a session may so live a little longer than it has to.
    private func coverUse() {
        guard lastUse > covered.load(ordering: .relaxed) else { return }
        let end = lastUse &+ settings.bounds.expiryTime.milliseconds / 16
        covered.store(end, ordering: .relaxed)
        _ = settings.journal.submit(JournalChange(.touch(end), of: id.journalKey))
    }
}

/// A look at the tree as it stands.
private struct Look<Value: Sendable>: SessionOperation {
    let body: @Sendable (AwakeSession) -> Value

    func attempt(on session: Session) -> Attempt<Value> {
        session.use { .answered($0.pending(.success(body($0)))) }
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

    /// A request comes in.
    mutating func enter() -> SessionState<AwakeSession>.Availability {
        let availability = state.enter()
        if case .asleep(_, isDropped: true) = availability { work.undo() }
        return availability
    }

    /// Looks at the tree, where there is one whose writes are durable or under way.
    mutating func look<Value>(_ body: (AwakeSession) -> Value?) -> Value? {
        guard case .awake(let awake) = enter() else { return nil }
        return body(awake)
    }
}
