import Synchronization
package import Usher
import UsherFuture
package import UsherJSON
import UsherJournal

/// A session that was opened.
package struct Opening: Sendable {
    package let session: Session
    /// The first state.
    package let snapshot: Snapshot
    /// The session's token, which no other function returns; `nil` if this server uses no tokens, or if the token has
    /// been replaced.
    package let token: SessionToken?
}

extension SessionRegistry {
    /// Opens a session.
    ///
    /// - Parameters:
    ///   - name: The name of an app.
    ///   - options: The app's options, as a JSON object.
    ///   - link: The flows of a deep link with which the session opens, from the root down.
    ///   - client: The client's description of itself.
    ///   - key: The request's idempotency key; a repeated request with this key gets the first answer.
    ///   - subject: The user for whom a backend opens the session.
    ///   - size: The size of the request's body, in bytes.
    /// - Throws: `SessionError`; no session is then opened.
    package func open(
        _ name: String, options: [UInt8] = Array("{}".utf8), link: [JSONValue] = [], client: Client = Client(),
        key: IdempotencyKey? = nil, for subject: String? = nil, size: Int = 0
    ) async throws(SessionError) -> Opening {
        guard let key else { return try await open(name, options, link, client, key: nil, for: subject, size: size) }
        await openings.begin(key.text)
        defer { openings.end(key.text) }
        do throws(SessionError) {
            if let first = try await opening(under: key) { return first }
        } catch {
            throw error.withoutLookup
        }
        do throws(SessionError) {
            return try await open(name, options, link, client, key: key, for: subject, size: size)
        } catch {
            // Another server may have opened a session with the same key in the meantime.
            guard settings.isShared, case .notRecorded = error, let first = try? await opening(under: key) else {
                throw error
            }
            return first
        }
    }

    /// Opens a session that begins with the state of another session at a revision, for the same user; the other
    /// session stays unchanged.
    ///
    /// - Throws: `SessionError`; no session is then opened.
    package func fork(_ id: SessionID, at revision: Int) async throws(SessionError) -> Opening {
        let room = try reserve(ExpectedMemory.session)
        defer { release(room) }
        let (record, tree) = try await rebuild(id, at: revision)
        tree.failEffects(through: revision, as: .forked)
        let entries: [Entry]
        do { entries = try record.entries.through(revision).copied(from: .fork(of: id)) } catch {
            throw SessionError(restoring: error)
        }
        return try await begin(
            entries, tree, as: SessionID(from: random), of: record.head.app, for: record.head.access?.subject,
            under: record.head.history.inputLimit)
    }

    /// Opens a session that begins with the inputs of an exported session.
    ///
    /// - Throws: `SessionError`; no session is then opened.
    package func open(_ archive: SessionArchive) async throws(SessionError) -> Opening {
        let size = archive.entries.reduce(0) { $0 + $1.payload.count }
        let room = try reserve(ExpectedMemory.session + ExpectedMemory.record(of: size))
        defer { release(room) }
        let usage = SessionUsage(inputs: archive.entries.count, bytes: size, within: settings.bounds)
        if let excess = usage.excess { throw .notOpened(excess) }
        let archive = try archive.copied()
        let id = SessionID(from: random)
        try await archive.run(as: id, at: settings.clock.now(), by: settings.guilty.runner)
        let tree = try await archive.tree(as: id, settings)
        return try await begin(
            archive.entries, tree, as: id, of: archive.app, for: nil, under: settings.bounds.inputLimit)
    }

    /// Opens a session with inputs of another session; effects that these inputs started fail in the new session.
    ///
    /// - Parameter limit: The limit on inputs under which the entries were accepted, as in a session's header.
    private func begin(
        _ entries: [Entry], _ tree: consuming sending Tree, as id: SessionID, of app: String, for subject: String?,
        under limit: Int?
    ) async throws(SessionError) -> Opening {
        let bytes = entries.map { $0.bytes(of: id.journalKey) }
        let now = settings.clock.now().milliseconds
        let token = tokens.map { _ in SessionToken(from: random) }
        let header = SessionHeader(
            app: app, created: now, revision: entries.last?.revision ?? 0, time: now,
            bytes: bytes.reduce(0) { $0 + $1.count }, salt: random.next(), access: Self.access(by: token, for: subject),
            history: SessionHeader.HistoryBounds(start: entries.first?.revision ?? 1, inputLimit: limit))
        let awake = AwakeSession(tree, RecordHead(header), id: id, settings: settings, isOwn: false)
        let begun = awake.begunWork()
        let (session, _) = try await insert(
            OpenedSession(awake: awake, answer: awake.begin(with: bytes, key: nil, begun), begun: begun))
        settings.owned?.add(begun, of: id.journalKey)
        do throws(SessionError) {
            // The running effects belong to the other session, so they fail in this one before the answer is sent. A
            // separate task submits the failures, so that the journal records them even if the client disconnects.
            await Task { await session.failEffects(.forked) }.value
            // If memory is scarce, the new session may already have left memory, so `with` finds it again.
            return try await with(id) { session throws(SessionError) in
                let (shown, lineage) = try await session.peek { ($0.snapshot(), $0.lineage) }
                session.publish(InputOutcome(snapshot: shown, lineage: lineage, isBusy: true))
                return Opening(session: session, snapshot: shown, token: token)
            }
        } catch {
            store.remove(session)
            throw error.asUnknownOutcome
        }
    }

    private func open(
        _ name: String, _ options: [UInt8], _ link: [JSONValue], _ client: Client, key: IdempotencyKey?,
        for subject: String?, size: Int
    ) async throws(SessionError) -> Opening {
        guard let app = apps.app(named: name) else { throw .unknownApp(name) }
        let room = try reserve(ExpectedMemory.session + ExpectedMemory.body(of: size))
        defer { release(room) }
        let creation = Creation(
            app: app, options: options, link: link, client: client, seed: random.next(), time: settings.clock.now(),
            subject: subject)
        if !settings.guilty.isEmpty { try await judge(creation) }
        let id = SessionID(from: random)
        let salt = random.next()
        let token = tokens.map { key == nil ? SessionToken(from: random) : $0.derived(for: id) }
        let opened = try OpenedSession(
            creation, id: id, salt: salt, access: Self.access(by: token, for: subject), settings: settings, key: key)
        let (begun, lineage) = (opened.begun, opened.answer.lineage)
        let (session, snapshot) = try await insert(opened)
        session.commit(snapshot.revision, of: lineage, beginning: begun)
        return Opening(session: session, snapshot: snapshot, token: token)
    }

    private static func access(by token: SessionToken?, for subject: String?) -> SessionAccess? {
        guard let token else { return subject.map { SessionAccess(openFor: $0) } }
        return SessionAccess(owner: token.hash, subject: subject)
    }

    /// Adds a session to memory, and waits until it is durable; the caller starts the session's work.
    ///
    /// - Throws: `SessionError`; no session is then opened.
    private func insert(
        _ opened: consuming sending OpenedSession
    ) async throws(SessionError) -> (Session, Snapshot) {
        let answer = opened.answer
        let session = Session(opened.awake)
        store.insert(session)
        do throws(SessionError) {
            if let failure = await session.waitForFailure(of: answer) { throw SessionError(writing: failure) }
            let snapshot = try answer.result.get()
            session.metrics.count(.opened)
            session.publish(InputOutcome(snapshot: snapshot, lineage: answer.lineage))
            return (session, snapshot)
        } catch {
            // Retires the session, so that its coordinators no longer count as in memory.
            _ = session.retire()
            store.remove(session)
            throw error
        }
    }

    /// Reserves a place and memory for another session.
    ///
    /// - Parameter bytes: The number of bytes that the session may need until it is open.
    /// - Returns: The number of bytes to pass to `release`.
    /// - Throws: `SessionError.noRoom` or `full`.
    private func reserve(_ bytes: Int) throws(SessionError) -> Int {
        try settings.gate.admit(.session, expecting: bytes)
        let reserved = reserved.add(1, ordering: .relaxed).newValue
        guard settings.journal.count + reserved <= settings.bounds.sessionLimit else {
            release(bytes)
            throw .full
        }
        return bytes
    }

    /// Releases the reserved place and memory when the journal counts the session, or when the opening has failed.
    private func release(_ bytes: Int) {
        reserved.subtract(1, ordering: .relaxed)
        settings.gate.settle(bytes)
    }

    private func opening(under key: IdempotencyKey) async throws(SessionError) -> Opening? {
        let opening = try await settings.ask(await settings.journal.opening(under: key.text))
        guard let opening else { return nil }
        let first = try key.first(opening.answer, epoch: epoch)
        let session = Session(SessionID(opening.session), settings: settings, lastUsed: .min)
        return Opening(session: session, snapshot: first, token: try await derivedToken(of: session.id))
    }

    /// Returns the token of a session that was opened under a key; `nil` if the token was replaced.
    private func derivedToken(of id: SessionID) async throws(SessionError) -> SessionToken? {
        guard let tokens else { return nil }
        let head = try await settings.ask(await settings.journal.head(of: id.journalKey))
        return head?.header.access.flatMap { tokens.derived(for: id, opening: $0) }
    }
}

private struct OpenedSession {
    let awake: AwakeSession
    let answer: PendingAnswer<Snapshot>
    /// The work that the session starts; empty if only one server uses the journal.
    let begun: [BegunWork]
}

extension OpenedSession {
    /// Builds a session's first tree, and writes its creation.
    ///
    /// - Throws: `SessionError`; no session is then opened.
    fileprivate init(
        _ creation: Creation, id: SessionID, salt: UInt64, access: SessionAccess?, settings: SessionSettings,
        key: IdempotencyKey?
    ) throws(SessionError) {
        var creation = creation
        let flight = SessionFlight(settings.flight, of: id.journalKey, app: creation.app.name)
        flight.begin(creation)
        defer { flight.end() }
        let tree: Tree
        do {
            tree = try creation.open(stateLimit: settings.bounds.stateLimit)
        } catch {
            throw SessionError(opening: creation.app.name, error)
        }
        let entry = creation.entry(leadingTo: tree, by: settings.guilty.build())
        let bytes = entry.bytes(of: id.journalKey)
        let header = SessionHeader(
            app: creation.app.name, created: creation.time.milliseconds, revision: 1,
            time: creation.time.milliseconds, bytes: bytes.count, salt: salt, access: access,
            history: SessionHeader.HistoryBounds(inputLimit: settings.bounds.inputLimit))
        awake = AwakeSession(tree, RecordHead(header), id: id, settings: settings, isOwn: true)
        begun = awake.begunWork()
        // If there are secrets, the key is stored without its fingerprint, because a digest of the request might reveal
        // the secrets long after they are erased.
        answer = awake.begin(with: [bytes], key: entry.secrets.isEmpty ? key : key?.blind, begun)
    }
}

/// The idempotency keys with which sessions are being opened; a second request with the same key waits for the first.
final class Openings: Sendable {
    private let requests = Mutex<[String: Latch<Void>]>([:])

    /// Waits until no other request opens a session with a key, and then reserves the key.
    func begin(_ key: String) async {
        while let other = reserve(key) { await other.wait() }
    }

    func end(_ key: String) {
        requests.withLock { $0.removeValue(forKey: key) }?.open(with: ())
    }

    /// Reserves a key if it is free; otherwise returns the latch that opens when the other request has ended.
    private func reserve(_ key: String) -> Latch<Void>? {
        requests.withLock { requests in
            if let other = requests[key] { return other }
            requests[key] = Latch()
            return nil
        }
    }
}
