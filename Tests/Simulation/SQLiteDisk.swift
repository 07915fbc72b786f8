import Programs
import RecordedDisk
import UsherJournal

@testable import UsherSQLite

/// A simulated disk with a journal in SQLite, of which all calls are recorded.
///
/// A power loss keeps the synchronized bytes, and a random part of the sectors that were written afterwards.
final class SQLiteDisk: SimulatedDisk {
    /// The file system of all such disks, which is used by one disk at a time.
    private static let recorder = RecordedDisk()
    private static let name = "journal.db"
    /// A duration that is longer than any simulation, in nanoseconds.
    private static let never: Int64 = 1 << 60

    private let scheduler: Scheduler
    private let bug: PlantedBug?
    private let settings: SQLiteSettings
    private var folder: TemporaryFolder
    /// The calls that create the files with which the process started.
    private var base: [RecordedDisk.Call] = []
    /// The power loss before the next process.
    private var loss: PowerLoss?
    /// The number of calls before the current commit.
    private var beforeCommit = 0
    /// Whether a failure is due, and whether a call has failed since the last successful commit.
    ///
    /// After a failure, the journal tries another checkpoint. If that fails too, the system's clock would decide when
    /// it is repeated.
    private var (isFailing, hasFailed) = (false, false)

    init(_ scheduler: Scheduler, bug: PlantedBug?) throws {
        self.scheduler = scheduler
        self.bug = bug
        folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        var settings = SQLiteSettings()
        settings.fileSystem = Self.recorder.name
        settings.checkpointPages = Int(scheduler.number(in: 4...1_000))
        settings.buffer.entries = scheduler.oneIn(2) ? Int(scheduler.number(in: 2...64)) : settings.buffer.entries
        // Maintenance is due immediately or never, because the system's clock must not decide anything.
        settings.flushPatience = scheduler.oneIn(2) ? 0 : Self.never
        settings.residuePatience = scheduler.oneIn(2) ? 0 : Self.never
        self.settings = settings
    }

    func open() throws -> (storage: any JournalStorage, count: Int) {
        if let loss {
            folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
            try loss.write(to: folder, &scheduler.random)
            base = try folder.names.flatMap { name -> [RecordedDisk.Call] in
                [.write(file: name, offset: 0, bytes: folder.bytes(of: name)), .sync(file: name, isGood: true)]
            }
        }
        loss = nil
        (isFailing, hasFailed) = (false, false)
        Self.recorder.reset()
        let database = try Database.journal(
            at: folder(Self.name), for: .serving, pageSize: settings.pageSize, fileSystem: settings.fileSystem)
        let storage = try SQLiteStorage(database, settings)
        return (storage, try storage.count())
    }

    func fail() {
        guard !hasFailed else { return }
        isFailing = true
        let (operation, code) =
            scheduler.oneIn(2)
            ? (RecordedDisk.Operation.write, RecordedDisk.writeError) : (.sync, RecordedDisk.syncError)
        Self.recorder.fail(operation, of: "-wal", with: code, after: Int(scheduler.number(in: 0...2)))
    }

    func mend() {
        Self.recorder.mend()
        (isFailing, hasFailed) = (false, isFailing)
    }

    func beginCommit() { beforeCommit = Self.recorder.mark }

    func lose(isCommitting: Bool) {
        let calls = bug == .lostSync ? Self.recorder.calls.map(\.unsynchronized) : Self.recorder.calls
        let count =
            isCommitting ? Int(scheduler.number(in: Int64(beforeCommit)...Int64(calls.count))) : calls.count
        loss = PowerLoss(base + calls, after: base.count + count)
    }
}

extension RecordedDisk.Call {
    /// The same call; a synchronization becomes a failed one, which makes nothing durable.
    fileprivate var unsynchronized: RecordedDisk.Call {
        guard case .sync(let file, _) = self else { return self }
        return .sync(file: file, isGood: false)
    }
}
