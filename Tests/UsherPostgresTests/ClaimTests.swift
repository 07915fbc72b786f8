import JournalSubject
import LocalhostClient
import Testing
import UsherJournal
import UsherPostgres

@Suite("Work of several servers", .blocking)
struct ClaimTests {
    private let database: JournalDatabase

    init() throws { database = try JournalDatabase() }

    /// Sessions whose first input begins work.
    private func begin(_ work: [BegunWork], in sessions: ClosedRange<UInt64>, of journal: PostgresJournal) async {
        var commits: [Commit?] = []
        for number in sessions {
            var author = Author(number)
            let change = author.create()
            commits.append(
                journal.submit(JournalChange(change.action, of: change.key, at: change.tail, beginning: work)))
        }
        for commit in commits { await commit?.wait() }
    }

    private static func far(_ place: Int) -> BegunWork { BegunWork(WorkPiece(revision: 1, place: place), due: .max) }
    private static func own(_ place: Int) -> BegunWork { BegunWork(WorkPiece(revision: 1, place: place), due: nil) }

    @Test func `of 1500 pieces, three servers claim none twice`() async throws {
        let servers = try ["a", "b", "c"].map { try database.open($0) }
        await begin((1...5).map(Self.far), in: 1...300, of: servers[0])
        await servers[0].close()
        let claimers = try [database.open("d"), servers[1], servers[2]]
        let pieces = try await withThrowingTaskGroup(of: [String].self) { group in
            for journal in claimers {
                let peers = try #require(journal.peers)
                group.addTask {
                    var claimed: [String] = []
                    while true {
                        let work = try await peers.claim(dueBy: .max, limit: 64)
                        guard !work.isEmpty else { return claimed }
                        claimed += work.flatMap { work in work.pieces.map { "\(work.key) \($0)" } }
                    }
                }
            }
            return try await group.reduce([]) { $0 + $1 }
        }
        #expect(Set(pieces).count == pieces.count)
        // Rows that another was just claiming were skipped, and come with the next claim.
        let rest = try await claimers[0].peers?.claim(dueBy: .max, limit: 1_500).flatMap(\.pieces).count ?? 0
        #expect(pieces.count + rest == 1_500)
    }

    @Test func `what a living server owns is not claimed, and is once it has closed`() async throws {
        let first = try database.open("first")
        let second = try database.open("second")
        await begin([Self.own(1), Self.far(2)], in: 1...3, of: first)
        let peers = try #require(second.peers)
        #expect(try await peers.claim(dueBy: .max, limit: 10).allSatisfy { $0.pieces.map(\.place) == [2] })
        await first.close()
        let rest = try await peers.claim(dueBy: .max, limit: 10)
        #expect(rest.count == 3 && rest.allSatisfy { $0.pieces.map(\.place) == [1] })
    }

    @Test func `what is not due yet is not claimed, and what is released is gone`() async throws {
        let journal = try database.open("first")
        let peers = try #require(journal.peers)
        await begin([Self.far(1), BegunWork(WorkPiece(revision: 1, place: 2), due: .max - 1)], in: 1...1, of: journal)
        let work = try await peers.claim(dueBy: .max - 1, limit: 10)
        #expect(work == [ClaimedWork(Author(1).key, [WorkPiece(revision: 1, place: 2)])])
        peers.release([WorkPiece(revision: 1, place: 2)], of: Author(1).key)
        _ = try await peers.nodes()
        await journal.close()
        #expect(try database.run("SELECT place FROM usher.work") == "1\n")
    }

    @Test func `a server that another has displaced begins nothing`() async throws {
        let first = try database.open("first")
        try database.run("UPDATE usher.nodes SET node = 1")
        let peers = try #require(first.peers)
        while peers.isReachable { _ = try await peers.nodes() }
        #expect(!peers.mayBeginWork)
        await begin([Self.far(1)], in: 1...1, of: first)
        #expect(try await peers.claim(dueBy: .max, limit: 10).isEmpty)
    }

    @Test func `the newest build of those that serve is the one that was started last`() async throws {
        let old = try database.open("first", build: "1")
        #expect(try await old.peers?.isNewestBuild() == true)
        let new = try database.open("second", build: "2")
        let again = try database.open("third", build: "1")
        #expect(try await old.peers?.isNewestBuild() == false)
        #expect(try await again.peers?.isNewestBuild() == false)
        #expect(try await new.peers?.isNewestBuild() == true)
        await new.close()
        #expect(try await old.peers?.isNewestBuild() == true)
    }

    @Test func `who sweeps counts the sessions for all`() async throws {
        let first = try database.open("first")
        let second = try database.open("second")
        await begin([], in: 1...7, of: first)
        #expect(second.count == 0)
        #expect(try await first.peers?.take(.sweep) == true)
        #expect(try await second.peers?.take(.sweep) == false)
        #expect(first.count == 7 && second.count == 7)
    }
}
