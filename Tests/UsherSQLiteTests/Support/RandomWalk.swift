import JournalSubject
import SeededRandom
import Testing
import UsherJournal

/// Makes random changes to some sessions, and also to a journal in memory.
struct RandomWalk {
    private let memory = MemoryJournal()
    /// For each session, one author for the journal on disk, and another for the journal in memory.
    private var authors: [(disk: Author, memory: Author)] = []
    private var number: UInt64

    init(_ seed: UInt64) {
        number = seed << 32
    }

    /// Makes a change.
    mutating func step(_ journal: Subject, _ random: inout SplitMix64) async {
        guard random.next() % 16 > 0, !authors.isEmpty else { return await open(journal) }
        let index = Int(random.next() % UInt64(authors.count))
        let dice = random.next() % 32
        let key = "k\(random.next() % 20)"
        let revision = Int(random.next() % UInt64(authors[index].disk.head.revision + 2))
        let time = Int64(random.next() % 5)
        await both(journal, index, waits: random.next() % 3 == 0) { author in
            switch dice {
            case 0: author.end(at: time)
            case 1: author.end(at: time, answerUnder: key)
            case 2, 3: author.keep(under: key)
            case 4, 5: author.append(answerUnder: key)
            case 6, 7: author.append("\"hush\"", secret: 0..<6)
            case 8: author.append("\"hush\"", secret: 0..<6, answerUnder: key)
            case 9...11: author.erase(revision)
            case 12: author.touch(5_000 + time)
            case 13: Self.conflicting(author)
            case 14: Self.resting(&author, until: time == 0 ? nil : time)
            case 15: author.append("\"\(String(repeating: "x", count: 4_200))\"")
            case 16...18: author.append("\"\(String(repeating: "y", count: Int(time) * 200))\"")
            default: author.append()
            }
        }
    }

    /// Compares the contents of both journals.
    func compare(_ journal: Subject, _ place: String) async throws {
        for (author, _) in authors {
            let record = RecordContent(try memory.record(of: author.key))
            #expect(try await journal.record(of: author.key) == record, "\(place)")
            #expect(try await journal.head(of: author.key) == record?.head, "\(place)")
            for answer in record?.answers ?? [] {
                let kept = memoryAnswer(under: answer.key, of: author.key)
                #expect(try await journal.answer(under: answer.key, of: author.key) == kept, "\(place)")
            }
        }
        let listed = try await journal.sessions(after: nil, limit: 1_000)
        let expected = memory.sessions(matching: SessionQuery(limit: 1_000))
        #expect(listed.map(\.key) == expected.map(\.key), "\(place)")
        #expect(listed.map(\.head) == expected.map(\.head), "\(place)")
        let due = try await journal.due(by: 9, limit: 1_000).map(\.key).sorted()
        #expect(due == memory.due(by: 9, after: nil, limit: 1_000, for: 0).map(\.key).sorted(), "\(place)")
        #expect(try await journal.count() == memory.count, "\(place)")
    }

    private func memoryAnswer(under idempotencyKey: String, of key: JournalKey) -> KeyedAnswer? {
        (try? memory.answer(under: idempotencyKey, of: key)) ?? nil
    }

    private mutating func open(_ journal: Subject) async {
        number += 1
        authors.append((Author(number), Author(number)))
        await both(journal, authors.count - 1, waits: true) { $0.create() }
    }

    private mutating func both(
        _ journal: Subject, _ index: Int, waits: Bool, _ change: (inout Author) -> AuthoredChange
    ) async {
        guard authors[index].disk.head.ending == nil else { return }
        let onDisk = change(&authors[index].disk)
        let inMemory = change(&authors[index].memory)
        _ = memory.submit(inMemory)
        if waits { await journal.keep(onDisk) } else { journal.submit(onDisk) }
    }

    /// Returns an entry that follows an older revision, as from a server that does not know the newest one.
    private static func conflicting(_ author: Author) -> AuthoredChange {
        var other = author.forked()
        _ = other.append()
        return other.append()
    }

    private static func resting(_ author: inout Author, until time: Int64?) -> AuthoredChange {
        author.rest(until: time)
        return author.append()
    }
}
