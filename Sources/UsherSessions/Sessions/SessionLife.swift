import Usher
import UsherJSON
import UsherJournal

/// What a session's lock guards: the tree with its history, or the tombstone.
struct SessionLife {
    /// While the session lives.
    private struct Live {
        var tree: Tree
        let recording: Recording
    }

    private var live: Live?
    private(set) var tombstone: Tombstone?
    private let settings: SessionSettings
    private var inquiry = LeakInquiry()
    /// The tree's counts, and how much of them the server's tally has got.
    private var census = Census()
    private var tallied = Census()

    init(_ creation: Creation, id: SessionID, settings: SessionSettings) throws(SessionError) {
        self.settings = settings
        let recording = Recording(key: id.journalKey, journal: settings.journal, apps: settings.apps)
        do {
            var creation = creation
            let tree = try creation.firstTree(limits: settings.limits)
            try recording.append(creation, to: tree)
            live = Live(tree: tree, recording: recording)
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

    mutating func handle(
        _ action: InputAction, if precondition: Precondition, at time: Timestamp, of session: Session
    ) throws(SessionError) -> Snapshot {
        let tree = try standing().tree
        guard precondition.holds(for: tree.revision) else {
            throw .preconditionFailed(current: tree.snapshot(of: session))
        }
        let leaksBefore = tree.leaks.count
        // Not always the same tree: an input may have to be handled again on a rebuilt one.
        let result = try apply(Input(action, at: time), of: session)
        census = result.census
        let snapshot = result.snapshot(of: session, leaksSince: leaksBefore)
        buryIfEnded(result, at: time, session)
        return snapshot
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

    /// Begins to look into leaks: notes what is known of them already.
    ///
    /// - Returns: What to replay to find out more; nil where nothing is to be found.
    mutating func beginInquiry(into leaks: [Leak]) -> Recording? {
        guard let live, let revision = leaks.first?.revision else { return nil }
        switch inquiry.begin(leaks) {
        case .open: return live.recording
        case .known(let holders):
            live.tree.note(holders: holders, ofLeaksAt: revision)
            return nil
        }
    }

    /// Notes what an inquiry has found.
    mutating func endInquiry(into leaks: [Leak], holders: [String?]) {
        guard let revision = leaks.first?.revision else { return }
        inquiry.end(leaks, holders: holders)
        live?.tree.note(holders: holders, ofLeaksAt: revision)
    }

    /// How much the counts have grown since the last call.
    mutating func takeGrowth() -> Census {
        defer { tallied = census }
        return census - tallied
    }

    private func standing() throws(SessionError) -> Live {
        guard let live else {
            throw .ended(tombstone ?? Tombstone(reason: .deleted, time: .init(milliseconds: 0), app: ""))
        }
        return live
    }

    private mutating func apply(_ input: Input, of session: Session) throws(SessionError) -> Tree {
        let tree = try standing().tree
        let identifiers = tree.identifiers
        guard tree.revision < settings.inputLimit else {
            let reason = "a session accepts at most \(settings.inputLimit) inputs; open another session"
            throw .rejected(Rejection(.limit, reason), current: try snapshot(of: session))
        }
        do {
            if try tree.handle(input) { try live?.recording.append(input, identifiers: identifiers, to: tree) }
            return tree
        } catch let rejection as Rejection {
            if tree.isBroken { try rollBack(from: tree, at: input.time, of: session) }
            // Only the link was at fault, not what the user did.
            if let retry = rejection.retry { return try apply(input.handling(link: retry), of: session) }
            throw .rejected(rejection, current: try snapshot(of: session))
        } catch {
            // What is not in the journal has not happened.
            try rollBack(from: tree, at: input.time, of: session)
            throw .notRecorded(cause: "\(error)")
        }
    }

    /// Drops a tree that an input broke and builds it again as it was before; ids that were spent stay spent.
    private mutating func rollBack(from broken: Tree, at time: Timestamp, of session: Session) throws(SessionError) {
        do {
            guard let rebuilt = try live?.recording.replay(limits: settings.limits) else { return }
            rebuilt.succeed(broken)
            live?.tree = rebuilt
        } catch {
            _ = broken.end()
            census = broken.census
            let tombstone = Tombstone(reason: .diverged, time: time, app: session.appName)
            bury(tombstone)
            throw .ended(tombstone)
        }
    }

    private mutating func buryIfEnded(_ tree: Tree, at time: Timestamp, _ session: Session) {
        guard let ending = tree.ending else { return }
        bury(Tombstone(reason: .init(ending.reason), time: time, app: session.appName))
    }

    private mutating func bury(_ tombstone: Tombstone) {
        // A journal that cannot forget now will be asked to purge what has ended.
        if let recording = live?.recording { try? recording.journal.remove(recording.key) }
        live = nil
        self.tombstone = tombstone
    }
}
