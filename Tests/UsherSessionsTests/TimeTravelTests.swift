import Testing
import Usher
import UsherJSON
import UsherJournal
import UsherSessions

@Suite("Time travel")
struct TimeTravelTests {
    private let clock = ManualClock()
    private let registry: SessionRegistry

    init() {
        registry = SessionRegistry(
            apps: [LedgerApp.self, FirstBuild.self], clock: clock, random: CountingRandom())
    }

    @Test func `every revision can be shown as it was`() async throws {
        let session = try await registry.open("ledger", options: Array(#"{"owner":"kim"}"#.utf8)).session
        var states = [try await session.snapshot().text]
        for event in [#"{"add":{"_0":"tea"}}"#, #""roll""#, #""roll""#, #"{"add":{"_0":"milk"}}"#] {
            clock.advance(by: 1_000)
            states.append(try await session.send(#"{"event":\#(event)}"#).text)
        }
        for (index, state) in states.enumerated() {
            let then = try await registry.state(of: session.id, at: index + 1)
            #expect(String(decoding: then, as: UTF8.self) == state)
        }
        #expect(try await session.snapshot().text == states.last)
    }

    @Test(arguments: [2, 3, 7, 10, 100])
    func `a history of many revisions contains some of them, and each revision with a leak`(limit: Int)
        async throws
    {
        let session = try await registry.open("ledger").session
        for revision in 2...40 {
            try await session.send([9, 23].contains(revision) ? #"{"event":"leak"}"# : #"{"event":"roll"}"#)
        }
        let points = try await registry.memoryHistory(of: session.id, limit: limit)
        let revisions = points.map(\.revision)
        #expect(revisions == revisions.sorted())
        #expect(revisions.first == 1 && revisions.last == 40)
        #expect(revisions.contains(9) && revisions.contains(23))
        #expect(points.count <= min(40, limit + 2))
        #expect(points.map(\.coordinators.leaked) == revisions.map { $0 < 9 ? 0 : $0 < 23 ? 1 : 2 })
        #expect(points.allSatisfy { $0.coordinators.live == 1 })
    }

    @Test(arguments: [(0, 40), (20, 30), (39, 40), (40, 40), (0, 1), (.max, 40)])
    func `the history of memory in a range of revisions has figures for each revision`(
        after place: Int, through last: Int
    )
        async throws
    {
        let session = try await registry.open("ledger").session
        for _ in 2...40 { try await session.send(#"{"event":"roll"}"#) }
        let range = try await registry.memoryHistory(of: session.id, after: place, through: last, limit: 100)
        #expect(range.map(\.revision) == (1...last).filter { $0 > place })
        let all = try await registry.memoryHistory(of: session.id, limit: 100)
        #expect(range == all.filter { $0.revision > place && $0.revision <= last })
    }

    @Test(arguments: [0, -1, 3, .max, .min])
    func `a request for a revision that the session does not have is refused`(revision: Int) async throws {
        let session = try await registry.open("ledger").session
        try await session.send(#"{"event":"roll"}"#)
        await #expect { try await registry.state(of: session.id, at: revision) } throws: { error in
            guard case SessionError.noRevision(let reason) = error else { return false }
            return reason.contains("1 to 2")
        }
        await #expect(throws: SessionError.self) { try await registry.fork(session.id, at: revision) }
        #expect(registry.sessionCount == 1)
    }

    @Test func `a fork begins in the state of the session that it copies, and then both continue separately`()
        async throws
    {
        let session = try await registry.open("ledger", options: Array(#"{"owner":"kim"}"#.utf8)).session
        let then = try await session.send(#"{"event":{"add":{"_0":"tea"}}}"#).text
        try await session.send(#"{"event":{"add":{"_0":"milk"}}}"#)
        let opening = try await registry.fork(session.id, at: 2)
        let (fork, snapshot) = (opening.session, opening.snapshot)
        #expect(fork.id != session.id)
        #expect(snapshot.revision == 2)
        #expect(snapshot.text == then.replacing(session.id.text, with: fork.id.text))
        #expect(try await fork.send(#"{"event":{"add":{"_0":"salt"}}}"#).text.contains("salt"))
        #expect(try await !session.snapshot().text.contains("salt"))
        #expect(try await session.snapshot().revision == 3)
        clock.advance(by: 300_000)
        await registry.sweep()
        #expect(registry.awakeCount == 0)
        #expect(try await registry.snapshot(of: fork.id).text.contains("salt"))
        _ = try await registry.end(fork.id)
        _ = try await registry.end(session.id)
        #expect(registry.liveCoordinators == 0)
    }

    @Test func `a fork of a session counts as another session`() async throws {
        var bounds = SessionRegistry.Configuration()
        bounds.sessionLimit = 1
        let registry = SessionRegistry(apps: [LedgerApp.self], configuration: bounds, clock: clock)
        let session = try await registry.open("ledger").session
        await #expect { try await registry.fork(session.id, at: 1) } throws: { error in
            if case SessionError.full = error { true } else { false }
        }
    }

    @Test func `a request for a revision that this build cannot replay is refused`() async throws {
        let journal = MemoryJournal()
        let old = SessionRegistry(apps: [FirstBuild.self], journal: journal, clock: clock)
        let session = try await old.open("builds").session
        for event in ["walk", "jump"] { try await session.send(#"{"event":"\#(event)"}"#) }
        let new = SessionRegistry(apps: [ChangedBuild.self], journal: journal, clock: clock)
        #expect(try await new.snapshot(of: session.id).revision == 4)
        #expect(try await new.confirmRelease().isEmpty)
        #expect(try await !new.state(of: session.id, at: 2).isEmpty)
        await #expect { try await new.state(of: session.id, at: 3) } throws: { error in
            guard case SessionError.noRevision(let reason) = error else { return false }
            return reason.contains("input 3 (event jump)")
        }
        #expect(try await new.state(of: session.id, at: 4) == new.snapshot(of: session.id).state)
    }
}
