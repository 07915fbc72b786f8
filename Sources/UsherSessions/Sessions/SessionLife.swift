import Usher
import UsherJSON
import UsherJournal

/// What a session's lock guards: the tree with its history, or the tombstone.
struct SessionLife {
    /// While the session lives.
    struct Live {
        var tree: Tree
        let recording: Recording
        /// Bytes of its entries.
        var recorded: Int
    }

    var live: Live?
    private(set) var tombstone: Tombstone?
    let settings: SessionSettings
    var inquiry = LeakInquiry()
    /// The tree's counts, and how much of them the server's tally has got.
    var census = Census()
    private var tallied = Census()

    init(_ creation: Creation, id: SessionID, settings: SessionSettings) throws(SessionError) {
        self.settings = settings
        let recording = Recording(key: id.journalKey, journal: settings.journal, apps: settings.apps)
        do {
            var creation = creation
            let tree = try creation.firstTree(limits: settings.limits)
            let recorded = try recording.append(creation, to: tree)
            live = Live(tree: tree, recording: recording, recorded: recorded)
        } catch {
            throw SessionError(opening: creation.app.name, error)
        }
        census = live?.tree.census ?? Census()
    }

    /// What the session shows at first; a root may end in its own `start`, and then the session is over already.
    mutating func open(_ session: Session) throws(SessionError) -> Snapshot {
        let tree = try standing().tree
        let snapshot = tree.snapshot(of: session, leaksSince: 0)
        buryIfEnded(tree, at: session.created, session)
        return snapshot
    }

    func snapshot(of session: Session) throws(SessionError) -> Snapshot {
        try standing().tree.snapshot(of: session)
    }

    func summary(of session: Session) -> SessionSummary? {
        guard let tree = live?.tree else { return nil }
        return SessionSummary(
            id: session.id, app: session.appName, created: session.created, revision: tree.revision,
            screens: tree.screens, coordinators: tree.census, bytes: tree.stateBytes)
    }

    func report() throws(SessionError) -> [UInt8] {
        let tree = try standing().tree
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.beginObject()
        tree.writeReport(into: &writer)
        writer.endObject()
        return writer.bytes
    }

    mutating func end(_ tombstone: Tombstone) throws(SessionError) -> [Leak] {
        let tree = try standing().tree
        let leaks = tree.end()
        census = tree.census
        bury(tombstone)
        return leaks
    }

    /// How much the counts have grown since the last call.
    mutating func takeGrowth() -> Census {
        defer { tallied = census }
        return census - tallied
    }

    func standing() throws(SessionError) -> Live {
        guard let live else {
            throw .ended(tombstone ?? Tombstone(reason: .deleted, time: .init(milliseconds: 0), app: ""))
        }
        return live
    }

    mutating func buryIfEnded(_ tree: Tree, at time: Timestamp, _ session: Session) {
        guard let ending = tree.ending else { return }
        bury(Tombstone(reason: .init(ending.reason), time: time, app: session.appName))
    }

    mutating func bury(_ tombstone: Tombstone) {
        // A journal that cannot forget now will be asked to purge what has ended.
        if let recording = live?.recording { try? recording.journal.remove(recording.key) }
        live = nil
        self.tombstone = tombstone
    }
}
