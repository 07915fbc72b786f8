import Foundation
import Testing
import Usher
import UsherJournal
import UsherMetrics
import UsherProcess

@testable import UsherSessions

/// A session whose handler runs, and runs: nobody else loses a thread to it.
@Suite("A session whose handler takes long", .serialized, .timeLimit(.minutes(5)))
struct BusySessionTests {
    private let clock = ManualClock()
    private let registry: SessionRegistry

    init() {
        var configuration = SessionRegistry.Configuration()
        configuration.idleTime = .seconds(1)
        configuration.expiryTime = .seconds(10)
        registry = SessionRegistry(apps: [HeldApp.self], configuration: configuration, clock: clock)
    }

    /// Opens a session, has a handler hold it on a thread of its own, and lets that go after a body.
    private func hold(_ body: (Session) async throws -> Void) async throws {
        let session = try await registry.open("held").session
        let request = InputRequest(try action(#"{"event":"hold"}"#))
        let thread = Thread { [registry] in _ = registry.answer(to: request, on: session.id) }
        thread.start()
        await withCheckedContinuation { began in
            Thread {
                Hold.began.wait()
                began.resume()
            }.start()
        }
        do {
            try await body(session)
        } catch {
            Hold.mayEnd.signal()
            throw error
        }
    }

    private func forgetBeginnings() {
        while Hold.began.wait(timeout: .now()) == .success {}
    }

    /// Waits until so many requests wait for a session's lock.
    private func wait(for count: Int, on session: Session) async {
        while session.queue.length < count { await Task.yield() }
    }

    @Test func `requests to a busy session wait without occupying a thread, and other sessions continue`() async throws
    {
        try await hold { session in
            // These are more requests than the process has threads.
            let looks = (0..<100).map { _ in Task { try await registry.snapshot(of: session.id) } }
            await wait(for: 100, on: session)
            let other = try await registry.open("held").session
            let answer = try await other.send(#"{"event":{"note":{"_0":1}}}"#)
            #expect(answer.revision == 2)
            Hold.mayEnd.signal()
            for look in looks {
                let revision = try await look.value.revision
                #expect(revision == 2)
            }
        }
    }

    @Test func `waiting inputs are handled in the order of arrival`() async throws {
        try await hold { session in
            var inputs: [Task<Snapshot, any Error>] = []
            for number in 1...20 {
                inputs.append(Task { try await session.send(#"{"event":{"note":{"_0":\#(number)}}}"#) })
                await wait(for: number, on: session)
            }
            Hold.mayEnd.signal()
            var revisions: [Int] = []
            for input in inputs { revisions.append(try await input.value.revision) }
            #expect(revisions == Array(3...22))
            let notes = (1...20).map { "\($0)" }.joined(separator: ",")
            let text = try await session.snapshot().text
            #expect(text.contains(#""notes":[\#(notes)]"#))
            #expect(session.isUncontended)
        }
    }

    @Test func `a busy session is listed as busy, does not delay the metrics, and is not swept`() async throws {
        try await hold { session in
            let other = try await registry.open("held").session
            clock.advance(by: 5_000)
            await registry.sweep()
            let summaries = try await SessionList(of: registry).sessions(matching: SessionQuery(limit: 10)).sessions
            let found = Dictionary(uniqueKeysWithValues: summaries.map { ($0.id, $0.memory) })
            if case .busy? = found[session.id] {} else { Issue.record("it is not busy") }
            if case .asleep? = found[other.id] {} else { Issue.record("the other has not hibernated") }
            clock.advance(by: 20_000)
            Hold.mayEnd.signal()
            var writer = MetricsWriter()
            registry.writeMetrics(into: &writer)
            // Wait for the handler, so that it, and not the next test's handler, receives the signal.
            _ = try await registry.snapshot(of: session.id)
        }
    }

    @Test func `a busy session that is deleted ends when its handler finishes`() async throws {
        try await hold { session in
            let end = Task { try await registry.end(session.id) }
            await wait(for: 1, on: session)
            Hold.mayEnd.signal()
            let leaks = try await end.value
            #expect(leaks.isEmpty)
            await #expect(throws: SessionError.self) { try await registry.snapshot(of: session.id) }
        }
    }

    @Test func `long replays block no other session, even if they occupy all threads that are meant for replays`()
        async throws
    {
        let journal = MemoryJournal()
        let first = SessionRegistry(apps: [HeldApp.self], journal: journal, clock: clock)
        var ids: [SessionID] = []
        for _ in 0..<(2 * ElasticExecutor.processors) {
            let session = try await first.open("held").session
            Hold.mayEnd.signal()
            try await session.send(#"{"event":"hold"}"#)
            forgetBeginnings()
            for number in 1...64 { try await session.send(#"{"event":{"note":{"_0":\#(number)}}}"#) }
            ids.append(session.id)
        }
        let second = SessionRegistry(apps: [HeldApp.self], journal: journal, clock: clock)
        let looks = ids.map { id in Task { try await second.snapshot(of: id).revision } }
        await withCheckedContinuation { held in
            Thread {
                for _ in 0..<ElasticExecutor.processors { Hold.began.wait() }
                held.resume()
            }.start()
        }
        let other = try await second.open("held").session
        #expect(try await other.send(#"{"event":{"note":{"_0":1}}}"#).revision == 2)
        #expect(try journal.record(of: other.id.key)?.head.revision == 2)
        for _ in ids { Hold.mayEnd.signal() }
        for look in looks {
            let revision = try await look.value
            #expect(revision == 66)
        }
        forgetBeginnings()
    }

    @Test func `many tasks that wait for a session's lock get the lock one after the other`() async throws {
        let session = try await registry.open("held").session
        await withTaskGroup { group in
            for _ in 0..<64 {
                group.addTask {
                    for _ in 0..<50 {
                        await session.locked { guarded in
                            let work = guarded.work
                            _ = work.takeSeen(through: work.takeSeen(through: 0).count)
                        }
                        await Task.yield()
                    }
                }
            }
        }
        #expect(session.isUncontended)
        #expect(session.ifFree { _ in true } == true)
    }

    @Test func `reading a session's size does not delay tasks that wait for the session's lock`() async throws {
        let session = try await registry.open("held").session
        let looks = Thread { while !Thread.current.isCancelled { _ = session.size } }
        looks.start()
        defer { looks.cancel() }
        for _ in 0..<10_000 { await session.locked { _ = $0.work } }
        #expect(session.isUncontended)
    }
}

extension Session {
    fileprivate var isUncontended: Bool { queue.isEmpty }
}
