package import UsherJournal
internal import UsherProcess

/// A journal in a file of SQLite's, which belongs to one process at a time.
///
/// One thread of its own has the only connection: whoever hands something in never waits for the disk with a lock. What
/// comes while a commit is under way goes into the next, all of it in one.
package final class SQLiteJournal: Journal {
    /// The file.
    package let path: String
    /// What an acknowledged change outlives.
    package let durability: Durability

    let desk: Desk
    let now: @Sendable () -> Int64
    let purpose: Purpose
    private let population: Population
    private let runningEpoch: Epoch?
    private let counted: JournalMetrics

    /// Opens a journal; a log that a crash has left is read first.
    ///
    /// - Parameters:
    ///   - path: The file, in a directory that is there.
    ///   - durability: What an acknowledged change outlives.
    ///   - purpose: What it is opened for: only to serve makes a file that is missing, and changes it.
    ///   - now: The time of day: milliseconds since 1970.
    /// - Throws: `SQLiteJournalError`.
    package convenience init(
        path: String, durability: Durability, for purpose: Purpose = .serving, now: @escaping @Sendable () -> Int64
    ) throws(SQLiteJournalError) {
        try self.init(path: path, durability: durability, for: purpose, Hooks(), now: now)
    }

    init(
        path: String, durability: Durability, for purpose: Purpose = .serving, _ hooks: Hooks,
        now: @escaping @Sendable () -> Int64
    ) throws(SQLiteJournalError) {
        let store = try Store(.journal(at: path, for: purpose, pageSize: hooks.pageSize), hooks.recent)
        let epoch = durability == .relaxed ? Epoch(start: now()) : nil
        let desk = Desk(patience: durability == .relaxed ? Self.patience : nil)
        let population = Population(try Self.count(store, path))
        let metrics = JournalMetrics { [desk] in desk.waiting }
        let worker = Worker(store, epoch, population, metrics, hooks)
        guard SystemThread.start({ worker.run(at: desk) }, then: { desk.closing.finish() }) else {
            throw .other(path: path, reason: "the system has no thread for it")
        }
        self.path = path
        self.durability = durability
        self.purpose = purpose
        self.now = now
        self.desk = desk
        counted = metrics
        self.population = population
        runningEpoch = epoch
    }

    private static func count(_ store: Store, _ path: String) throws(SQLiteJournalError) -> Int {
        do throws(JournalError) { return try store.count() } catch {
            throw .corrupt(path: path, reason: "\(error)")
        }
    }

    /// Lets the thread end that nobody has asked to.
    deinit { desk.close() }

    /// In nanoseconds, how long a relaxed journal gathers changes.
    private static let patience: Int64 = 50_000_000

    /// What tells this run, and what it has not lost, from others; nil where nothing acknowledged is lost.
    package var epoch: String? { runningEpoch?.text }

    /// What it counts of its commits.
    package var metrics: JournalMetrics? { counted }

    /// How many sessions have not ended.
    package var count: Int { population.count }

    /// Takes a change in, without waiting.
    package func submit(_ change: JournalChange) -> Commit? {
        guard purpose == .serving else {
            change.tail.fail(Self.unchangeable)
            return nil
        }
        return desk.submit(change)
    }

    /// Keeps what was submitted, and lets go of the file; a second time it waits for the first.
    package func close() async {
        desk.close()
        await desk.closing.wait()
    }

    static let unchangeable = JournalError.unsupported("the journal was opened to be looked at, not to be changed")
}
