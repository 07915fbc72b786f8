import Synchronization
public import Usher
public import UsherJSON
public import UsherJournal

/// All sessions of a server: opens them, finds them by id, ends them.
public final class SessionRegistry: Sendable {
    /// How many sessions it may hold, and how large each may grow.
    public struct Configuration: Sendable {
        /// Sessions that may live at the same time.
        public var sessionLimit = 1_000_000
        /// Inputs that one session may accept, its creation included.
        public var inputLimit = 100_000
        /// Bytes that all these may take in the journal, the last of them not counted.
        public var recordLimit = 16 * 1024 * 1024
        /// Tombstones that are kept of ended sessions, the newest.
        public var tombstoneLimit = 65_536
        /// How large one tree may grow.
        public var limits = Limits()

        /// The default bounds.
        public init() {}
    }

    /// The apps that sessions can be opened on.
    public let apps: [any App.Type]
    private let configuration: Configuration
    private let random: any RandomSource
    private let settings: SessionSettings
    private let shards: [Shard]
    private let count = Atomic(0)
    /// Sessions that have ended since memory was given back.
    private let ended = Atomic(0)
    private let reclaim: @Sendable () -> Void

    /// After so many ends, memory is given back to the system; after fewer, when no session is left.
    private static let endsUntilReclaim = (many: 8_192, few: 512)

    private static let shardBits = 6

    /// Makes an empty registry.
    ///
    /// - Parameters:
    ///   - apps: The apps that sessions can be opened on.
    ///   - configuration: The bounds.
    ///   - journal: Where inputs are kept.
    ///   - clock: Where the time of inputs comes from.
    ///   - random: Where ids and seeds come from.
    ///   - background: Runs work that no request waits for; in a task of its own unless told.
    ///   - reclaim: Gives freed memory back to the system, after many sessions have ended.
    public init(
        apps: [any App.Type], configuration: Configuration = Configuration(),
        journal: any Journal = MemoryJournal(), clock: any Clock, random: any RandomSource = SystemRandom(),
        background: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
            Task.detached(priority: .background) { work() }
        },
        reclaim: @escaping @Sendable () -> Void = {}
    ) {
        self.reclaim = reclaim
        self.apps = apps
        self.configuration = configuration
        self.random = random
        settings = SessionSettings(
            apps: apps, clock: clock, journal: journal, limits: configuration.limits,
            inputLimit: configuration.inputLimit, recordLimit: configuration.recordLimit, tally: Tally(),
            background: background)
        let tombstones = configuration.tombstoneLimit >> Self.shardBits
        shards = (0..<(1 << Self.shardBits)).map { _ in Shard(tombstones: tombstones) }
    }

    /// How many sessions live.
    public var sessionCount: Int { count.load(ordering: .relaxed) }

    /// The coordinators of all sessions so far, those that have ended included.
    public var census: Census { settings.tally.census }

    /// Opens a session.
    ///
    /// - Parameters:
    ///   - name: The name of an app.
    ///   - options: Its options as a JSON object.
    ///   - link: A deep link to begin with; the flows from the root down.
    /// - Returns: The session, and what it shows at first.
    /// - Throws: `SessionError`, and then there is no session.
    public func open(
        _ name: String, options: [UInt8] = Array("{}".utf8), link: [JSONValue] = []
    ) throws(SessionError) -> (session: Session, snapshot: Snapshot) {
        guard let app = apps.first(where: { $0.name == name }) else { throw .unknownApp(name) }
        guard count.add(1, ordering: .relaxed).newValue <= configuration.sessionLimit else {
            count.subtract(1, ordering: .relaxed)
            throw .full
        }
        do {
            let creation = Creation(
                app: app, options: options, link: link, seed: random.next(), time: settings.clock.now())
            let session = try Session(creation, id: SessionID(from: random), settings: settings)
            let snapshot = try session.open()
            shard(of: session.id).insert(session)
            if snapshot.ending != nil { bury(session) }
            return (session, snapshot)
        } catch {
            count.subtract(1, ordering: .relaxed)
            throw error
        }
    }

    /// Finds a session.
    ///
    /// - Parameter id: The key to it.
    public func lookUp(_ id: SessionID) -> Lookup {
        shard(of: id).lookUp(id)
    }

    /// Ends a session and gives all its memory back.
    ///
    /// - Returns: Coordinators that did not leave memory, for the log.
    /// - Throws: `SessionError.ended` when it was over already.
    public func end(_ session: Session) throws(SessionError) -> [Leak] {
        let (tombstone, leaks) = try session.end(.deleted)
        bury(session.id, under: tombstone)
        return leaks
    }

    /// Puts a tombstone in the place of a session that has ended by itself.
    ///
    /// - Parameter session: A session whose `handle` answered with an ending, or threw `SessionError.ended`.
    public func bury(_ session: Session) {
        guard let tombstone = session.tombstone else { return }
        bury(session.id, under: tombstone)
    }

    /// Live sessions in the order of their ids.
    ///
    /// - Parameters:
    ///   - id: Where the page begins, exclusive; nil for the first page.
    ///   - limit: How many at most.
    public func sessions(after id: SessionID? = nil, limit: Int) -> [Session] {
        var found: [Session] = []
        let first = id?.leadingBits(Self.shardBits) ?? 0
        for shard in shards[first...] where found.count < limit {
            found += shard.sessions(after: id, limit: limit - found.count)
        }
        return found
    }

    private func bury(_ id: SessionID, under tombstone: Tombstone) {
        guard shard(of: id).bury(id, under: tombstone) else { return }
        let left = count.subtract(1, ordering: .relaxed).newValue
        let ends = ended.add(1, ordering: .relaxed).newValue
        guard ends >= Self.endsUntilReclaim.many || left == 0 && ends >= Self.endsUntilReclaim.few else { return }
        // Whoever sets it back is the one that reclaims.
        guard ended.exchange(0, ordering: .relaxed) >= Self.endsUntilReclaim.few else { return }
        settings.background(reclaim)
    }

    private func shard(of id: SessionID) -> Shard {
        shards[id.leadingBits(Self.shardBits)]
    }
}
