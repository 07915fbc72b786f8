import Dispatch
import JournalSubject
import LocalhostClient
import PostgresCluster
import Synchronization
import Testing
import UsherJournal
import UsherPostgres

/// Tests of changes whose connection is cut.
@Suite("Lost responses from the database", .blocking)
struct LostAnswerTests {
    private let database: JournalDatabase
    private let proxy: DatabaseProxy
    private let journal: PostgresJournal

    init() throws {
        database = try JournalDatabase()
        proxy = try DatabaseProxy(before: database.cluster)
        journal = try database.open("first", through: proxy)
    }

    @Test(arguments: [DatabaseProxy.Moment.beforeRequest, .afterAnswer])
    func `if the response to a change is lost, the change is still made only once`(moment: DatabaseProxy.Moment)
        async throws
    {
        var author = Author(1)
        await journal.keep(author.create())
        proxy.cut(moment, at: .append)
        await journal.keep(author.append("\"once\"", answerUnder: "k"))
        #expect(author.tail.failure == nil)
        #expect(proxy.waitingCuts == 0)
        await journal.keep(author.append())
        #expect(author.tail.failure == nil)
        let record = try #require(try await journal.record(of: author.key))
        #expect(record.entries.map(\.revision) == [1, 2, 3])
        #expect(record.token == author.tail.token)
        #expect(await author.isConfirmed(by: journal))
    }

    @Test(arguments: [DatabaseProxy.Moment.beforeRequest, .afterAnswer])
    func `if the response is lost, creating a session, ending it or storing an answer still happens once`(
        moment: DatabaseProxy.Moment
    )
        async throws
    {
        var author = Author(1)
        let opening = KeyedAnswer(key: "k", fingerprint: nil, revision: 1, body: [1])
        proxy.cut(moment, at: .create)
        await journal.keep(author.create(opening: opening))
        #expect(author.tail.failure == nil)
        proxy.cut(moment, at: .append)
        await journal.keep(author.keep(under: "a"))
        #expect(author.tail.failure == nil)
        #expect(try await journal.record(of: author.key)?.answers.map(\.key) == ["a"])
        proxy.cut(moment, at: .end)
        await journal.keep(author.end(at: 9, answerUnder: "b"))
        #expect(author.tail.failure == nil && proxy.waitingCuts == 0)
        #expect(try await journal.opening(under: "k")?.session == author.key)
        #expect(try await journal.record(of: author.key)?.answers.map(\.key) == ["a", "b"])
    }

    @Test(
        arguments: [DatabaseProxy.Moment.beforeRequest, .afterAnswer],
        [DatabaseProxy.Statement.touch, .complete, .erasable, .rewrite])
    func `if the response to an unconditional change is lost, the change is made once`(
        moment: DatabaseProxy.Moment, statement: DatabaseProxy.Statement
    ) async throws {
        var author = Author(1)
        let answer = KeyedAnswer(key: "k", fingerprint: nil, revision: 2, body: [])
        await journal.keep(author.create(), author.append("{\"event\":\"secret\"}", secret: 9..<17, answerUnder: "k"))
        proxy.cut(moment, at: statement)
        switch statement {
        case .touch: await journal.keep(author.touch(9_000))
        case .complete: await journal.keep(AuthoredChange(.complete(answer), of: author.key, at: author.tail))
        default: await journal.keep(author.erase(2))
        }
        #expect(author.tail.failure == nil && proxy.waitingCuts == 0)
        await journal.keep(author.append())
        #expect(author.tail.failure == nil)
        let record = try #require(try await journal.record(of: author.key))
        #expect(record.entries.count == 3)
        #expect(record.answers.map(\.body.isEmpty) == [statement == .complete])
        let touched = try database.run("SELECT touched FROM usher.sessions")
        #expect((touched == "9000\n") == (statement == .touch))
        let isErased = !record.entries[1].payload.contains(UInt8(ascii: "s"))
        #expect(isErased == (statement != .touch && statement != .complete))
    }

    @Test func `if a server freezes while it sends a change, the change holds no lock in the database`() async throws {
        let second = try database.open("second")
        var author = Author(1)
        await journal.keep(author.create())
        var other = author.forked()
        let change = other.append("\"second\"")
        proxy.cut(.midRequest, at: .append) {
            // In the meantime, the connection is open, and the database waits for the other half.
            let isDone = DispatchSemaphore(value: 0)
            Task {
                await second.keep(change)
                isDone.signal()
            }
            #expect(isDone.wait(timeout: .now() + 4) == .success, "it waits for a lock")
        }
        await journal.keep(author.append("\"\(String(repeating: "first", count: 10_000))\""))
        #expect(other.tail.failure == nil)
        #expect(author.tail.failure == .conflict && proxy.waitingCuts == 0)
        #expect(try await journal.record(of: author.key)?.entries.count == 2)
    }

    @Test func `a change is recognized by its mark if its response was lost, even after another server's write`()
        async throws
    {
        let second = try database.open("second")
        var author = Author(1)
        await journal.keep(author.create())
        let change = author.append("\"first\"")
        proxy.cut(.afterAnswer, at: .append) { [author] in Self.write(upon: author, in: second) }
        await journal.keep(change)
        #expect(author.tail.failure == nil)
        let record = try #require(try await journal.record(of: author.key))
        #expect(
            record.entries.map { String(decoding: $0.payload, as: UTF8.self) }.suffix(2) == ["\"first\"", "\"second\""])
        #expect(await !author.isConfirmed(by: journal))
    }

    @Test
    func `a late response to a change does not confirm the change's version`()
        async throws
    {
        let second = try database.open("second")
        let peers = try #require(journal.peers)
        var author = Author(1)
        await journal.keep(author.create())
        let change = author.append("\"first\"")
        let known = author
        let confirmation = Mutex<PendingCommit?>(nil)
        proxy.cut(.afterAnswer, at: .append) {
            Self.write(upon: known, in: second)
            // The confirmation is requested after the other server's change was acknowledged.
            confirmation.withLock { $0 = peers.confirm(known.key, upon: known.tail.newest) }
        }
        await journal.keep(change)
        let asked = confirmation.withLock { $0 }
        let answer = try #require(asked)
        #expect(await answer.wait() == .failure(.conflict))
    }

    @Test func `if another server wrote first, a change fails with conflict, even if the response is lost`()
        async throws
    {
        let second = try database.open("second")
        var author = Author(1)
        await journal.keep(author.create())
        var other = author.forked()
        let change = other.append("\"second\"")
        proxy.cut(.beforeRequest, at: .append) {
            let isDone = DispatchSemaphore(value: 0)
            Task {
                await second.keep(change)
                isDone.signal()
            }
            isDone.wait()
        }
        await journal.keep(author.append("\"first\""))
        #expect(author.tail.failure == .conflict)
        #expect(other.tail.failure == nil)
        #expect(try await journal.record(of: author.key)?.entries.count == 2)
    }

    @Test(arguments: [DatabaseProxy.Moment.beforeRequest, .afterAnswer])
    func `if the response is lost when a session starts over, the new history is still written once`(
        moment: DatabaseProxy.Moment
    ) async throws {
        var author = Author(1)
        await journal.keep(author.create(), author.append(answerUnder: "a"))
        proxy.cut(moment, at: .startOver)
        await journal.keep(author.startOver(answerUnder: "b"))
        await journal.keep(author.append())
        #expect(proxy.waitingCuts == 0)
        #expect(author.tail.failure == nil)
        let record = try #require(try await journal.record(of: author.key))
        #expect(record.entries.map(\.revision) == [3, 4])
        #expect(record.answers.map(\.key) == ["a", "b"])
    }

    @Test func `a request for the confirmation of a version is sent again if its response is lost`() async throws {
        var author = Author(1)
        await journal.keep(author.create())
        proxy.cut(.afterAnswer, at: .confirm)
        proxy.cut(.beforeRequest, at: .confirm)
        #expect(await author.isConfirmed(by: journal))
        #expect(proxy.waitingCuts == 0)
    }

    @Test func `if the response to a server's claim of work is lost, only the same server can claim the work again`()
        async throws
    {
        let second = try database.open("second")
        let peers = try #require(journal.peers)
        var author = Author(1)
        await journal.keep(author.create())
        let change = author.append()
        let begun = BegunWork(WorkPiece(revision: 2, place: 1), due: .max, under: peers.lease, at: 0)
        await journal.keep(AuthoredChange(change.action, of: change.key, at: change.tail, beginning: [begun]))
        proxy.cut(.afterAnswer, at: .claim)
        await #expect(throws: JournalError.self) { _ = try await peers.claim(dueBy: .max, limit: 10) }
        #expect(try await second.peers?.claim(dueBy: .max, limit: 10) == [])
        #expect(try await peers.claim(dueBy: .max, limit: 10) == [ClaimedWork(author.key, [begun.piece])])
        #expect(try await peers.claim(dueBy: .max, limit: 10) == [])
    }

    @Test(arguments: [DatabaseProxy.Moment.beforeRequest, .afterAnswer])
    func `a guilty input is stored once, even if the response to the change is lost`(moment: DatabaseProxy.Moment)
        async throws
    {
        for session in [Author(1).key, nil] {
            let identity = GuiltyInput.Identity(
                session == nil ? .creation : .input, of: session, upon: session == nil ? 0 : 3, [1, 2])
            let site = GuiltyInput.Site(app: "notes", screen: "list", event: "event pay")
            let input = GuiltyInput(identity, at: site, build: 1, time: 5, crash: "it crashed")
            proxy.cut(moment, at: .addGuilty)
            try await journal.add(input)
            #expect(proxy.waitingCuts == 0)
            #expect(try await journal.guiltyInputs().filter { $0 == input }.count == 1)
        }
    }

    @Test(arguments: [DatabaseProxy.Moment.beforeRequest, .afterAnswer])
    func `a server gets a chore, even if the response to the server's request is lost`(moment: DatabaseProxy.Moment)
        async throws
    {
        proxy.cut(moment, at: .take)
        #expect(try await journal.peers?.take(.sweep) == true)
        #expect(proxy.waitingCuts == 0)
        let second = try database.open("second")
        #expect(try await second.peers?.take(.sweep) == false)
    }

    @Test(arguments: [DatabaseProxy.Moment.beforeRequest, .afterAnswer])
    func `if the response to a release of work is lost, the work has been deleted or can be claimed again`(
        moment: DatabaseProxy.Moment
    )
        async throws
    {
        let peers = try #require(journal.peers)
        var author = Author(1)
        let change = author.create()
        await journal.keep(AuthoredChange(change.action, of: change.key, at: change.tail, beginning: [peers.own(1)]))
        proxy.cut(moment, at: .release)
        peers.release([WorkPiece(revision: 1, place: 1)], of: author.key, under: peers.lease)
        while proxy.waitingCuts > 0 { _ = try await peers.nodes() }
        let again = try await peers.claim(dueBy: .max, limit: 10)
        #expect(again.isEmpty == (moment == .afterAnswer))
        for work in again { peers.release(work.pieces, of: work.key, under: peers.lease) }
        while try database.run("SELECT count(*) FROM usher.work") != "0\n" { _ = try await peers.nodes() }
    }

    @Test(arguments: [DatabaseProxy.Moment.beforeRequest, .afterAnswer])
    func `even if the database's response is lost, an unconditional change is acknowledged only if it was made`(
        moment: DatabaseProxy.Moment
    ) async throws {
        var author = Author(1)
        await journal.keep(author.create(), author.append("\"secret\"", secret: 1..<7, answerUnder: "k"))
        await journal.keep(author.append("\"secret\"", secret: 1..<7))
        for statement in [DatabaseProxy.Statement.touch, .erasable, .rewrite, .complete] {
            let known = author.forked()
            let change =
                switch statement {
                case .touch: known.touch(9_000)
                case .complete:
                    AuthoredChange(
                        .complete(KeyedAnswer(key: "k", fingerprint: nil, revision: 2, body: Array("late".utf8))),
                        of: known.key, at: known.tail)
                default: known.erase(statement == .erasable ? 2 : 3)
                }
            proxy.cut(moment, at: statement)
            await journal.keep(change)
            #expect(proxy.waitingCuts == 0)
            if known.tail.failure != nil {
                // Sending the changes again does no harm.
                let again = author.forked()
                await journal.keep(AuthoredChange(change.action, of: change.key, at: again.tail))
                #expect(again.tail.failure == nil)
            }
        }
        #expect(try database.run("SELECT touched FROM usher.sessions") == "9000\n")
        let record = try #require(try await journal.record(of: author.key))
        #expect(
            record.entries.map { String(decoding: $0.payload, as: UTF8.self) }.allSatisfy { !$0.contains("secret") })
        #expect(record.answers.map(\.body) == [Array("late".utf8)])
    }

    /// Writes a change from another server that follows the author's, and waits until it is acknowledged.
    private static func write(upon author: Author, in other: PostgresJournal) {
        let isDone = DispatchSemaphore(value: 0)
        Task {
            defer { isDone.signal() }
            guard var author = try await author.found(in: other) else { return }
            await other.keep(author.append("\"second\""))
            #expect(author.tail.failure == nil)
        }
        isDone.wait()
    }
}
