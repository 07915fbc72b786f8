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

@Suite("A server that shares its journal with others")
struct NodeEndpointTests {
    private let journal = NeighbourlyJournal()

    @Test func `the operator can list the servers that share the journal`() async throws {
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

    @Test
    func `the operator can list the builds on the journal with the number of sessions that are left to each build`()
        async throws
    {
        let application = Application(
            apps: [HelloByeApp.self], options: .test, journal: journal, log: Log(.text, sink: { _ in }))
        let answer = await application.respond(to: .byOperator("/admin/nodes"))
        let build = try JSONDocument(parsing: answer.body).root[member: "builds"]?.elements.first { _ in true }
        #expect(build?[member: "build"]?.string == "1")
        #expect(build?[member: "serving"]?.boolean == true)
        #expect(build?[member: "seen"]?.string == "1970-01-01T00:00:05.000Z")
        let refused = build?[member: "refused"]?.elements.first { _ in true }
        #expect(refused?[member: "by"]?.string == "2")
        #expect(refused?[member: "sessions"]?.integer == 7)
    }

    @Test func `a release can be confirmed only if no server of another build is left`() async throws {
        let application = Application(
            apps: [HelloByeApp.self], options: .test, journal: journal, log: Log(.text, sink: { _ in }))
        let refusal = await application.respond(to: .byOperator("/admin/release", .post))
        #expect(refusal.status.code == 409)
        let problem = String(decoding: refusal.body, as: UTF8.self)
        #expect(problem.contains("urn:usher:problem:other-build-serves") && problem.contains("the build 1 "))
        #expect(journal.builds().allSatisfy { $0.confirmed == nil })
        journal.rivals.store(false, ordering: .relaxed)
        #expect(await application.respond(to: .byOperator("/admin/release", .post)).status.code == 204)
        #expect(journal.builds().contains { $0.confirmed != nil })
        let stranger = Request(.post, path: "/admin/release")
        #expect(await application.respond(to: stranger).status.code == 401)
    }

    @Test func `a server that cannot reach its journal is healthy but not ready`() async throws {
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

    @Test func `if another server uses the same name, the server reports that in /readyz and once in its log`()
        async throws
    {
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

    @Test func `a server with a wrong clock is ready, and reports the wrong clock in /readyz and once in its log`()
        async throws
    {
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

extension Request {
    /// Returns a request of the operator.
    fileprivate static func byOperator(_ path: String, _ method: UsherHTTP.Method = .get) -> Request {
        var request = Request(method, path: path)
        request.headers.append(name: "Authorization", value: "Bearer \(LocalhostClient.operatorToken)")
        return request
    }
}

/// A journal in memory that pretends to be shared with other servers.
private final class NeighbourlyJournal: JournalOverMemory, JournalPeers {
    let memory = MemoryJournal()
    let reachable = Atomic(true)
    let displaced = Atomic(false)
    let rivals = Atomic(true)
    let error = Atomic(Int64(0))

    var peers: (any JournalPeers)? { self }
    var isReachable: Bool { reachable.load(ordering: .relaxed) }
    var displacement: String? { displaced.load(ordering: .relaxed) ? "another has it" : nil }
    var clockError: Int64 { error.load(ordering: .relaxed) }
    var lease: Int64 { 1 }
    var mayBeginWork: Bool { true }

    func confirm(_ key: JournalKey, upon basis: PendingCommit) -> PendingCommit { .done }
    func claim(
        under lease: Int64, dueBy time: Int64, limit: Int, except excluded: [JournalKey], for build: UInt64
    ) -> [ClaimedWork] { [] }
    func relinquish(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64) {}
    func release(_ pieces: [WorkPiece], of key: JournalKey, under lease: Int64) {}
    func take(_ chore: JournalChore) -> Bool { true }
    func learnCount() {}
    func note(_ refusal: SessionRefusal) {}
    func refusals() -> [RefusalCount] { [RefusalCount(by: 2, writtenBy: 1, sessions: 7)] }
    func builds() -> [JournalBuild] {
        memory.builds() + [JournalBuild(1, seen: 5_000, isServing: rivals.load(ordering: .relaxed))]
    }
    func guiltyVersion() -> GuiltyInput.ListVersion { GuiltyInput.ListVersion(newest: 0, count: 0) }
    func add(_ listener: any JournalListener) {}
    func nodes() -> [JournalNode] {
        [
            JournalNode(name: "north", build: "1", since: 1_000, until: 9_000),
            JournalNode(name: "south", build: "2", since: 2_000, until: 9_000),
        ]
    }
}
