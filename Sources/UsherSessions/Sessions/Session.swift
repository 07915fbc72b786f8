import Synchronization
public import Usher

/// One user's walk through one app: a tree, the inputs that led to it, and the lock around both.
///
/// The tree is not `Sendable` and never leaves the lock; what leaves it is bytes.
public final class Session: Sendable {
    /// The key to it.
    public let id: SessionID
    /// The app that it runs.
    public let app: any App.Type
    /// The app's name, worked out once: every answer holds it.
    let appName: String
    /// When it was opened.
    public let created: Timestamp
    private let settings: SessionSettings
    private let life: Mutex<SessionLife>

    /// Opens a session.
    ///
    /// - Throws: `SessionError`, and then there is no session.
    init(_ creation: Creation, id: SessionID, settings: SessionSettings) throws(SessionError) {
        self.id = id
        self.settings = settings
        app = creation.app
        appName = creation.app.name
        created = creation.time
        life = Mutex(try SessionLife(creation, id: id, settings: settings))
        settings.tally.add(life.withLock { $0.takeGrowth() })
    }

    /// What the session shows at first, once.
    func open() throws(SessionError) -> Snapshot {
        let snapshot = try life.withLock { life throws(SessionError) in try life.open(self) }
        if !snapshot.newLeaks.isEmpty { lookInto(snapshot.newLeaks) }
        return snapshot
    }

    /// Finds out, off the request, who holds leaks: replays the session into a scratch tree and takes that apart.
    private func lookInto(_ leaks: [Leak]) {
        guard let recording = life.withLock({ $0.beginInquiry(into: leaks) }) else { return }
        settings.background { [settings, weak self] in
            guard let revision = leaks.first?.revision,
                let scratch = try? recording.replay(through: revision, limits: settings.limits)
            else { return }
            let holders = scratch.findHolders()
            self?.life.withLock { $0.endInquiry(into: leaks, holders: holders) }
        }
    }

    /// What the session shows now.
    ///
    /// - Throws: `SessionError.ended`.
    public func snapshot() throws(SessionError) -> Snapshot {
        try life.withLock { life throws(SessionError) in
            try life.snapshot(of: self)
        }
    }

    /// Handles what a user did.
    ///
    /// - Parameters:
    ///   - action: What the user did.
    ///   - precondition: What must be true of the revision, else nothing happens.
    /// - Returns: What the session shows afterwards.
    /// - Throws: `SessionError`; the session is then as it was.
    public func handle(_ action: InputAction, if precondition: Precondition = .none) throws(SessionError) -> Snapshot {
        let (result, growth) = life.withLock { life in
            let result = Result { () throws(SessionError) in
                try life.handle(action, if: precondition, at: settings.clock.now(), of: self)
            }
            return (result, life.takeGrowth())
        }
        settings.tally.add(growth)
        let snapshot = try result.get()
        if !snapshot.newLeaks.isEmpty { lookInto(snapshot.newLeaks) }
        return snapshot
    }

    /// Whether it has ended.
    public var isOver: Bool { tombstone != nil }

    /// What remains of it, once it is over.
    var tombstone: Tombstone? {
        life.withLock { $0.tombstone }
    }

    /// What an operator sees in a list.
    ///
    /// - Returns: nil once the session has ended.
    public func summary() -> SessionSummary? {
        life.withLock { life in life.summary(of: self) }
    }

    /// The coordinators as JSON.
    ///
    /// - Throws: `SessionError.ended`.
    public func report() throws(SessionError) -> [UInt8] {
        try life.withLock { life throws(SessionError) in try life.report() }
    }

    /// Ends the session and gives all its memory back.
    ///
    /// - Returns: The tombstone, and the coordinators that did not leave memory.
    /// - Throws: `SessionError.ended` when it was over already.
    func end(_ reason: Tombstone.Reason) throws(SessionError) -> (tombstone: Tombstone, leaks: [Leak]) {
        let tombstone = Tombstone(reason: reason, time: settings.clock.now(), app: appName)
        let (result, growth) = life.withLock { life in
            let result = Result { () throws(SessionError) in try life.end(tombstone) }
            return (result, life.takeGrowth())
        }
        settings.tally.add(growth)
        return (tombstone, try result.get())
    }
}
