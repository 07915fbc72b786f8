import HelloBye
import JournalSubject
import LocalhostClient
import Synchronization
import Testing
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherSessions

@testable import UsherServer

@Suite("A server among others on its journal")
struct NodeEndpointTests {
    private let journal = NeighbourlyJournal()

    @Test func `the servers on the journal are listed`() async throws {
        let application = Application(
            apps: [HelloByeApp.self], options: .test, journal: journal, log: Log(.text, sink: { _ in }))
        var request = Request(path: "/admin/nodes")
        #expect(await application.respond(to: request).status.code == 401)
        request.headers.append(name: "Authorization", value: "Bearer \(LocalhostClient.operatorToken)")
        let answer = await application.respond(to: request)
        let nodes = try JSONDocument(parsing: answer.body).root[member: "nodes"]
        #expect(nodes?.elements.compactMap { $0[member: "name"]?.string } == ["north", "south"])
        #expect(nodes?.elements.compactMap { $0[member: "build"]?.string } == ["1", "2"])
        #expect(nodes?.elements.compactMap { $0[member: "since"]?.string }.first == "1970-01-01T00:00:01.000Z")
    }

    @Test func `a server whose journal does not answer is not ready, and healthy`() async throws {
        let readiness = Readiness(of: journal)
        let application = Application(
            apps: [HelloByeApp.self], options: .test, journal: journal, readiness: readiness,
            log: Log(.text, sink: { _ in }))
        #expect(await application.respond(to: Request(path: "/readyz")).status.code == 200)
        journal.reachable.store(false, ordering: .relaxed)
        let answer = await application.respond(to: Request(path: "/readyz"))
        #expect(answer.status.code == 503)
        #expect(answer.headers["Retry-After"] == "1")
        #expect(await application.respond(to: Request(path: "/healthz")).status.code == 200)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("does not answer"))
    }

    @Test func `one whose name another has says so where it is not ready, and in its log, once`() async throws {
        let lines = LogLines()
        let application = Application(
            apps: [HelloByeApp.self], options: .test, journal: journal, readiness: Readiness(of: journal),
            log: Log(.text, sink: lines.add))
        for isDisplaced in [true, true, false, true] {
            journal.reachable.store(!isDisplaced, ordering: .relaxed)
            journal.displaced.store(isDisplaced, ordering: .relaxed)
            await application.meetPeers()
        }
        #expect(lines.all.count { $0.contains("displaced cause=\"another has it\"") } == 2)
        let answer = await application.respond(to: Request(path: "/readyz"))
        #expect(answer.status.code == 503)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("another has it"))
    }

    @Test func `a server whose clock is wrong is ready and says so, and writes it to its log once`() async throws {
        let lines = LogLines()
        let application = Application(
            apps: [HelloByeApp.self], options: .test, journal: journal, readiness: Readiness(of: journal),
            log: Log(.text, sink: lines.add))
        func readiness() async -> String {
            let answer = await application.respond(to: Request(path: "/readyz"))
            #expect(answer.status.code == 200)
            return String(decoding: answer.body, as: UTF8.self)
        }
        for (error, words) in [
            (59_000, "ready\n"), (-60_000, "ready\n"), (61_000, "clock is 61 s ahead of the database's"),
            (62_000, "clock is 62 s ahead of the database's"), (0, "ready\n"),
            (-172_800_000, "clock is 172800 s behind the database's"),
        ] {
            journal.error.store(Int64(error), ordering: .relaxed)
            await application.meetPeers()
            #expect(await readiness().contains(words))
        }
        let errors = lines.all.filter { $0.contains("clock is wrong") }
        #expect(errors.count == 2)
        #expect(errors.first?.contains("seconds=\"61\"") == true)
        #expect(errors.last?.contains("seconds=\"-172800\"") == true)
    }
}

/// A journal in memory that says that other servers share it.
private final class NeighbourlyJournal: JournalOverMemory, JournalPeers {
    let memory = MemoryJournal()
    let reachable = Atomic(true)
    let displaced = Atomic(false)
    let error = Atomic(Int64(0))

    var peers: (any JournalPeers)? { self }
    var isReachable: Bool { reachable.load(ordering: .relaxed) }
    var displacement: String? { displaced.load(ordering: .relaxed) ? "another has it" : nil }
    var clockError: Int64 { error.load(ordering: .relaxed) }
    var lease: Int64 { 1 }
    var mayBeginWork: Bool { true }

    func confirm(_ key: JournalKey, upon basis: PendingCommit) -> PendingCommit { .done }
    func isNewestBuild() -> Bool { true }
    func claim(under lease: Int64, dueBy time: Int64, limit: Int, except excluded: [JournalKey]) -> [ClaimedWork] { [] }
    func relinquish(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64) {}
    func release(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64) {}
    func take(_ chore: JournalChore) -> Bool { true }
    func learnCount() {}
    func guiltyVersion() -> GuiltyInput.ListVersion { GuiltyInput.ListVersion(newest: 0, count: 0) }
    func add(_ listener: any JournalListener) {}
    func nodes() -> [JournalNode] {
        [
            JournalNode(name: "north", build: "1", since: 1_000, until: 9_000),
            JournalNode(name: "south", build: "2", since: 2_000, until: 9_000),
        ]
    }
}
