import UsherJournal

/// The disk of a simulation, which outlives every process of the server.
protocol SimulatedDisk: AnyObject {
    /// Opens the journal for a new process.
    ///
    /// - Returns: The storage, and the number of its sessions that have not ended.
    func open() throws -> (storage: any JournalStorage, count: Int)

    /// Makes one of the next calls to the disk fail, until `mend()` is called.
    func fail()

    /// Stops all failures.
    func mend()

    /// Notes that a commit begins, so that the next loss may be in the middle of it.
    func beginCommit()

    /// Loses what is not durable, because the process is killed and the machine loses power.
    ///
    /// - Parameter isCommitting: Whether this happens during a commit, of which any part may then be on the disk.
    func lose(isCommitting: Bool)
}

/// The probabilities of a disk's faults: one in so many commits; nil for never.
struct DiskMishaps {
    var failsOneIn: Int?
    var killsOneIn: Int?
}

/// The storage of one process of a simulation, which fails all calls once the process is dead.
final class MortalStorage: JournalStorage {
    /// The probabilities of faults, which may change at any time.
    var mishaps = DiskMishaps()
    /// Kills the process during a commit.
    var kill: () -> Void = {}
    private let disk: any SimulatedDisk
    private let scheduler: Scheduler
    private var storage: (any JournalStorage)?

    /// - Parameter storage: The storage of the disk for this process.
    init(_ storage: any JournalStorage, on disk: any SimulatedDisk, _ scheduler: Scheduler) {
        self.storage = storage
        self.disk = disk
        self.scheduler = scheduler
    }

    /// Ends the storage with its process.
    func die() { storage = nil }

    func write(
        _ changes: [JournalChange], refusing refuse: (JournalChange, JournalError) -> Void
    ) throws(JournalError) -> BatchStatistics {
        try commit { storage throws(JournalError) in try storage.write(changes, refusing: refuse) }
    }

    func add(_ input: GuiltyInput) throws(JournalError) {
        try commit { storage throws(JournalError) in try storage.add(input) }
    }

    func forget(_ selection: GuiltyInput.Selection) throws(JournalError) {
        try commit { storage throws(JournalError) in try storage.forget(selection) }
    }

    func purge(endedBefore time: Int64, limit: Int) throws(JournalError) -> Int {
        try commit { storage throws(JournalError) in try storage.purge(endedBefore: time, limit: limit) }
    }

    /// Makes a durable change, unless a fault occurs.
    private func commit<Result>(
        _ body: (any JournalStorage) throws(JournalError) -> Result
    ) throws(JournalError) -> Result {
        let storage = try living()
        disk.beginCommit()
        if let count = mishaps.failsOneIn, scheduler.oneIn(count) { disk.fail() }
        defer { disk.mend() }
        let result = try body(storage)
        if let count = mishaps.killsOneIn, scheduler.oneIn(count) {
            kill()
            _ = try living()
        }
        return result
    }

    private func living() throws(JournalError) -> any JournalStorage {
        guard let storage else { throw .unavailable("the process is dead") }
        return storage
    }

    func outline(of key: JournalKey) throws(JournalError) -> RecordOutline? { try living().outline(of: key) }

    func entries(of key: JournalKey, after revision: Int) throws(JournalError) -> [[UInt8]] {
        try living().entries(of: key, after: revision)
    }

    func header(of key: JournalKey) throws(JournalError) -> SessionHeader? { try living().header(of: key) }

    func answer(under idempotencyKey: String, of key: JournalKey) throws(JournalError) -> KeyedAnswer? {
        try living().answer(under: idempotencyKey, of: key)
    }

    func opening(under idempotencyKey: String) throws(JournalError) -> KeyedOpening? {
        try living().opening(under: idempotencyKey)
    }

    func sessions(matching query: SessionQuery) throws(JournalError) -> [FoundSession] {
        try living().sessions(matching: query)
    }

    func count(matching query: SessionQuery, limit: Int) throws(JournalError) -> Int {
        try living().count(matching: query, limit: limit)
    }

    func idle(since time: Int64, limit: Int) throws(JournalError) -> [SessionListing] {
        try living().idle(since: time, limit: limit)
    }

    func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) throws(JournalError) -> [DueSession] {
        try living().due(by: time, after: place, limit: limit, for: build)
    }

    func guiltyInputs() throws(JournalError) -> [GuiltyInput] { try living().guiltyInputs() }

    func builds() throws(JournalError) -> [JournalBuild] { try living().builds() }

    func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) throws(JournalError) {
        try living().note(build, at: time, isConfirmed: isConfirmed)
    }

    func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) throws(JournalError) -> [SessionHold] {
        try living().holds(for: build, in: keys, limit: limit)
    }

    func holdCounts(for build: UInt64) throws(JournalError) -> [String: Int] { try living().holdCounts(for: build) }

    func change(_ change: HoldChange) throws(JournalError) {
        try commit { storage throws(JournalError) in try storage.change(change) }
    }

    var residue: Int { get throws(JournalError) { try storage?.residue ?? 0 } }

    func backUp(at time: Int64, then end: @escaping @Sendable (Result<Backup, JournalError>) -> Void) {
        end(.failure(.unsupported("nobody asks for it")))
    }

    var maintenanceDue: Int64? { storage?.maintenanceDue }

    func maintain(isIdle: Bool) { storage?.maintain(isIdle: isIdle) }

    func close() { storage?.close() }
}
