import Synchronization
package import Usher
package import UsherFuture
package import UsherJournal
package import UsherProcess

/// All sessions of a server; the registry opens, finds, wakes, hibernates and ends them.
///
/// Sessions in use are in memory. All other sessions are only in the journal.
package final class SessionRegistry: Sendable {
    /// The limits of a registry and its sessions.
    package typealias Configuration = SessionBounds

    /// The apps that sessions can be opened on.
    package let apps: [any App.Type]
    let random: any RandomSource
    let settings: SessionSettings
    let store: SessionStore
    let reclaim: MemoryReclaim
    let openings = Openings()
    /// The issuer of tokens; `nil` if a session's id is enough to use the session.
    let tokens: TokenIssuer?
    /// The duties on a shared journal; `nil` if only this server uses the journal.
    let duties: PeerDuties?
    let trust: Mutex<ClockTrust>
    /// The number of sessions that are being opened, which the journal does not count yet.
    let reserved = Atomic(0)

    /// Creates a registry.
    ///
    /// - Parameters:
    ///   - apps: The apps that sessions can be opened on.
    ///   - configuration: The limits.
    ///   - journal: The journal that stores the sessions' records. Clients can use the sessions in the journal at once.
    ///   - clock: The source of the inputs' times; servers on a shared journal use the journal's time.
    ///   - random: The source of ids and seeds.
    ///   - tokens: The issuer of tokens. By default, there is no issuer, and a session's id is enough to use the
    ///     session.
    ///   - crashes: The guilty inputs, and the runner of isolated runs; by default neither.
    ///   - flight: The record in which the app's running code is marked.
    ///   - threads: The threads for code that would block the threads of requests.
    ///   - background: Runs work that no request waits for; by default in a detached task.
    ///   - reclaim: Called after many sessions have left memory. Must start to return freed memory to the system, and
    ///     return at once.
    ///   - observe: Called with each event that no answer to a request reports.
    package init(
        apps: [any App.Type], configuration: Configuration = Configuration(),
        journal: any Journal = MemoryJournal(), clock: any Clock, random: any RandomSource = SystemRandom(),
        tokens: TokenIssuer? = nil, crashes: CrashSettings = CrashSettings(), flight: FlightRecord? = nil,
        threads: SessionThreads = SessionThreads(),
        background: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void = { work in
            Task.detached(priority: .background) { await work() }
        },
        reclaim: @escaping @Sendable () -> Void = {},
        observe: @escaping @Sendable (SessionEvent) -> Void = { _ in }
    ) {
        self.apps = apps
        self.random = random
        self.tokens = tokens
        self.reclaim = MemoryReclaim(reclaim)
        let store = SessionStore(awakeLimit: configuration.awakeLimit, reclaim: self.reclaim)
        self.store = store
        settings = SessionSettings(
            apps: apps, clock: clock, journal: journal, bounds: configuration, crashes: crashes, flight: flight,
            threads: threads, background: background, observe: observe,
            leave: { [weak store] in store?.remove($0) })
        trust = Mutex(ClockTrust(settings.clock))
        duties = settings.peers.map { [settings] in PeerDuties($0, settings, store) }
    }

    /// An identifier of this run of the server; `nil` if a crash cannot undo acknowledged inputs.
    package var epoch: String? { settings.journal.epoch }

    /// The number of bytes of states that wait for slow readers.
    package var waiting: WaitingBytes { settings.waiting }

    /// The gate that refuses work while memory is scarce.
    package var gate: AdmissionGate { settings.gate }

    /// The number of bytes of changes that wait for the journal.
    package var waitingChanges: Int { settings.journal.metrics?.waitingBytes ?? 0 }

    /// The number of live sessions, including hibernated ones.
    package var sessionCount: Int { settings.journal.count }

    /// The number of sessions in memory.
    package var awakeCount: Int { store.count }

    /// The counts of all sessions' coordinators so far, including ended coordinators.
    package var coordinatorCounts: CoordinatorCounts { settings.totals.coordinatorCounts }

    /// The number of coordinators in memory.
    package var liveCoordinators: Int { settings.totals.live }

    // MARK: Events

    /// Handles an input.
    ///
    /// - Parameter size: The size of the request's body, in bytes.
    /// - Returns: The state after the input.
    /// - Throws: `SessionError`; the session is then unchanged.
    package func handle(
        _ request: InputRequest, on id: SessionID, size: Int = 0
    ) async throws(SessionError) -> Snapshot {
        try await answer(to: request, on: id, size: size).value.get()
    }

    /// Handles an input, if possible without creating a task.
    ///
    /// If the answer needs to wait only for a commit, the journal's thread completes the future.
    ///
    /// - Parameter size: The size of the request's body, in bytes.
    package func answer(
        to request: InputRequest, on id: SessionID, size: Int = 0
    ) -> Future<Result<Snapshot, SessionError>> {
        guard size > ExpectedMemory.smallBody else { return answer(to: request, on: id) }
        return countedAnswer(to: request, on: id, ExpectedMemory.body(of: size))
    }

    /// Handles an input whose body is so large that the gate must count its memory.
    @inline(never)
    private func countedAnswer(
        to request: InputRequest, on id: SessionID, _ bytes: Int
    ) -> Future<Result<Snapshot, SessionError>> {
        let work: Admission? = if case .action = request.content { .input } else { nil }
        do throws(SessionError) { try settings.gate.admit(work, expecting: bytes) } catch {
            return .ready(.failure(error))
        }
        return answer(to: request, on: id).map { [settings] result in
            settings.gate.settle(bytes)
            return result
        }
    }

    private func answer(to request: InputRequest, on id: SessionID) -> Future<Result<Snapshot, SessionError>> {
        // Only actions can be refused. Backends' messages are always admitted.
        if case .action = request.content {
            do throws(SessionError) { try settings.gate.admit(.input) } catch { return .ready(.failure(error)) }
        }
        let session = find(id)
        let attempt = session.use(for: request.claim) { $0.handle(request, link: .follow, lookup: nil) }
        guard case .answered(let answer) = attempt, answer.isFinal, answer.isPlain || !settings.isShared else {
            return .async { await self.finish(request, on: session, from: attempt) }
        }
        let condition = session.condition(of: answer)
        // This is the usual case for an answer that shows no new revision.
        if condition.hasHappened { return .ready(session.publish(answer.result)) }
        guard answer.isPlain, let commit = condition.outstanding else {
            return .async { await self.finish(request, on: session, from: attempt) }
        }
        return .after(
            commit,
            handOver: { receive in
                guard condition.hasHappened else { return false }
                receive(session.publish(answer.result))
                return true
            }, otherwise: { await self.finish(request, on: session, from: .answered(answer)) })
    }

    private func finish(
        _ request: InputRequest, on first: Session, from attempt: Attempt<InputOutcome, InputObstacle>
    ) async -> Result<Snapshot, SessionError> {
        do throws(SessionError) {
            let snapshot = try await with(first.id, in: first) { session throws(SessionError) in
                try await session.handle(request, from: session === first ? attempt : nil)
            }
            return .success(snapshot)
        } catch {
            return .failure(error)
        }
    }

    /// Records a refused input, and informs the session's watchers.
    ///
    /// - Parameters:
    ///   - content: The input; `nil` if the body was not an input.
    ///   - id: The session; if it is not in memory, nothing is recorded.
    ///   - status: The status of the answer.
    ///   - reason: The reason for the refusal, as one sentence in the answer.
    ///   - current: The state in the answer.
    package func note(
        refusal content: InputContent?, of id: SessionID, status: Int, reason: String, at current: Snapshot?
    ) {
        guard let session = store.find(id) else { return }
        let input = content?.masked(in: apps, at: current)
        let time = settings.clock.now().milliseconds
        session.refusals.withLock { refusals in
            var all = refusals ?? RefusedInputs()
            defer { refusals = all }
            let refused = all.note(input, status: status, reason, at: time, upon: current?.revision)
            // Informs the watchers under the lock, so that they receive the refused inputs in order.
            settings.watches.tell(refused, of: id)
        }
    }

    /// Returns the newest refused inputs of a session, oldest first; empty if the session is not in memory.
    package func refusedInputs(of id: SessionID) -> [RefusedInput] {
        store.find(id)?.refusals.withLock { $0?.inputs } ?? []
    }

    /// Ends a session and releases its memory.
    ///
    /// - Parameter precondition: The condition on the session's revision.
    /// - Returns: The coordinators that stayed in memory, for the log.
    /// - Throws: `SessionError.ended` if the session had already ended.
    package func end(
        _ id: SessionID, if precondition: Precondition = .none, for claim: SessionClaim = .granted
    ) async throws(SessionError) -> [Leak] {
        try await with(id) { session throws(SessionError) in
            try await session.end(.deleted, if: precondition, for: claim) ?? []
        }
    }

    // MARK: Tokens

    /// Changes a session's tokens.
    ///
    /// - Throws: `SessionError`; the tokens are then unchanged.
    package func grant(
        _ change: TokenChange, of id: SessionID, for claim: SessionClaim
    ) async throws(SessionError) {
        try await with(id) { session throws(SessionError) in try await session.grant(change, for: claim) }
    }

    /// Creates a token for a session.
    ///
    /// - Parameter change: Returns the change that makes the session accept the token.
    /// - Throws: `SessionError`; the tokens are then unchanged.
    package func newToken(
        of id: SessionID, for claim: SessionClaim, _ change: (TokenHash) -> TokenChange
    ) async throws(SessionError) -> SessionToken {
        let token = SessionToken(from: random)
        try await grant(change(token.hash), of: id, for: claim)
        return token
    }

    // MARK: Finding sessions

    /// Returns the session with an id, and adds it to memory if it is not there.
    ///
    /// - Parameter use: The last use, for a session that is not in memory; by default, the one that the journal knows.
    func find(_ id: SessionID, lastUsed use: Int64 = .min) -> Session {
        store.session(id) { Session(id, settings: settings, lastUsed: use) }
    }

    /// Calls a closure with a session.
    ///
    /// If the session leaves memory during the call, the function finds the session again and repeats the call.
    func with<Value: Sendable>(
        _ id: SessionID, in first: Session? = nil, lastUsed use: Int64 = .min,
        _ body: (Session) async throws(SessionError) -> Value
    ) async throws(SessionError) -> Value {
        var first = first
        while true {
            let session = first ?? find(id, lastUsed: use)
            first = nil
            // Makes room only after the call, because a session that does not exist must not displace another session.
            defer { store.makeRoom(for: session) }
            do throws(SessionError) {
                return try await body(session)
            } catch {
                switch error {
                case .retired: store.remove(session)
                case .ended, .unknown:
                    // Retires the session, so that the coordinators of a dropped tree no longer count as in memory.
                    _ = session.retire()
                    store.remove(session)
                    throw error
                default: throw error
                }
            }
        }
    }
}
