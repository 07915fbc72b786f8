import Synchronization
import Usher
import UsherJournal

/// One user's walk through one app: the inputs that the journal keeps, and while it is awake the tree that they lead to,
/// behind a lock.
///
/// The tree is not `Sendable` and never leaves the lock; what leaves it is bytes. An answer leaves once all that it
/// shows is kept.
package final class Session: Sendable {
    /// The key to it.
    package let id: SessionID
    let settings: SessionSettings
    let life: Mutex<SessionLife>
    /// Where its app's counts are kept.
    let app: Atomic<Int>
    private let used: Atomic<Int64>
    /// Until when the journal takes it to be in use.
    private let covered: Atomic<Int64>

    /// Makes a session that is known to the journal alone, or not at all.
    ///
    /// - Parameter use: When it was last used: milliseconds since 1970; now unless told.
    init(_ id: SessionID, settings: SessionSettings, lastUsed use: Int64? = nil) {
        self.id = id
        self.settings = settings
        life = Mutex(SessionLife(.cold(nil)))
        app = Atomic(settings.metrics.nameless)
        used = Atomic(use ?? settings.clock.now().milliseconds)
        covered = Atomic(.min)
    }

    /// Makes a session that is awake.
    init(_ live: sending Live) {
        id = live.id
        settings = live.settings
        app = Atomic(settings.metrics.index(of: live.head.app))
        used = Atomic(live.head.time)
        covered = Atomic(live.head.time)
        life = Mutex(SessionLife(.live(live)))
    }

    /// When it was last used: milliseconds since 1970.
    var lastUse: Int64 { used.load(ordering: .relaxed) }

    func noteUse() {
        used.store(settings.clock.now().milliseconds, ordering: .relaxed)
    }

    /// Keeps that it is used, where its inputs do not tell: it must not expire too early, also after a crash.
    ///
    /// Seldom, and therefore for some time ahead; a session may so live a little longer than it has to.
    private func keepUse() {
        guard lastUse > covered.load(ordering: .relaxed) else { return }
        let end = lastUse &+ settings.bounds.expiryTime.milliseconds / 16
        covered.store(end, ordering: .relaxed)
        _ = settings.journal.submit(JournalChange(.touch(end), of: id.journalKey))
    }

    /// What the session shows now.
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

    /// Looks into what an input has left behind.
    func report(_ snapshot: Snapshot) {
        if !snapshot.newLeaks.isEmpty { lookInto(snapshot.newLeaks) }
    }

    /// The first answer to an idempotency key, also once the session is over.
    func firstAnswer(to key: IdempotencyKey?) async throws(SessionError) -> Snapshot? {
        guard let key else { return nil }
        let answer = try await settings.ask { journal throws(JournalError) in
            try await journal.answer(under: key.text, of: id.journalKey)
        }
        guard let answer else { return nil }
        let first = try key.first(answer, epoch: settings.journal.epoch)
        guard answer.body.isEmpty else { return first }
        // The first waits for effects, or its server died meanwhile: then what counts is how the session stands.
        return await waitForTwin(key.text) ? try await firstAnswer(to: key) : try await snapshot().replayed
    }

    /// Ends the session and gives all its memory back.
    ///
    /// - Parameters:
    ///   - reason: Why it ends.
    ///   - time: It goes on if it was used since; milliseconds since 1970.
    /// - Returns: The coordinators that did not leave memory; nil where it goes on.
    /// - Throws: `SessionError.ended` when it was over already.
    func end(_ reason: Tombstone.Reason, unlessUsedSince time: Int64 = .max) async throws(SessionError) -> [Leak]? {
        var head: SessionHeader?
        while true {
            // A request notes its use before it takes the lock, so one that is not seen here will find a tombstone.
            let turn = life.withLock { life in
                lastUse > time ? nil : life.end(reason, of: id, head: head, settings: settings)
            }
            switch turn {
            case nil: return nil
            case .settled(let settlement):
                guard let leaks = try await settlement.kept() else { continue }
                life.withLock { $0.stop(in: self) }
                (head.map { settings.metrics.app($0.app) } ?? metrics).count(LifeStep(reason))
                return leaks
            case .asleep, .known, .undone:
                // One that is just being woken ends with its tree; one that cannot be woken, and one that sleeps, without.
                _ = await waitForWaker()
                head = try await journalHead()
            }
        }
    }

    /// What an operator sees in a list, while it is awake.
    func summary() -> SessionSummary.Awake? {
        life.withLock { $0.look { $0.summary } }
    }

    /// Shows the tree as it stands, once that is kept.
    private func look<Value: Sendable>(_ body: @Sendable (Live) -> Value) async throws(SessionError) -> Value {
        noteUse()
        while true {
            switch life.withLock({ $0.take { live in .settled(live.settle(.success(body(live)))) } }) {
            case .asleep, .known, .undone: try await wake()
            case .settled(let settlement):
                guard let value: Value = try await settlement.kept() else { continue }
                keepUse()
                return value
            }
        }
    }

    /// - Throws: `SessionError.unknown` or `ended` where there is nothing to end.
    private func journalHead() async throws(SessionError) -> SessionHeader {
        let head = try await settings.ask { journal throws(JournalError) in
            try await journal.head(of: id.journalKey)
        }
        guard let head else { throw .unknown }
        if let tombstone = Tombstone(head) { throw .ended(tombstone) }
        return head
    }
}
