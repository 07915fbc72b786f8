import JournalSubject
import LocalhostClient
import PostgresCluster
import Testing
import UsherJournal
import UsherPostgres

@Suite("Work that several servers share", .blocking)
struct ClaimTests {
    private let database: JournalDatabase

    init() throws { database = try JournalDatabase() }

    /// Creates sessions whose first input starts work.
    private func begin(_ work: [BegunWork], in sessions: ClosedRange<UInt64>, of journal: PostgresJournal) async {
        var commits: [PendingCommit] = []
        for number in sessions {
            var author = Author(number)
            let change = author.create()
            commits.append(
                journal.submit(AuthoredChange(change.action, of: change.key, at: change.tail, beginning: work)))
        }
        for commit in commits { await commit.wait() }
    }

    /// Returns a timer that no server owns yet.
    private static func far(_ place: Int, due: Int64 = .max) -> BegunWork {
        BegunWork(WorkPiece(revision: 1, place: place), due: due, under: 0, at: 0)
    }

    @Test func `three servers together claim each of 1,500 pieces of work exactly once`() async throws {
        let servers = try ["a", "b", "c"].map { try database.open($0) }
        await begin((1...5).map { Self.far($0) }, in: 1...300, of: servers[0])
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
        // Rows that another server was just claiming were skipped, and come with the next claim.
        let rest = try await claimers[0].peers?.claim(dueBy: .max, limit: 1_500).flatMap(\.pieces).count ?? 0
        #expect(pieces.count + rest == 1_500)
    }

    @Test func `other servers can claim the work of a server that has closed, but not of a server that runs`()
        async throws
    {
        let first = try database.open("first")
        let second = try database.open("second")
        await begin([try #require(first.peers).own(1), Self.far(2)], in: 1...3, of: first)
        let peers = try #require(second.peers)
        #expect(try await peers.claim(dueBy: .max, limit: 10).allSatisfy { $0.pieces.map(\.place) == [2] })
        await first.close()
        let rest = try await peers.claim(dueBy: .max, limit: 10)
        #expect(rest.count == 3 && rest.allSatisfy { $0.pieces.map(\.place) == [1] })
    }

    @Test func `work that is not due yet cannot be claimed, and work that is released is deleted`() async throws {
        let journal = try database.open("first")
        let peers = try #require(journal.peers)
        await begin([Self.far(1), Self.far(2, due: .max - 1)], in: 1...1, of: journal)
        let work = try await peers.claim(dueBy: .max - 1, limit: 10)
        #expect(work == [ClaimedWork(Author(1).key, [WorkPiece(revision: 1, place: 2)])])
        peers.release([WorkPiece(revision: 1, place: 2)], of: Author(1).key, under: peers.lease)
        _ = try await peers.nodes()
        await journal.close()
        #expect(try database.run("SELECT place FROM usher.work") == "1\n")
    }

    @Test func `if a server returns a session's work, only other servers can claim the work`()
        async throws
    {
        let first = try database.open("first")
        let second = try database.open("second")
        let (one, two) = (try #require(first.peers), try #require(second.peers))
        await begin([one.own(1), Self.far(2)], in: 1...2, of: first)
        let key = Author(1).key
        one.relinquish([WorkPiece(revision: 1, place: 1)], of: key, under: one.lease)
        // Only the lease that owns the work can return it.
        one.relinquish([WorkPiece(revision: 1, place: 1)], of: Author(2).key, under: two.lease)
        _ = try await one.nodes()
        #expect(try database.run("SELECT count(*) FROM usher.work WHERE owner = \(one.lease)") == "1\n")
        // The claim finds the rest, however many rows it leaves to other servers.
        let rest = try await one.claim(dueBy: .max, limit: 1, except: [key])
        #expect(rest == [ClaimedWork(Author(2).key, [WorkPiece(revision: 1, place: 2)])])
        #expect(try await one.claim(dueBy: .max, limit: 10, except: [key]) == [])
        let claimed = try await two.claim(dueBy: .max, limit: 10)
        #expect(claimed.map(\.key) == [key] && claimed.flatMap(\.pieces).count == 2)
    }

    @Test func `if a build has put a session on hold, the build's servers claim no work of that session`() async throws
    {
        let first = try database.open("first")
        let peers = try #require(first.peers)
        await begin([Self.far(1)], in: 1...2, of: first)
        let keys = [Author(1).key, Author(2).key]
        for (build, key) in [(UInt64(0xB), keys[0]), (0xC, keys[1])] {
            let head = try #require(try await first.head(of: key))
            let version = RecordVersion(head.header, head.token)
            let hold = SessionHold(on: key, by: build, at: version, writtenBy: nil, kind: "app-missing", reason: [])
            try await first.change(.hold(hold))
        }
        #expect(try await peers.claim(dueBy: .max, limit: 10, for: 0xB).map(\.key) == [keys[1]])
        // Another server has written the session.
        var author = try #require(try await Author(1).found(in: first))
        await first.keep(author.append())
        #expect(try await peers.claim(dueBy: .max, limit: 10, for: 0xB).map(\.key) == [keys[0]])
        // An end leaves no row.
        await first.keep(author.end())
        #expect(try database.run("SELECT build FROM usher.holds") == "c\n")
    }

    @Test func `a server that has lost its name to another server begins no work until that server has gone`()
        async throws
    {
        let first = try database.open("first", lineage: 7)
        let peers = try #require(first.peers)
        let lease = peers.lease
        await begin([peers.own(1)], in: 1...1, of: first)
        let second = try database.open("first", lineage: 7)
        while peers.isReachable { _ = try await peers.nodes() }
        #expect(!peers.mayBeginWork)
        #expect(peers.displacement?.contains("the name first") == true)
        await begin([Self.far(1)], in: 2...2, of: first)
        #expect(try await peers.claim(dueBy: .max, limit: 10).isEmpty)
        await second.close()
        while !peers.mayBeginWork { _ = try await peers.nodes() }
        #expect(peers.isReachable && peers.displacement == nil)
        // The server owns none of its earlier work.
        #expect(peers.lease != lease)
        #expect(try await peers.claim(dueBy: .max, limit: 10).count == 2)
    }

    @Test func `a server gets its name back if a failover has restored the server's earlier row`() async throws {
        let journal = try database.open("first", build: "2")
        let peers = try #require(journal.peers)
        let lease = peers.lease
        // This is the state of a standby that lagged when it took over.
        try database.run(
            "UPDATE usher.nodes SET node = 1, build = '1', lineage = 9, until = clock_timestamp() + interval '4 s'")
        while peers.mayBeginWork { _ = try await peers.nodes() }
        while true {
            // Read this before the lease, which the server may get in between.
            let mayBeginWork = peers.mayBeginWork
            guard peers.lease == lease else { break }
            #expect(!mayBeginWork)
            // The other lease is not renewed, so this server gets the name.
            #expect(peers.isReachable)
            _ = try await peers.nodes()
        }
        #expect(peers.mayBeginWork && peers.isReachable)
        #expect(try database.run("SELECT build, lineage IS NULL, node FROM usher.nodes") == "2|t|\(peers.lease)\n")
    }

    @Test(arguments: [
        "UPDATE usher.nodes SET until = now() - interval '1 s' WHERE name = 'first'",
        "DELETE FROM usher.nodes WHERE name = 'first'",
        // The clock of the database that wrote the lease was ahead.
        "UPDATE usher.nodes SET until = now() + interval '10 min' WHERE name = 'first'",
    ])
    func `a server whose lease has expired gets a new lease, and others can claim the old lease's work`(
        loss: String
    ) async throws {
        let first = try database.open("first")
        let second = try database.open("second")
        let peers = try #require(first.peers)
        await begin([peers.own(1)], in: 1...3, of: first)
        let lease = peers.lease
        #expect(try await second.peers?.claim(dueBy: .max, limit: 10) == [])
        try database.run(loss)
        while peers.lease == lease { _ = try await peers.nodes() }
        #expect(peers.mayBeginWork && peers.isReachable)
        #expect(try await second.peers?.claim(dueBy: .max, limit: 2).count == 2)
        #expect(try await peers.claim(dueBy: .max, limit: 10).count == 1)
        #expect(try await peers.nodes().map(\.name) == ["first", "second"])
        // An expired lease claims nothing, and deletes nothing.
        await begin([Self.far(2)], in: 4...4, of: first)
        #expect(try await peers.claim(under: lease, dueBy: .max, limit: 10, except: [], for: 0) == [])
        peers.release([WorkPiece(revision: 1, place: 2)], of: Author(4).key, under: lease)
        #expect(try await peers.claim(dueBy: .max, limit: 10).count == 1)
    }

    @Test func `a server keeps its name if the response to its heartbeat is lost`() async throws {
        let proxy = try DatabaseProxy(before: database.cluster)
        let journal = try database.open("first", through: proxy)
        let peers = try #require(journal.peers)
        let lease = peers.lease
        proxy.cut(.afterAnswer, at: .beat)
        try database.run("UPDATE usher.nodes SET until = now() - interval '1 s'")
        while peers.lease == lease { _ = try await peers.nodes() }
        #expect(proxy.waitingCuts == 0)
        #expect(peers.mayBeginWork && peers.isReachable)
    }

    @Test func `a lease is ignored if it ends impossibly late because a database's clock was wrong`()
        async throws
    {
        let journal = try database.open("first", build: "1")
        let peers = try #require(journal.peers)
        await begin([BegunWork(WorkPiece(revision: 1, place: 1), due: nil, under: 5, at: 0)], in: 1...1, of: journal)
        try database.run("INSERT INTO usher.builds VALUES ('2', 0, NULL)")
        try database.run("INSERT INTO usher.nodes VALUES (5, 'dead', '2', now(), now() + interval '10 min', NULL)")
        try database.run("INSERT INTO usher.chores VALUES ('sweep', 5, now() + interval '10 min', -1)")
        #expect(try await peers.claim(dueBy: .max, limit: 10).count == 1)
        #expect(try await peers.nodes().map(\.name) == ["first"])
        #expect(try await journal.builds().filter(\.isServing).map(\.number) == [1])
        #expect(try await peers.take(.sweep))
    }

    @Test func `a build counts as serving while any of its servers is running`() async throws {
        let old = try database.open("first", build: "a1")
        let new = try database.open("second", build: "b2")
        let again = try database.open("third", build: "a1")
        func serving() async throws -> [UInt64] {
            try await new.builds().filter(\.isServing).map(\.number).sorted()
        }
        #expect(try await serving() == [0xA1, 0xB2])
        await old.close()
        #expect(try await serving() == [0xA1, 0xB2])
        await again.close()
        #expect(try await serving() == [0xB2])
        // The noted values stay.
        try await new.note(0xA1, at: 5_000, isConfirmed: false)
        #expect(try await new.builds().map(\.number).sorted() == [0xA1, 0xB2])
    }

    @Test func `while two builds are serving, the sessions that one build leaves to the other are counted`()
        async throws
    {
        let old = try database.open("first", build: "a1")
        let new = try database.open("second", build: "b2")
        let peers = try #require(new.peers)
        var authors = (1...3).map { Author($0) }
        for index in authors.indices {
            await new.submit(authors[index].create()).wait()
            for _ in 0..<2 { try await peers.note(SessionRefusal(of: authors[index].key, by: 0xB2, writtenBy: 0xA1)) }
        }
        #expect(try await peers.refusals() == [RefusalCount(by: 0xB2, writtenBy: 0xA1, sessions: 3)])
        await new.submit(authors[0].end()).wait()
        #expect(try await peers.refusals() == [RefusalCount(by: 0xB2, writtenBy: 0xA1, sessions: 2)])
        await old.close()
        #expect(try await peers.refusals().isEmpty)
        try await new.note(0xB2, at: 5_000, isConfirmed: false)
        #expect(try database.run("SELECT count(*) FROM usher.refusals") == "0\n")
    }

    @Test
    func `if a serving build forbids a change, the change can be written after the last server of that build is gone`()
        async throws
    {
        let old = try database.open("first", build: "a1")
        let new = try database.open("second", build: "b2")
        var author = Author(1)
        await new.submit(author.create()).wait()
        let basis = PendingCommit(.success(try #require(try await new.head(of: author.key)?.token)))
        let append = author.append()
        func resume() async -> JournalError? {
            let change = JournalChange(append.action, of: append.key, upon: basis, unlessServedBy: 0xA1)
            guard case .failure(let error) = await new.submit(change).wait() else { return nil }
            return error
        }
        #expect(await resume() == .conflict)
        await old.close()
        #expect(await resume() == nil)
    }

    @Test func `if releasing work must wait for a lock, confirmations and heartbeats are not delayed`() async throws {
        let journal = try database.open("first")
        let peers = try #require(journal.peers)
        let lease = peers.lease
        await begin([peers.own(1)], in: 1...20, of: journal)
        var author = Author(99)
        await journal.keep(author.create())
        let lock = try StrangersLock(on: "usher.work", in: database)
        for number in UInt64(1)...20 {
            peers.release([WorkPiece(revision: 1, place: 1)], of: Author(number).key, under: lease)
        }
        // This is longer than the database lets a statement wait for a lock.
        let clock = ContinuousClock()
        let start = clock.now
        while clock.now - start < .seconds(7) {
            let asked = clock.now
            #expect(await author.isConfirmed(by: journal))
            // Waiting for the lock would take five seconds.
            try #require(clock.now - asked < .seconds(4))
            try #require(peers.isReachable && peers.mayBeginWork)
        }
        try lock.release()
        // Work that was not deleted is claimed again.
        while try database.run("SELECT count(*) FROM usher.work") != "0\n" {
            for work in try await peers.claim(dueBy: .max, limit: 100) {
                peers.release(work.pieces, of: work.key, under: lease)
            }
        }
        #expect(peers.lease == lease)
    }

    @Test func `starting a session over deletes the session's earlier work, whichever server owns it`() async throws {
        let first = try database.open("first")
        let second = try database.open("second")
        let (one, two) = (try #require(first.peers), try #require(second.peers))
        var author = Author(1)
        let creation = author.create()
        await first.keep(
            AuthoredChange(
                creation.action, of: creation.key, at: creation.tail, beginning: [one.own(1), Self.far(2), Self.far(3)])
        )
        #expect(try await two.claim(dueBy: .max, limit: 1).count == 1)
        let again = author.startOver()
        let timer = BegunWork(WorkPiece(revision: 2, place: 1), due: .max, under: one.lease, at: 0)
        await first.keep(AuthoredChange(again.action, of: again.key, at: again.tail, beginning: [timer]))
        #expect(author.tail.failure == nil)
        #expect(try database.run("SELECT revision, place FROM usher.work") == "2|1\n")
        #expect(try database.run("SELECT revision FROM usher.entries") == "2\n")
    }

    @Test
    func `the entry for a session's resumption can begin work again, even if another server has claimed the work`()
        async throws
    {
        let first = try database.open("first")
        let second = try database.open("second")
        let (one, two) = (try #require(first.peers), try #require(second.peers))
        var author = Author(1)
        let creation = author.create()
        let begun = BegunWork(WorkPiece(revision: 1, place: 1), due: .max, under: one.lease, at: 0)
        await first.keep(AuthoredChange(creation.action, of: creation.key, at: creation.tail, beginning: [begun]))
        #expect(try await two.claim(dueBy: .max, limit: 1) == [ClaimedWork(author.key, [begun.piece])])
        let again = author.append()
        await first.keep(AuthoredChange(again.action, of: again.key, at: again.tail, beginning: [one.own(1)]))
        #expect(author.tail.failure == nil)
        // The second server no longer owns the work, so it cannot delete the row.
        two.release([begun.piece], of: author.key, under: two.lease)
        _ = try await two.nodes()
        await second.close()
        #expect(try database.run("SELECT due, owner FROM usher.work") == "0|\(one.lease)\n")
    }
}
