import JournalSubject
import Programs
import RecordedDisk
import SeededRandom
import Testing
import UsherJournal

@testable import UsherSQLite

/// Tests of a loss of power at any recorded call of SQLite, with some of the bytes that were not synchronized.
@Suite("Power losses of a journal")
struct PowerLossTests {
    /// The number of losses per seed: few in the gate, many in a long run.
    private static let (seeds, losses): (ClosedRange<UInt64>, Int) = LongRun.choose((1...4, 60), long: (1...20, 300))

    @Test(arguments: seeds)
    func `after a power loss, the journal has all acknowledged changes in order, and no refused change`(seed: UInt64)
        async throws
    {
        let recording = try await Recording.make(seed, faults: false)
        try check(recording, seed)
    }

    @Test(arguments: seeds)
    func `acknowledged changes survive a power loss that follows failed synchronizations`(seed: UInt64) async throws {
        let recording = try await Recording.make(seed, faults: true)
        #expect(recording.refusals > 0)
        try check(recording, seed)
    }

    private func check(_ recording: Recording, _ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<Self.losses {
            let count = recording.start + Int(random.next() % UInt64(recording.calls.count - recording.start + 1))
            let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
            try PowerLoss(recording.calls, after: count).write(to: folder, &random)
            let storage = try SQLiteStorage(in: folder)
            for (key, states) in recording.states {
                let found = RecordContent(try storage.record(of: key))
                #expect(
                    Recording.allowed(states, after: count).contains(found),
                    "seed \(seed), \(count) of \(recording.calls.count) calls: revision \(found?.head.revision ?? 0)")
            }
        }
    }
}

/// The calls of a journal on a recorded disk, with all submitted changes and their outcomes.
private struct Recording {
    struct State {
        let content: RecordContent?
        /// The numbers of calls before it was submitted, and before its outcome was reported.
        let submitted: Int
        var told = Int.max
        var isRefused = false
    }

    private(set) var calls: [RecordedDisk.Call] = []
    private(set) var states: [JournalKey: [State]] = [:]
    /// The number of calls that created the journal.
    private(set) var start = 0
    private(set) var refusals = 0

    /// Returns the states of a session that may be found after a number of calls.
    static func allowed(_ states: [State], after count: Int) -> [RecordContent?] {
        let acknowledged = states.last { $0.told <= count && !$0.isRefused }
        let open = states.filter { $0.submitted <= count && $0.told > count }
        return ([acknowledged].compactMap(\.self) + open).map(\.content)
    }

    static func make(_ seed: UInt64, faults: Bool) async throws -> Recording {
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        let disk = RecordedDisk()
        var settings = SQLiteSettings()
        settings.fileSystem = disk.name
        settings.checkpointPages = 40
        settings.buffer.entries = 12
        settings.flushPatience = seed.isMultiple(of: 2) ? 0 : .max / 2
        let journal = try Subject(in: folder, .sync, settings)
        var recording = Recording()
        recording.start = disk.mark
        var random = SplitMix64(seed: seed)
        var authors = (1...4).map { Author(UInt64($0)) }
        for author in authors { recording.states[author.key] = [State(content: nil, submitted: 0, told: 0)] }
        for _ in 0..<80 {
            if faults, random.next() % 6 == 0 {
                disk.fail(.sync, of: "-wal", with: RecordedDisk.syncError, after: Int(random.next() % 2))
            }
            let index = Int(random.next() % UInt64(authors.count))
            await recording.step(journal, disk, &authors[index], &random)
        }
        disk.mend()
        await journal.close()
        recording.calls = disk.calls
        return recording
    }

    private mutating func step(
        _ journal: Subject, _ disk: RecordedDisk, _ author: inout Author, _ random: inout SplitMix64
    ) async {
        let before = author.forked()
        let change = Self.change(&author, random.next() % 9)
        let content = expected(after: change)
        states[author.key]?.append(State(content: content, submitted: disk.mark))
        await journal.keep(change)
        let last = (states[author.key]?.count ?? 1) - 1
        states[author.key]?[last].told = disk.mark
        guard author.tail.isBroken else { return }
        refusals += 1
        states[author.key]?[last].isRefused = true
        author = before
    }

    private static func change(_ author: inout Author, _ dice: UInt64) -> AuthoredChange {
        guard author.head.revision > 0 else { return author.create() }
        return switch dice {
        case 0: author.append(answerUnder: "k\(author.head.answers)")
        case 1: author.append("\"\(String(repeating: "x", count: 9_000))\"")
        case 2: author.append("\"hush\"", secret: 0..<6)
        case 4: author.extend(by: ["1", "2"], answerUnder: "k\(author.head.answers)")
        case 3: author.startOver(answerUnder: author.head.revision % 2 == 0 ? nil : "k\(author.head.answers)")
        default: author.append()
        }
    }

    /// Returns the content of the previous record after a change.
    private func expected(after change: AuthoredChange) -> RecordContent? {
        let last = states[change.key]?.last { !$0.isRefused }?.content
        return last.map { RecordContent($0, following: change) } ?? RecordContent(creation: change)
    }
}

extension RecordContent {
    /// Creates the content of a record after its creation.
    fileprivate init?(creation change: AuthoredChange) {
        guard case .create(let head, let entries, _) = change.action else { return nil }
        self.init(head, entries.compactMap { try? Entry($0, of: change.key) }, [])
    }

    /// Creates the content of a record after an entry.
    fileprivate init(_ content: RecordContent, following change: AuthoredChange) {
        let (head, bytes, answer, isBeginning): (SessionHeader, [[UInt8]], KeyedAnswer?, Bool)
        switch change.action {
        case .append(let next, let entry, let kept): (head, bytes, answer, isBeginning) = (next, [entry], kept, false)
        case .extend(let next, let added, let kept): (head, bytes, answer, isBeginning) = (next, added, kept, false)
        case .startOver(let next, let entry, let kept): (head, bytes, answer, isBeginning) = (next, [entry], kept, true)
        default:
            self = content
            return
        }
        let entries = (isBeginning ? [] : content.entries) + bytes.compactMap { try? Entry($0, of: change.key) }
        self.init(head, entries, (content.answers + [answer].compactMap(\.self)).suffix(KeyedAnswer.limit))
    }
}
