import Synchronization
import Usher
import UsherFuture
package import UsherJSON
import UsherJournal

extension SessionRegistry {
    /// Opens a session.
    ///
    /// - Parameters:
    ///   - name: The name of an app.
    ///   - options: Its options as a JSON object.
    ///   - link: A deep link to begin with; the flows from the root down.
    ///   - key: The client's name for the request: the first answer under it is given again.
    /// - Returns: The session, and what it shows at first.
    /// - Throws: `SessionError`, and then there is no session.
    package func open(
        _ name: String, options: [UInt8] = Array("{}".utf8), link: [JSONValue] = [], key: IdempotencyKey? = nil
    ) async throws(SessionError) -> (session: Session, snapshot: Snapshot) {
        guard let key else { return try await open(name, options, link, key: nil) }
        await openings.begin(key.text)
        defer { openings.end(key.text) }
        do throws(SessionError) {
            if let first = try await opening(under: key) { return first }
        } catch {
            throw error.withoutLookup
        }
        do throws(SessionError) {
            return try await open(name, options, link, key: key)
        } catch {
            // Another server may have opened one under the key meanwhile.
            guard settings.isShared, case .notRecorded = error, let first = try? await opening(under: key) else {
                throw error
            }
            return first
        }
    }

    /// Opens a session that begins where another was at a revision.
    ///
    /// - Parameters:
    ///   - id: The key to the other, which stays as it is.
    ///   - revision: The revision.
    /// - Returns: The new session, and what it shows.
    /// - Throws: `SessionError`, and then there is no new session.
    package func fork(_ id: SessionID, at revision: Int) async throws(SessionError) -> (Session, Snapshot) {
        try reserve()
        defer { release() }
        let (record, tree) = try await rebuild(id, at: revision)
        let fork = SessionID(from: random)
        let bytes = record.entries.prefix(revision).map { $0.bytes(of: fork.journalKey) }
        let now = settings.clock.now().milliseconds
        let header = SessionHeader(
            app: record.head.app, created: now, revision: revision, time: now, bytes: bytes.reduce(0) { $0 + $1.count },
            salt: random.next())
        let awake = AwakeSession(tree, RecordHead(header), id: fork, settings: settings)
        let begun = awake.begunWork()
        let (session, _) = try await insert(
            OpenedSession(awake: awake, answer: awake.begin(with: bytes, key: nil), begun: begun))
        do throws(SessionError) {
            // The effects that are under way are the other session's.
            // In a task of its own, for a client that hangs up must not leave them half done.
            await Task { await session.failEffects(.forked) }.value
            // It may have left memory since, where there is little room.
            return try await with(fork) { session throws(SessionError) in
                let shown = try await session.snapshot()
                session.afterCommit(InputOutcome(snapshot: shown, begun: begun, isBusy: true))
                return (session, shown)
            }
        } catch {
            store.remove(session)
            throw error.afterCommit
        }
    }

    private func open(
        _ name: String, _ options: [UInt8], _ link: [JSONValue], key: IdempotencyKey?
    ) async throws(SessionError) -> (session: Session, snapshot: Snapshot) {
        guard let app = apps.first(where: { $0.name == name }) else { throw .unknownApp(name) }
        try settings.gate.admit(.session)
        try reserve()
        defer { release() }
        let creation = Creation(
            app: app, options: options, link: link, seed: random.next(), time: settings.clock.now())
        if !settings.guilty.isEmpty || !settings.holds.isEmpty { try await judge(creation) }
        let opened = try OpenedSession(
            creation, id: SessionID(from: random), salt: random.next(), settings: settings, key: key)
        let begun = opened.begun
        let (session, snapshot) = try await insert(opened)
        session.commit(snapshot.revision, beginning: begun)
        return (session, snapshot)
    }

    /// Puts a session into memory, and waits until it is durable; its work has not begun then.
    ///
    /// - Throws: `notRecorded`, and then there is no session.
    private func insert(
        _ opened: consuming sending OpenedSession
    ) async throws(SessionError) -> (Session, Snapshot) {
        let answer = opened.answer
        let session = Session(opened.awake)
        store.insert(session)
        do throws(SessionError) {
            guard let snapshot = try await answer.outcome.value?.get() else {
                throw .notRecorded(cause: "\(JournalError.conflict)")
            }
            session.metrics.count(.opened)
            session.afterCommit(InputOutcome(snapshot: snapshot))
            return (session, snapshot)
        } catch {
            // Its coordinators are not in memory any more.
            _ = session.retire()
            store.remove(session)
            throw error
        }
    }

    /// Makes sure that there is room for another session.
    ///
    /// - Throws: `SessionError.full`.
    private func reserve() throws(SessionError) {
        let reserved = reserved.add(1, ordering: .relaxed).newValue
        guard settings.journal.count + reserved <= settings.bounds.sessionLimit else {
            release()
            throw .full
        }
    }

    /// Gives the room back, once the journal counts the session or there is none.
    private func release() {
        reserved.subtract(1, ordering: .relaxed)
    }

    private func opening(under key: IdempotencyKey) async throws(SessionError) -> (Session, Snapshot)? {
        let opening = try await settings.ask { journal throws(JournalError) in
            try await journal.opening(under: key.text)
        }
        guard let opening else { return nil }
        return (Session(SessionID(opening.session), settings: settings), try key.first(opening.answer, epoch: epoch))
    }
}

/// A session that was just opened, and its first answer.
private struct OpenedSession {
    let awake: AwakeSession
    let answer: PendingAnswer<Snapshot>
    /// The work that it begins, where several servers may run it.
    let begun: [BegunWork]
}

extension OpenedSession {
    /// Builds a session's first tree, and writes its creation.
    ///
    /// - Throws: `SessionError`, and then there is no session.
    fileprivate init(
        _ creation: Creation, id: SessionID, salt: UInt64, settings: SessionSettings, key: IdempotencyKey?
    ) throws(SessionError) {
        var creation = creation
        let flight = SessionFlight(settings.flight, of: id.journalKey, app: creation.app.name)
        flight.begin(creation)
        defer { flight.end() }
        let tree: Tree
        do {
            tree = try creation.open(limits: settings.bounds.limits)
        } catch {
            throw SessionError(opening: creation.app.name, error)
        }
        let entry = creation.entry(leadingTo: tree)
        let bytes = entry.bytes(of: id.journalKey)
        let header = SessionHeader(
            app: creation.app.name, created: creation.time.milliseconds, revision: 1,
            time: creation.time.milliseconds, bytes: bytes.count, salt: salt)
        awake = AwakeSession(tree, RecordHead(header), id: id, settings: settings)
        // The journal has the key for long, and a digest of secrets might give them away.
        answer = awake.begin(with: [bytes], key: entry.secrets.isEmpty ? key : key?.blind)
        begun = awake.begunWork()
    }
}

/// Idempotency keys under which sessions are being opened: a twin waits for the first.
final class Openings: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    private let waiting = Mutex<[String: [Waiter]]>([:])

    /// Waits until nobody else opens a session under a key, and then is the one that does.
    func begin(_ key: String) async {
        while await !isFirst(key) {}
    }

    /// Lets the twins go on.
    func end(_ key: String) {
        let waiters = waiting.withLock { $0.removeValue(forKey: key) ?? [] }
        for waiter in waiters { waiter.resume() }
    }

    /// - Returns: True where there was nobody; else false, after the one before is done.
    private func isFirst(_ key: String) async -> Bool {
        let isFirst = waiting.withLock { waiting in
            guard waiting[key] == nil else { return false }
            waiting[key] = []
            return true
        }
        guard !isFirst else { return true }
        await withCheckedContinuation { waiter in
            let isOver = waiting.withLock { waiting in
                guard waiting[key] != nil else { return true }
                waiting[key]?.append(waiter)
                return false
            }
            if isOver { waiter.resume() }
        }
        return false
    }
}
