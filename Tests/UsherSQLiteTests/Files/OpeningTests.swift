import Foundation
import JournalSubject
import Programs
import Testing
import UsherJournal

@testable import UsherSQLite

@Suite("Opening a journal's file")
struct OpeningTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `opening a missing file creates the file, accessible only by its owner, and no other file`()
        async throws
    {
        let journal = try Subject(in: folder)
        await journal.close()
        #expect(try folder.names == ["journal.db"])
        #expect(try folder.attributes(of: "journal.db")[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a journal that is opened again has its records`() async throws {
        var author = Author(1)
        let journal = try Subject(in: folder)
        await journal.keep(author.create(), author.append(answerUnder: "k"))
        let kept = try await journal.record(of: author.key)
        await journal.close()
        let again = try Subject(in: folder)
        #expect(try await again.record(of: author.key) == kept)
        await again.keep(author.append())
        #expect(try await again.record(of: author.key)?.entries.count == 3)
        await again.close()
    }

    @Test func `a path such as :memory: is the name of an ordinary file`() async throws {
        let journal = try Subject(opening: ":memory:", in: folder)
        await journal.close()
        #expect(try folder.names == [":memory:"])
    }

    @Test(arguments: ["text, and much of it", "SQLite format 3"])
    func `a file that is not a database is refused and not changed`(text: String) throws {
        let bytes = Array(String(repeating: text, count: 100).utf8)
        try folder.write(bytes, to: "journal.db")
        #expect(refusal(in: folder) == .notAJournal(path: folder("journal.db")))
        #expect(folder.bytes(of: "journal.db") == bytes)
    }

    @Test(arguments: ["x", "\n", "half a line"])
    func `a file that is shorter than any database is refused`(text: String) throws {
        try folder.write(Array(text.utf8), to: "journal.db")
        #expect(refusal(in: folder) == .notAJournal(path: folder("journal.db")))
        #expect(refusal(in: folder, for: .inspecting) == .notAJournal(path: folder("journal.db")))
        #expect(folder.bytes(of: "journal.db") == Array(text.utf8))
    }

    @Test(arguments: ["CREATE TABLE notes(id)", "PRAGMA application_id = 7", "PRAGMA user_version = 1"])
    func `another application's database is refused and not changed`(sql: String) throws {
        try change(sql)
        let bytes = folder.bytes(of: "journal.db")
        #expect(refusal(in: folder) == .notAJournal(path: folder("journal.db")))
        #expect(folder.bytes(of: "journal.db") == bytes)
    }

    @Test(arguments: [5, 7])
    func `a journal with another format is not changed, and the error names the format's number`(format: Int)
        async throws
    {
        await (try Subject(in: folder)).close()
        try change("PRAGMA user_version = \(format)")
        let bytes = folder.bytes(of: "journal.db")
        for purpose in [Purpose.serving, .inspecting] {
            #expect(refusal(in: folder, for: purpose) == .format(path: folder("journal.db"), found: format))
        }
        #expect(folder.bytes(of: "journal.db") == bytes)
    }

    @Test(arguments: [
        "DROP TABLE openings", "CREATE TABLE more(id)", "PRAGMA user_version = 0", "DROP INDEX sessions_ended",
    ])
    func `a journal with a different schema is reported as damaged`(sql: String) async throws {
        await (try Subject(in: folder)).close()
        try change(sql)
        guard case .corrupt = refusal(in: folder) else {
            Issue.record("it was opened, or refused for another reason")
            return
        }
    }

    @Test func `statistics that an operator created in the database are harmless`() async throws {
        await (try Subject(in: folder)).close()
        try change("ANALYZE")
        #expect(refusal(in: folder) == nil)
    }

    @Test func `a journal can be opened by only one process at a time`() async throws {
        let journal = try Subject(in: folder)
        #expect(refusal(in: folder) == .inUse(path: folder("journal.db")))
        #expect(refusal(in: folder, for: .inspecting) == .inUse(path: folder("journal.db")))
        #expect(!run("sqlite3", folder("journal.db"), "SELECT * FROM rows"))
        await journal.close()
        #expect(refusal(in: folder) == nil)
    }

    @Test func `a missing directory is reported`() {
        #expect(refusal("nowhere/journal.db", in: folder) == .noDirectory(path: folder("nowhere/journal.db")))
    }

    @Test(arguments: [Purpose.serving, .inspecting])
    func `a directory at the journal's path is reported`(purpose: Purpose) throws {
        try FileManager.default.createDirectory(atPath: folder("journal.db"), withIntermediateDirectories: false)
        #expect(refusal(in: folder, for: purpose) == .other(path: folder("journal.db"), reason: "Is a directory"))
    }

    @Test(.enabled(if: getuid() != 0), arguments: ["journal.db", "journal.db-wal"])
    func `the error for another user's file names the missing permission`(name: String) async throws {
        let journal = try Subject(in: folder)
        var author = Author(1)
        await journal.keep(author.create())
        let files = ["journal.db", "journal.db-wal"].map { ($0, folder.bytes(of: $0)) }
        await journal.close()
        for (file, bytes) in files {
            try folder.write(bytes, to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: file == name ? 0 : 0o600], ofItemAtPath: folder(file))
        }
        #expect(refusal(in: folder) == .readOnly(path: folder(name)))
        #expect(refusal(in: folder, for: .inspecting) == .other(path: folder(name), reason: "Permission denied"))
    }

    @Test func `every refusal of a file is one sentence with the path`() {
        let errors: [SQLiteJournalError] = [
            .notAJournal(path: "P"), .format(path: "P", found: 2), .inUse(path: "P"), .readOnly(path: "P"),
            .noDirectory(path: "P"), .missing(path: "P"), .logAlone(path: "P"), .corrupt(path: "P", reason: "r"),
            .foreignLog(path: "P"), .other(path: "P", reason: "r"),
        ]
        #expect(errors.allSatisfy { $0.description.contains("P") && !$0.description.contains("\n") })
        #expect(SQLiteJournalError.missing(path: "P").description == "there is no journal at P")
    }

    private func change(_ sql: String) throws {
        try Database(opening: made("journal.db")).execute(sql)
    }

    private func made(_ name: String) -> String {
        _ = NewFile.make(folder(name))
        return folder(name)
    }
}
