import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

/// A journal with a little of everything, on small pages, and its content at each commit.
struct SmallJournal {
    /// All sessions at one time.
    typealias State = [JournalKey: RecordContent]

    private(set) var file: [UInt8] = []
    private(set) var log: [UInt8] = []
    private(set) var states: [State] = []
    private var authors = (UInt64(1)...3).map { Author($0) }
    private var openings: [String: KeyedOpening] = [:]
    private var guilty: [GuiltyInput] = []

    static func closed() async throws -> SmallJournal {
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        var small = SmallJournal()
        let journal = try await small.write(in: folder)
        await journal.close()
        small.file = folder.bytes(of: "journal.db")
        return small
    }

    static func crashed() async throws -> SmallJournal {
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        var small = SmallJournal()
        let journal = try await small.write(in: folder)
        small.file = folder.bytes(of: "journal.db")
        small.log = folder.bytes(of: "journal.db-wal")
        await journal.close()
        return small
    }

    /// Returns a backup whose write buffer is not flushed yet.
    static func unflushed() async throws -> SmallJournal {
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        var small = SmallJournal()
        let journal = try await small.write(in: folder)
        small.file = folder.bytes(of: "backups/\(try await journal.backUp().path.split(separator: "/").last ?? "")")
        await journal.close()
        return small
    }

    private mutating func write(in folder: TemporaryFolder) async throws -> Subject {
        var settings = SQLiteSettings()
        settings.pageSize = 512
        settings.flushPatience = .max / 2
        let journal = try Subject(in: folder, .sync, settings)
        try await note(journal)
        for index in authors.indices {
            let answer = KeyedAnswer(key: "o\(index)", fingerprint: 1, revision: 1, body: [1, 2])
            openings[answer.key] = KeyedOpening(session: authors[index].key, answer: answer)
            await journal.keep(authors[index].create(opening: answer))
            try await note(journal)
            await journal.keep(authors[index].append(answerUnder: "k0"))
            try await note(journal)
            await journal.keep(authors[index].append(secret: index == 1 ? 9..<15 : nil))
            try await note(journal)
        }
        guilty = [.of(authors[0].key), .of(nil, .creation)]
        for input in guilty { try await journal.add(input) }
        await journal.keep(authors[2].end(answerUnder: "end"))
        try await note(journal)
        return journal
    }

    private mutating func note(_ journal: Subject) async throws {
        var state: State = [:]
        for author in authors { state[author.key] = try await journal.record(of: author.key) }
        states.append(state)
    }

    /// Opens the damaged file: each session must be unchanged, or reported as damaged.
    ///
    /// - Returns: Whether the file could be opened.
    func check(in folder: TemporaryFolder, _ damage: String) -> Bool {
        guard let storage = try? SQLiteStorage(in: folder, "journal.db", pageSize: 512) else {
            return false
        }
        for author in authors {
            if let record = outcome({ try storage.record(of: author.key) }) {
                #expect(RecordContent(record) == states.last?[author.key], "\(damage)")
            }
            if let head = outcome({ try storage.header(of: author.key) }) {
                #expect(head == author.head, "\(damage): the head")
            }
            if let answer = outcome({ try storage.answer(under: "k0", of: author.key) }) {
                #expect(answer?.revision == 2, "\(damage): an answer")
            }
        }
        for (key, opening) in openings {
            // An opening with a damaged key is not found, because only its row contains the key. It never has another
            // session.
            guard let found = outcome({ try storage.opening(under: key) }) else { continue }
            #expect(found == nil || found == opening, "\(damage): an opening")
        }
        if let found = outcome({ try storage.guiltyInputs() }) {
            // A damaged guilty input is skipped, and never equals another.
            #expect(found.allSatisfy(guilty.contains), "\(damage): a guilty input")
        }
        for author in authors.dropLast() { append(to: storage, author.forked(), damage) }
        return true
    }

    /// Opens the damaged log.
    ///
    /// It must be refused as damaged, or all sessions must have their state after one of the last two commits.
    func checkEnd(in folder: TemporaryFolder, _ damage: String) throws {
        let storage: SQLiteStorage
        do { storage = try SQLiteStorage(in: folder, "journal.db", pageSize: 512) } catch {
            guard case SQLiteJournalError.corrupt = error else { throw error }
            return
        }
        var state: State = [:]
        for author in authors { state[author.key] = RecordContent(try storage.record(of: author.key)) }
        #expect(states.suffix(2).contains(state), "\(damage)")
    }

    /// Appends to the record: the change is stored completely, or fails.
    private func append(to storage: SQLiteStorage, _ author: Author, _ damage: String) {
        var author = author
        let isKept = outcome { try storage.commit(author.append("\"after the damage\"")) } != nil
        storage.rollBack()
        guard let record = outcome({ RecordContent(try storage.record(of: author.key)) }) else { return }
        let before = states.last?[author.key]
        if isKept {
            #expect(record?.head == author.head, "\(damage): after an append")
            #expect(record?.entries.dropLast() == before?.entries[...], "\(damage): after an append")
        } else {
            #expect(record == before, "\(damage): after a refusal")
        }
    }

    /// Returns the result of a closure; nil if it throws.
    private func outcome<Answer>(_ body: () throws -> Answer) -> Answer? {
        do { return .some(try body()) } catch { return nil }
    }
}
