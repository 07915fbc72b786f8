import HelloBye
import Synchronization
import Testing
import UsherHTTP
import UsherJSON
import UsherProcess

@testable import UsherServer

/// Tests of the keeper of the memory budget, with a process whose resident memory never shrinks.
@Suite("The keeper of the memory budget")
struct MemoryKeeperTests {
    /// A process that keeps every page that it ever used, like a heap with something alive on each page.
    private final class StickyProcess: Sendable {
        private let sessions = Atomic(0)
        private let pages = Atomic(0)
        private let other = Atomic(2_000_000)

        /// The number of bytes that each session in memory allocates.
        static let sessionBytes = 5_000
        static let budget = 12_000_000

        /// Allocates memory outside of the heap.
        func take(_ bytes: Int) { other.add(bytes, ordering: .relaxed) }

        func note(awake: Int) { sessions.store(awake, ordering: .relaxed) }

        var use: MemoryUse {
            let allocated = 500_000 + sessions.load(ordering: .relaxed) * Self.sessionBytes
            let resident = pages.max(allocated / 10 * 12, ordering: .relaxed).newValue
            return MemoryUse(
                bytes: other.load(ordering: .relaxed) + resident,
                heap: HeapUse(allocatedBytes: allocated, residentBytes: resident))
        }
    }

    private let clock = SteadyClock()
    private let process = StickyProcess()
    private let application: Application
    private let stage: Stage

    init() {
        var options = ServeOptions.test
        options.memory = StickyProcess.budget
        options.idleAfter = .seconds(600)
        let environment = ServerEnvironment(clock: clock, usedMemory: { [process] in process.use }, giveBack: {})
        let application = Application(
            apps: [HelloByeApp.self], options: options, environment: environment, log: Log(.text, sink: { _ in }))
        self.application = application
        stage = Stage(lines: LogLines()) { await application.respond(to: $0) }
    }

    /// Makes the keeper check as often as in a second.
    private func passSecond() async throws {
        for _ in 0..<10 {
            process.note(awake: try await awakeCount())
            application.memory.look()
        }
        clock.advance(by: 1_000)
    }

    private func awakeCount() async throws -> Int {
        Int(try await stage.samples()[#"usher_sessions{state="awake"}"#] ?? 0)
    }

    private func open(_ count: Int) async throws -> [Walk] {
        var walks: [Walk] = []
        for _ in 0..<count { walks.append(try await stage.open("hello-bye")) }
        return walks
    }

    @Test func `if there is memory for twice the sessions in use, no session in use hibernates`() async throws {
        let all = try await open(1_200)
        clock.advance(by: 10_001)
        let used = stride(from: 0, to: all.count, by: 3).map { all[$0] }
        for round in 0..<30 {
            for walk in used { #expect(try await walk.state().status == 200) }
            // In the meantime, other sessions come and go.
            if round > 2 { _ = try await open(20) }
            try await passSecond()
        }
        let samples = try await stage.samples()
        #expect(samples[#"usher_sessions_woken_total{app="hello-bye"}"#] == 0)
        #expect(
            samples[#"usher_sessions_hibernated_total{app="hello-bye"}"#] ?? 0 > 100,
            "unused sessions hibernate to make room")
        #expect(samples[#"usher_sessions{state="awake"}"#] ?? 0 > 600, "no more sessions hibernate than necessary")
        #expect(process.use.bytes > StickyProcess.budget / 10 * 7, "resident memory has not fallen")
        #expect(samples["usher_memory_used_bytes"] ?? 0 < Double(StickyProcess.budget) / 10 * 7)
    }

    @Test func `if memory is short, a burst of large new sessions is refused before memory is measured again`()
        async throws
    {
        _ = try await open(1)
        try await passSecond()
        let blanks = String(repeating: " ", count: 60_000)
        let body = #"{"app":"hello-bye","options":{\#(blanks)"greeting":true}}"#
        var opened = 0
        while opened < 1_000, try await stage.request(.post, "/sessions", body: body).status == 201 {
            opened += 1
            process.take(200_000)
        }
        // The limit is 80 % of the budget, less the memory that one opening may take.
        #expect((20...35).contains(opened))
        let refused = try await stage.request(.post, "/sessions", body: body)
        #expect(refused.status == 503)
        #expect(refused["type"]?.string == "urn:usher:problem:server-full")
        #expect(try await stage.samples()[#"usher_refused_total{limit="server",work="session"}"#] == 2)
    }

    @Test func `memory that a new session reserved but did not need is available to the next session at once`()
        async throws
    {
        _ = try await open(1)
        try await passSecond()
        // Each session is expected to take 16 KiB, but takes less than half, so there is no check in between.
        for count in 1...700 {
            let answer = try await stage.request(.post, "/sessions", body: #"{"app":"hello-bye"}"#)
            #expect(answer.status == 201)
            process.note(awake: count)
        }
    }

    @Test func `sessions in use hibernate only at the memory limit, and only as many as needed`() async throws {
        _ = try await open(1_450)
        try await passSecond()
        #expect(process.use.bytes > StickyProcess.budget / 10 * 9)
        #expect(try await awakeCount() == 1_450)
        process.take(1_000_000)
        try await passSecond()
        let awake = try await awakeCount()
        #expect((690..<1_000).contains(awake))
        // Freed memory becomes visible only after some time.
        try await passSecond()
        #expect(try await awakeCount() == awake)
    }
}
