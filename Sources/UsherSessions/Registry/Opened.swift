import Usher
import UsherJournal

/// A session that was just opened, and its first answer.
struct Opened {
    let live: Live
    let settlement: Settlement<Snapshot>
}

extension Live {
    /// Builds a session's first tree, and puts its creation on record.
    ///
    /// - Throws: `SessionError`, and then there is no session.
    static func open(
        _ creation: Creation, id: SessionID, salt: UInt64, settings: SessionSettings, key: IdempotencyKey?
    ) throws(SessionError) -> sending Opened {
        var creation = creation
        let tree: Tree
        do {
            tree = try creation.firstTree(limits: settings.bounds.limits)
        } catch {
            throw SessionError(opening: creation.app.name, error)
        }
        let entry = creation.entry(leadingTo: tree)
        let bytes = entry.bytes(of: id.journalKey)
        let head = SessionHeader(
            app: creation.app.name, created: creation.time.milliseconds, revision: 1,
            time: creation.time.milliseconds, bytes: bytes.count, salt: salt)
        let live = Live(tree, head: head, id: id, settings: settings)
        // The journal keeps the key for long, and a digest of secrets might give them away.
        let key = entry.secrets.isEmpty ? key : key?.blind
        return Opened(live: live, settlement: live.begin(with: [bytes], key: key))
    }

    /// Puts a session on record that begins here.
    func begin(with entries: [[UInt8]], key: IdempotencyKey?) -> Settlement<Snapshot> {
        let snapshot = snapshot(leaksSince: 0)
        head.wakeAt = wakeAt
        submit(.create(head, entries: entries, opening: key?.answer(snapshot)))
        // A root may end in its own `start`, and then the session is over already.
        if let ending = tree.ending {
            head = head.ended(.init(ending.reason), at: settings.clock.now())
            submit(.end(head, answer: nil))
        }
        tally()
        return settle(.success(snapshot), isChange: true)
    }
}

extension Creation {
    /// The session's first entry, without secrets that replay can do without.
    func entry(leadingTo tree: Tree) -> Entry {
        let payload = payload(tree.inputSecrets)
        let entry = Entry(
            .creation, revision: 1, time: time.milliseconds, before: .init(screen: 1, coordinator: 1),
            after: .init(tree.identifiers), digest: tree.digest, visible: tree.visibleScreen, payload: payload.json,
            secrets: payload.secrets)
        return tree.takeErasableRevisions().isEmpty ? entry : entry.erased
    }
}
