import Synchronization
import Usher
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
        if let first = try await opening(under: key) { return first }
        return try await open(name, options, link, key: key)
    }

    private func open(
        _ name: String, _ options: [UInt8], _ link: [JSONValue], key: IdempotencyKey?
    ) async throws(SessionError) -> (session: Session, snapshot: Snapshot) {
        guard let app = apps.first(where: { $0.name == name }) else { throw .unknownApp(name) }
        try reserve()
        defer { release() }
        let creation = Creation(
            app: app, options: options, link: link, seed: random.next(), time: settings.clock.now())
        return try await insert(
            try Live.open(
                creation, id: SessionID(from: random), salt: random.next(), settings: settings, key: key))
    }

    /// Puts a session into memory, and waits until it is kept.
    ///
    /// - Throws: `notRecorded`, and then there is no session.
    ///
    /// - Parameter isFork: Whether it goes on where another was: the effects that are under way are the other's.
    func insert(
        _ opened: consuming sending Opened, isFork: Bool = false
    ) async throws(SessionError) -> (Session, Snapshot) {
        let settlement = opened.settlement
        let session = Session(opened.live)
        session.life.withLock { $0.bury() }
        insert(session)
        do throws(SessionError) {
            guard let snapshot = try await settlement.kept() else { throw .notRecorded(cause: "") }
            if isFork { await session.failEffects(.forked) }
            session.metrics.count(.opened)
            session.countEnding(snapshot)
            let shown = isFork ? try await session.snapshot() : snapshot
            session.noteKept(shown.revision)
            if snapshot.ending != nil { remove(session) }
            session.report(snapshot)
            return (session, shown)
        } catch {
            remove(session)
            throw error
        }
    }

    /// Makes sure that there is room for another session.
    ///
    /// - Throws: `SessionError.full`.
    func reserve() throws(SessionError) {
        let reserved = reserved.add(1, ordering: .relaxed).newValue
        guard settings.journal.count + reserved <= settings.bounds.sessionLimit else {
            release()
            throw .full
        }
    }

    /// Gives the room back, once the journal counts the session or there is none.
    func release() {
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
