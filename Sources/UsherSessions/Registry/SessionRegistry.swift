import Synchronization
package import Usher
package import UsherFuture
package import UsherJournal
package import UsherProcess

/// All sessions of a server: opens them, finds them by id, wakes and hibernates them, ends them.
///
/// In memory are those in use; the others are in the journal alone.
package final class SessionRegistry: Sendable {
    /// The bounds of a registry and of its sessions.
    package typealias Configuration = SessionBounds

    /// The apps that sessions can be opened on.
    package let apps: [any App.Type]
    let random: any RandomSource
    let settings: SessionSettings
    let store: SessionStore
    let reclaim: MemoryReclaim
    let openings = Openings()
    /// The giver of tokens; nil where sessions are opened by their ids alone.
    let tokens: TokenIssuer?
    /// The duties among the servers on the journal; nil where this one alone has it.
    let duties: PeerDuties?
    let trust: Mutex<ClockTrust>
    /// Sessions that are being opened and that the journal does not count yet.
    let reserved = Atomic(0)

    /// Makes a registry.
    ///
    /// - Parameters:
    ///   - apps: The apps that sessions can be opened on.
    ///   - configuration: The bounds.
    ///   - journal: The sessions' records; those that it knows can be used at once.
    ///   - clock: The source of the inputs' times; servers that share a journal go by the journal's.
    ///   - random: The source of ids and seeds.
    ///   - tokens: The giver of sessions' tokens; sessions are opened by their ids alone unless told.
    ///   - crashes: The inputs that are refused, and what makes isolated runs; none unless told.
    ///   - flight: The record that says whose author's code runs.
    ///   - threads: The threads of what would hold those of requests.
    ///   - background: Runs work that no request waits for; in a task of its own unless told.
    ///   - reclaim: Begins to give freed memory back to the system, after many sessions have left it; it returns at once.
    ///   - observe: Is told what no request's answer tells.
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

    /// The mark that tells this run from others, where a crash can take back what was acknowledged.
    package var epoch: String? { settings.epoch }

    /// The states that wait for slow readers.
    package var waiting: WaitingBytes { settings.waiting }

    /// Refuses work while memory is scarce.
    package var gate: AdmissionGate { settings.gate }

    /// Bytes of changes that wait for the journal.
    package var waitingChanges: Int { settings.journal.metrics?.waitingBytes ?? 0 }

    /// The number of sessions that live, hibernated ones included.
    package var sessionCount: Int { settings.journal.count }

    /// The number of sessions in memory.
    package var awakeCount: Int { store.count }

    /// The coordinators of all sessions so far, those that have ended included.
    package var coordinatorCounts: CoordinatorCounts { settings.totals.coordinatorCounts }

    /// The number of coordinators in memory.
    package var liveCoordinators: Int { settings.totals.live }

    // MARK: Events

    /// Handles what a user did.
    ///
    /// - Parameters:
    ///   - request: The input, and the conditions under which it counts.
    ///   - id: The key to the session.
    ///   - size: Bytes of the request's body.
    /// - Returns: The state afterwards.
    /// - Throws: `SessionError`; the session is then as it was.
    package func handle(
        _ request: InputRequest, on id: SessionID, size: Int = 0
    ) async throws(SessionError) -> Snapshot {
        try await answer(to: request, on: id, size: size).value.get()
    }

    /// Handles what a user did: at once where nothing has to be waited for, which is most often; on the journal's thread
    /// where that is only a commit.
    ///
    /// - Parameters:
    ///   - request: The input, and the conditions under which it counts.
    ///   - id: The key to the session.
    ///   - size: Bytes of the request's body.
    package func answer(
        to request: InputRequest, on id: SessionID, size: Int = 0
    ) -> Future<Result<Snapshot, SessionError>> {
        guard size > ExpectedMemory.smallBody else { return answer(to: request, on: id) }
        return countedAnswer(to: request, on: id, ExpectedMemory.body(of: size))
    }

    /// Handles an input that may take so much memory that it counts.
    @inline(never)
    private func countedAnswer(
        to request: InputRequest, on id: SessionID, _ bytes: Int
    ) -> Future<Result<Snapshot, SessionError>> {
        let work: Admission? = if case .action = request.content { .input } else { nil }
        do throws(SessionError) { try settings.expect(bytes, for: work) } catch { return .ready(.failure(error)) }
        return answer(to: request, on: id).map { [settings] result in
            settings.gate.settle(bytes)
            return result
        }
    }

    private func answer(to request: InputRequest, on id: SessionID) -> Future<Result<Snapshot, SessionError>> {
        // An operator's messages, and ends, which make room, are let through.
        if case .action = request.content {
            do throws(SessionError) { try settings.admit(.input) } catch { return .ready(.failure(error)) }
        }
        let session = find(id)
        let attempt = session.use(for: request.claim) { $0.handle(request, link: .follow, lookup: nil) }
        guard case .answered(let answer) = attempt, answer.isFinal, answer.isPlain || !settings.isShared else {
            return .async { await self.finish(request, on: session, from: attempt) }
        }
        let condition = session.condition(of: answer)
        // Most often all is durable that the answer shows.
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
                guard session !== first else { return try await session.handle(request, from: attempt) }
                return try await session.handle(request)
            }
            return .success(snapshot)
        } catch {
            return .failure(error)
        }
    }

    /// Notes an input that was refused, and tells those who watch its session.
    ///
    /// - Parameters:
    ///   - content: The input; nil for a body that was none.
    ///   - id: The session; nothing is noted of one that is not in memory.
    ///   - status: The status of the answer.
    ///   - reason: The answer's one sentence.
    ///   - current: The state that the answer has told.
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
            // Under the lock, so that they are told in their order.
            settings.watches.tell(refused, of: id)
        }
    }

    /// The inputs of a session that were refused last, the newest last; none of one that is not in memory.
    package func refusedInputs(of id: SessionID) -> [RefusedInput] {
        store.find(id)?.refusals.withLock { $0?.inputs } ?? []
    }

    /// Ends a session and gives all its memory back.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - precondition: The condition on its revision.
    ///   - claim: The claim by which the request is let in.
    /// - Returns: Coordinators that did not leave memory, for the log.
    /// - Throws: `SessionError.ended` when it was over already.
    package func end(
        _ id: SessionID, if precondition: Precondition = .none, for claim: SessionClaim = .granted
    ) async throws(SessionError) -> [Leak] {
        try await with(id) { session throws(SessionError) in
            try await session.end(.deleted, if: precondition, for: claim) ?? []
        }
    }

    // MARK: Tokens

    /// Draws another token for a session, which takes the place of the one before.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - claim: The claim by which the request is let in.
    /// - Throws: `SessionError`, and then the token is the one before.
    package func rotateToken(of id: SessionID, for claim: SessionClaim) async throws(SessionError) -> SessionToken {
        try await give(id, claim) { .rotate($0.hash) }
    }

    /// Draws a token that opens a session for reading alone.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - claim: The claim by which the request is let in.
    /// - Throws: `SessionError`, and then there is no such token.
    package func addReader(to id: SessionID, for claim: SessionClaim) async throws(SessionError) -> SessionToken {
        try await give(id, claim) { .addReader($0.hash) }
    }

    /// Revokes tokens of a session.
    ///
    /// - Parameters:
    ///   - change: The tokens that go.
    ///   - id: The session.
    ///   - claim: The claim by which the request is let in.
    /// - Throws: `SessionError`, and then they are as they were.
    package func revoke(
        _ change: TokenChange, of id: SessionID, for claim: SessionClaim
    ) async throws(SessionError) {
        try await with(id) { session throws(SessionError) in try await session.grant(change, for: claim) }
    }

    private func give(
        _ id: SessionID, _ claim: SessionClaim, _ change: (SessionToken) -> TokenChange
    ) async throws(SessionError) -> SessionToken {
        let token = SessionToken(from: random)
        let change = change(token)
        try await with(id) { session throws(SessionError) in try await session.grant(change, for: claim) }
        return token
    }

    // MARK: Finding sessions

    /// The session with an id, put into memory where it is not there.
    ///
    /// - Parameter use: The last use of one that is not in memory; only the journal knows it unless told.
    func find(_ id: SessionID, lastUsed use: Int64 = .min) -> Session {
        store.session(id) { Session(id, settings: settings, lastUsed: use) }
    }

    /// Lets a session do something; it may hibernate at any moment, and is looked up again then.
    ///
    /// - Parameters:
    ///   - id: The key to it.
    ///   - first: The session, where it has been found already.
    ///   - use: The last use of one that is not in memory; only the journal knows it unless told.
    func with<Value: Sendable>(
        _ id: SessionID, in first: Session? = nil, lastUsed use: Int64 = .min,
        _ body: (Session) async throws(SessionError) -> Value
    ) async throws(SessionError) -> Value {
        var first = first
        while true {
            let session = first ?? find(id, lastUsed: use)
            first = nil
            // Only now, for one that nobody knows takes no other's room.
            defer { store.makeRoom(for: session) }
            do throws(SessionError) {
                return try await body(session)
            } catch {
                switch error {
                case .retired: store.remove(session)
                case .ended, .unknown:
                    // A tree that was dropped counts no longer.
                    _ = session.retire()
                    store.remove(session)
                    throw error
                default: throw error
                }
            }
        }
    }
}
