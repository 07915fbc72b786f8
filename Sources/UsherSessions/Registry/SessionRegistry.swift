import Synchronization
package import Usher
package import UsherJournal

/// All sessions of a server: opens them, finds them by id, wakes and hibernates them, ends them.
///
/// In memory are those in use; the others are in the journal alone.
package final class SessionRegistry: Sendable {
    /// The apps that sessions can be opened on.
    package let apps: [any App.Type]
    let random: any RandomSource
    let settings: SessionSettings
    let openings = Openings()
    /// Sessions that are being opened and that the journal does not count yet.
    let reserved = Atomic(0)
    let shards: [Shard]
    let memory: MemoryReclaim

    private static let shardBits = 6

    /// Makes a registry.
    ///
    /// - Parameters:
    ///   - apps: The apps that sessions can be opened on.
    ///   - configuration: The bounds.
    ///   - journal: Where inputs are kept; sessions that it knows can be used at once.
    ///   - clock: Where the time of inputs comes from.
    ///   - random: Where ids and seeds come from.
    ///   - background: Runs work that no request waits for; in a task of its own unless told.
    ///   - reclaim: Gives freed memory back to the system, after many sessions have left it.
    ///   - observe: Is told what no request's answer tells.
    package init(
        apps: [any App.Type], configuration: Configuration = Configuration(),
        journal: any Journal = MemoryJournal(), clock: any Clock, random: any RandomSource = SystemRandom(),
        background: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void = { work in
            Task.detached(priority: .background) { await work() }
        },
        reclaim: @escaping @Sendable () -> Void = {},
        observe: @escaping @Sendable (SessionEvent) -> Void = { _ in }
    ) {
        self.apps = apps
        self.random = random
        settings = SessionSettings(
            apps: apps, clock: clock, journal: journal, bounds: configuration, background: background,
            observe: observe)
        memory = MemoryReclaim { background { reclaim() } }
        shards = (0..<(1 << Self.shardBits)).map { _ in Shard() }
    }

    /// What tells this run from others, where a crash can take back what was acknowledged.
    package var epoch: String? { settings.journal.epoch }

    /// How many sessions live, hibernated ones included.
    package var sessionCount: Int { settings.journal.count }

    /// How many sessions are in memory.
    package var awakeCount: Int { shards.reduce(0) { $0 + $1.count } }

    /// The coordinators of all sessions so far, those that have ended included.
    package var census: CoordinatorCounts { settings.tally.census }

    /// How many coordinators are in memory.
    package var liveCoordinators: Int { settings.tally.live }

    func shard(of id: SessionID) -> Shard {
        shards[id.leadingBits(Self.shardBits)]
    }

    /// Puts a session into memory.
    func insert(_ session: Session) {
        shard(of: session.id).insert(session)
        makeRoom(for: session)
    }

    /// Takes a session out of memory that is over, or that nothing is known of.
    func remove(_ session: Session) {
        guard shard(of: session.id).remove(session) else { return }
        memory.note(left: { self.awakeCount })
    }
}
