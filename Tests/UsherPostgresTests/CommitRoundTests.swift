import JournalSubject
import LocalhostClient
import Testing
import UsherJournal

@testable import UsherPostgres

@Suite("Changes that are grouped into statements", .blocking)
struct CommitRoundTests {
    /// Returns the numbers of the sessions that each round writes.
    private func rounds(of changes: [AuthoredChange]) -> [[UInt64]] {
        var rest = changes.map(\.next)
        var rounds: [[UInt64]] = []
        while !rest.isEmpty {
            var round = CommitRound(rest) { change, error in Issue.record("\(change.key): \(error)") }
            rest = round.postponed
            rounds.append(round.takeGroup(of: .create).map(\.key.low))
        }
        return rounds
    }

    private func creation(_ number: UInt64, _ size: Int) -> AuthoredChange {
        var author = Author(number)
        let opening = KeyedAnswer(
            key: "\(number)", fingerprint: nil, revision: 1, body: [UInt8](repeating: 1, count: size))
        return author.create(opening: opening)
    }

    @Test func `small changes share a statement, and changes of more than 256 KiB are split into several statements`() {
        #expect(rounds(of: (1...64).map { creation($0, 100) }).map(\.count) == [64])
        let large = rounds(of: (1...20).map { creation($0, 50_000) })
        #expect(large.map(\.count) == [5, 5, 5, 5])
        #expect(large.flatMap(\.self) == Array(1...20))
    }

    @Test func `a change larger than the limit gets its own statement, after all smaller changes`() {
        #expect(rounds(of: [creation(1, 10), creation(2, 1 << 20), creation(3, 10)]) == [[1, 3], [2]])
    }

    @Test func `a change to a session waits if an earlier change to the same session waits`() async throws {
        let database = try JournalDatabase()
        let journal = try database.open("first")
        var author = Author(2)
        await journal.keep(author.create())
        let large = String(repeating: "x", count: 200_000)
        let changes = [
            creation(1, 100_000), author.append("\"\(large)\""), author.append("\"small\""), creation(3, 100_000),
        ]
        var round = CommitRound(changes.map(\.next)) { _, error in Issue.record("\(error)") }
        #expect(round.takeGroup(of: .create).map(\.key.low) == [1, 3])
        #expect(round.postponed.map(\.key) == [author.key, author.key])
        for change in changes { await journal.keep(change) }
        #expect(try await journal.record(of: author.key)?.entries.count == 3)
    }
}
