import JournalSubject
import LocalhostClient
import Testing
import UsherJournal
import UsherPostgres

/// Tests with two servers' journals on one database.
@Suite("Two servers on one journal", .blocking)
struct TwoServersTests {
    private let first: PostgresJournal
    private let second: PostgresJournal

    init() throws {
        let database = try JournalDatabase()
        first = try database.open("first")
        second = try database.open("second")
    }

    @Test func `a server reads what another server has written, and can append to it`() async throws {
        var author = Author(1)
        await first.keep(author.create(), author.append())
        let record = try #require(try await second.record(of: author.key))
        #expect(record.entries.count == 2)
        #expect(record.token != nil && record.token == author.tail.token)
        var other = author.forked()
        await second.keep(other.append())
        #expect(!other.tail.isBroken)
        #expect(try await first.record(of: author.key)?.entries.count == 3)
    }

    @Test func `if two servers change the same version of a record, one server's change fails`() async throws {
        var author = Author(1)
        await first.keep(author.create())
        var other = author.forked()
        let changes = [author.append("\"first\""), other.append("\"second\"")]
        async let one: Void = first.keep(changes[0])
        async let two: Void = second.keep(changes[1])
        _ = await (one, two)
        #expect(author.tail.isBroken != other.tail.isBroken)
        #expect((author.tail.failure ?? other.tail.failure) == .conflict)
        #expect(try await first.record(of: author.key)?.entries.count == 2)
    }

    @Test func `the version of a record is confirmed until another server writes to the record`() async throws {
        var author = Author(1)
        await first.keep(author.create())
        #expect(await author.isConfirmed(by: first))
        var other = author.forked()
        await second.keep(other.keep(under: "k"))
        #expect(await !author.isConfirmed(by: first))
        #expect(await other.isConfirmed(by: second))
    }

    @Test func `a session that another server has ended is not confirmed, and is unknown once it was purged`()
        async throws
    {
        var author = Author(1)
        await first.keep(author.create())
        var other = author.forked()
        await second.keep(other.end(at: 5))
        #expect(await !author.isConfirmed(by: first))
        #expect(try await first.head(of: author.key)?.header.ending?.time == 5)
        #expect(try await first.purge(endedBefore: 6, limit: 1) == 1)
        #expect(try await first.head(of: author.key) == nil)
        #expect(await !author.isConfirmed(by: first))
    }

    @Test func `two concurrent requests to open a session with the same key create one session`() async throws {
        let answer = KeyedAnswer(key: "k", fingerprint: nil, revision: 1, body: [])
        let won = await withTaskGroup(of: Bool.self) { group in
            for number in UInt64(1)...40 {
                group.addTask {
                    var author = Author(number)
                    let journal = number % 2 == 0 ? first : second
                    await journal.keep(author.create(opening: answer))
                    return !author.tail.isBroken
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(won == 1)
        let opening = try #require(try await first.opening(under: "k"))
        #expect(try await second.record(of: opening.session) != nil)
        #expect(try await second.sessions(after: nil, limit: 100).count == 1)
    }

    @Test func `the list of servers has both servers until one of them closes`() async throws {
        #expect(try await first.peers?.nodes().map(\.name) == ["first", "second"])
        await second.close()
        #expect(try await first.peers?.nodes().map(\.name) == ["first"])
    }

    @Test func `a chore belongs to only one server at a time`() async throws {
        #expect(try await first.peers?.take(.sweep) == true)
        #expect(try await second.peers?.take(.sweep) == false)
        #expect(try await first.peers?.take(.sweep) == true)
    }
}
