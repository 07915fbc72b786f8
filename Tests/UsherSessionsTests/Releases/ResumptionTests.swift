import Programs
import Synchronization
import Testing
import Usher
import UsherJSON
import UsherJournal
import UsherProcess

@testable import UsherSessions

@Suite("A session that has resumed at an earlier revision", .timeLimit(.minutes(1)))
struct ResumptionTests {
    private let journal = MemoryJournal()
    private let clock = ManualClock()
    /// The clock of a build that has gone: no timer of its sessions fires.
    private let formerClock = ManualClock()

    private static let dropped =
        #""dropped":{"inputs":4,"messages":1,"results":["charge","ask"],"effects":["brew"],"timers":["cafe table"]}}"#

    @Test func `the state lists the inputs, messages, results, effects and timers that the resumption dropped`()
        async throws
    {
        let visit = try await visit()
        let state = try await registry(CafeWithBar.self, build: 2).snapshot(of: visit.id)
        #expect(state.revision == 11)
        #expect(
            state.text.contains(
                #""resumed":{"revision":3,"reason":"input 4 (event sit) once led to the screen table 2, "#
                    + #"and now to the screen bar 2","# + Self.dropped), "\(state.text)")
        #expect(!state.text.contains("warnings"))
    }

    @Test func `the list of what was dropped stays in the state until a client's input is answered`() async throws {
        let id = try await visit().id
        let registry = registry(CafeWithBar.self, build: 2)
        let session = registry.find(id)
        try await session.tell("hello")
        try await session.settle { $0.contains(#""answers":1"#) }
        #expect(try await session.snapshot().text.contains(Self.dropped))
        clock.advance(by: 60_000)
        try await session.settle { $0.contains(#""calls":1"#) }
        let state = try await session.snapshot()
        #expect(state.text.contains(Self.dropped))
        #expect(try await self.registry(CafeWithBar.self, build: 2).snapshot(of: id).text == state.text)
        #expect(try await session.error(of: #"{"event":"nonsense"}"#) != nil)
        #expect(try await session.snapshot().text == state.text, "a refused input does not end the notice")
        #expect(try await session.send(#"{"event":"look"}"#).text.contains(Self.dropped))
        #expect(try await !session.send(#"{"event":"look"}"#).text.contains("resumed"))
        #expect(try await !session.snapshot().text.contains("resumed"))
        #expect(try await !self.registry(CafeWithBar.self, build: 2).snapshot(of: id).text.contains("resumed"))
    }

    @Test
    func `only the answer to a client's first input reports the resumption`()
        async throws
    {
        let id = try await visit().id
        let session = registry(CafeWithBar.self, build: 2).find(id)
        let first = try await session.send(#"{"event":"look"}"#)
        #expect(first.text.contains(Self.dropped))
        #expect(try await registry(CafeWithBar.self, build: 2).snapshot(of: id).text == first.text)
        try await session.tell("hello")
        try await session.settle { $0.contains(#""answers":1"#) }
        #expect(try await session.snapshot().text.contains(Self.dropped))
        let second = try await session.send(#"{"event":"look"}"#)
        #expect(!second.text.contains("resumed"))
        #expect(try await registry(CafeWithBar.self, build: 2).snapshot(of: id).text == second.text)
    }

    @Test func `a secret of the first input, which also writes the resumption, is erased at once`() async throws {
        let id = try await visit().id
        let session = registry(CafeWithBar.self, build: 2).find(id)
        try await session.send(#"{"event":{"whisper":{"_0":"sesame"}}}"#)
        let entries = try #require(try journal.record(of: id.key)).entries
        #expect(entries.map(\.kind).suffix(2) == [.divergence, .input])
        #expect(entries.last?.isErased == true)
        #expect(!entries.contains { String(decoding: $0.payload, as: UTF8.self).contains("sesame") })
    }

    @Test func `a repeated key of an input that was dropped still gets the stored answer unchanged`() async throws {
        let visit = try await visit()
        let registry = registry(CafeWithBar.self, build: 2)
        for isWritten in [false, true] {
            if isWritten { try await registry.find(visit.id).send(#"{"event":"look"}"#) }
            let count = try await registry.entries(of: visit.id).count
            let again = try await registry.handle(visit.payment, on: visit.id)
            #expect(again.isReplayed)
            #expect(again.text == visit.paid.text)
            #expect(try await registry.entries(of: visit.id).count == count)
        }
    }

    @Test func `the root coordinator is notified of a resumption, and its new effects begin with the next input`()
        async throws
    {
        let visit = try await visit()
        let registry = registry(CafeThatOffers.self, build: 2)
        let session = registry.find(visit.id)
        let resumed = try await session.snapshot()
        #expect(resumed.text.contains(#""screen":"offer""#) && resumed.text.contains(#""pending":["timer","log"]"#))
        #expect(resumed.text.contains(#""state":{"inputs":4,"results":["charge","ask"]}"#), "\(resumed.text)")
        #expect(resumed.text.contains(#""changes":[{"replace":{"out":[2],"in":[1,3]}}]"#), "\(resumed.text)")
        #expect(try await registry.entries(of: visit.id).count == 10)
        // The old build can still restore the session.
        let old = self.registry(CafeWithTables.self, build: 1)
        #expect(try await old.snapshot(of: visit.id).text == visit.last.text)

        try await session.tell("hello")
        try await session.settle { $0.contains(#""answers":1"#) && $0.contains(#""calls":10"#) }
        let entries = try await registry.entries(of: visit.id)
        #expect(entries.map(\.kind).dropFirst(10) == [.divergence, .input, .input, .input])
        #expect(String(decoding: entries[10].facts, as: UTF8.self).contains(#""id":"11.1","name":"log""#))
        let again = self.registry(CafeThatOffers.self, build: 2)
        #expect(try await again.snapshot(of: visit.id).text == session.snapshot().text)
    }

    @Test
    func `before a resumption is written, the entity tag changes if the state that is shown changes`()
        async throws
    {
        let id = try await visit().id
        func state() async throws -> Snapshot { try await registry(CafeThatTellsTime.self, build: 2).snapshot(of: id) }
        let first = try await state()
        #expect(try await state().epoch == first.epoch)
        clock.advance(by: 1_000)
        let later = try await state()
        #expect(later.text != first.text && later.revision == first.revision)
        #expect(later.epoch != first.epoch)
    }

    @Test func `another build whose root coordinator reacts in the same way restores the same state and ids`()
        async throws
    {
        let id = try await visit().id
        let first = registry(CafeThatOffers.self, build: 2)
        try await first.find(id).tell("hello")
        try await first.find(id).settle { $0.contains(#""answers":1"#) && $0.contains(#""calls":10"#) }
        let text = try await first.snapshot(of: id).text
        let other = registry(CafeThatOffers.self, build: 3)
        #expect(try await other.snapshot(of: id).text == text)
        #expect(try await other.find(id).send(#"{"screen":3,"event":"okay"}"#).revision == 15)
    }

    @Test
    func `another build whose root coordinator reacts differently resumes the session earlier and reports all losses`()
        async throws
    {
        let id = try await visit().id
        let first = registry(CafeThatOffers.self, build: 2)
        try await first.find(id).send(#"{"event":"okay"}"#)
        try await first.find(id).settle { $0.contains(#""calls":10"#) }
        let text = try await registry(CafeThatApologizes.self, build: 3).snapshot(of: id).text
        #expect(text.contains(#""screen":"apology""#))
        #expect(text.contains(#""revision":3,"reason":"input 11 (divergence) once led to the screen offer 3"#))
        #expect(text.contains(#""dropped":{"inputs":5,"messages":1,"results":["charge","ask","log"],"#), "\(text)")
    }

    @Test func `if a session resumes at its beginning, its root coordinator is notified after its start`() async throws
    {
        let id = try await visit().id
        let session = registry(CafeWithoutMenu.self, build: 2).find(id)
        let state = try await session.snapshot()
        #expect(state.text.contains(#""revision":0,"reason":"input 1 (create) once led to the screen menu 1"#))
        #expect(
            state.text.contains(
                #""dropped":{"inputs":6,"messages":1,"results":["charge","ask"],"effects":["brew"],"#
                    + #""timers":["cafe menu","cafe table"]}"#), "\(state.text)")
        #expect(state.text.contains(#""changes":[{"replace":{"out":[2,1],"in":[3,4]}}]"#), "\(state.text)")
        let walked = try await session.send(#"{"event":"okay"}"#)
        #expect(walked.text.contains(#""changes":[{"pop":[4]}]"#), "\(walked.text)")
        #expect(try await registry(CafeWithoutMenu.self, build: 2).snapshot(of: id).text == walked.text)
    }

    @Test func `a session that has resumed at its beginning can resume again at a later revision`() async throws {
        let id = try await visit().id
        let session = registry(CafeWithoutMenu.self, build: 2).find(id)
        let inputs = [#"{"event":"okay"}"#, #"{"event":"leave"}"#]
        for input in inputs { try await session.send(input) }
        let resumed = try await registry(CafeThatThanks.self, build: 3).snapshot(of: id)
        #expect(
            resumed.text.contains(#""resumed":{"revision":12,"reason":"input 13 (event leave) "#), "\(resumed.text)")
        let walked = try await registry(CafeThatThanks.self, build: 3).find(id).send(#"{"event":"okay"}"#)
        #expect(try await registry(CafeThatThanks.self, build: 3).snapshot(of: id).text == walked.text)
    }

    @Test func `an export of the session repeats the notification and then the later inputs`() async throws {
        let id = try await visit().id
        let registry = registry(CafeThatOffers.self, build: 2)
        try await registry.find(id).send(#"{"event":"okay"}"#)
        try await registry.find(id).settle { $0.contains(#""calls":10"#) }
        let exported = try ExportedSession(
            try await registry.entries(of: id), apps: [Cafe<CafeThatOffers>.self])
        #expect(exported.steps.map(\.kind) == [.action, .action, .resumption, .action, .result])
        #expect(
            exported.steps.map(\.expectation.stacks) == [
                "n[menu]", "n[menu]", "n[menu, offer]", "n[menu]", "n[menu]",
            ])
    }

    @Test(arguments: [CafeReaction.refuse, .end])
    func `if the root coordinator refuses the notification, nothing changes, and the state has a warning`(
        reaction: CafeReaction
    ) async throws {
        let id = try await visit().id
        func registry() -> SessionRegistry {
            reaction == .end
                ? self.registry(CafeThatEnds.self, build: 2) : self.registry(CafeThatRefuses.self, build: 2)
        }
        let session = registry().find(id)
        let state = try await session.snapshot()
        #expect(state.text.contains(#""warnings":["didResume(dropped:) was refused: "#), "\(state.text)")
        #expect(state.text.contains(Self.dropped))
        #expect(!state.text.contains("apology") && !state.text.contains("ended"))
        let walked = try await session.send(#"{"event":"look"}"#)
        #expect(walked.revision == 12)
        #expect(try await registry().snapshot(of: id).text == walked.text)
    }

    @Test func `a crash during the notification counts as a crash of the session's replay`()
        async throws
    {
        let visit = try await visit()
        let folder = try TemporaryFolder()
        let record = try FlightRecord(at: folder("SLOTS"))
        FlightReport.record.withLock { $0 = record }
        defer { FlightReport.record.withLock { $0 = nil } }
        let registry = SessionRegistry(
            apps: [Cafe<CafeThatReports>.self], journal: journal, clock: clock, crashes: CrashSettings(build: { 2 }),
            flight: record)
        #expect(try await registry.snapshot(of: visit.id).revision == 11)
        let mark = try #require(FlightReport.marks.withLock { $0 }.first)
        #expect(mark.kind == .replay && mark.revision == 10 && mark.session.high == visit.id.key.high)
        #expect(record.marks.isEmpty)
    }

    /// A session in which four inputs, a message and two results follow the last revision on which all builds agree.
    private func visit() async throws -> Visit {
        let registry = registry(CafeWithTables.self, build: 1)
        let session = try await registry.open("cafe").session
        for event in ["look", "soon", "sit"] { try await session.send(#"{"event":"\#(event)"}"#) }
        let payment = InputRequest(
            try action(#"{"event":"pay"}"#), key: IdempotencyKey("pay", fingerprint: 1))
        let paid = try await session.handle(payment)
        try await session.settle { !$0.contains("charge") }
        try await session.send(#"{"event":{"brew":{"account":"slow \#(session.id.text)"}}}"#)
        try await session.send(#"{"event":"wait"}"#)
        try await session.tell("hello")
        try await session.settle { $0.contains(#""answers":1"#) }
        let last = try await session.snapshot()
        #expect(last.revision == 10)
        return Visit(id: session.id, payment: payment, paid: paid, last: last)
    }

    private struct Visit {
        let id: SessionID
        let payment: InputRequest
        let paid: Snapshot
        let last: Snapshot
    }

    private func registry<Release: CafeRelease>(_ release: Release.Type, build: UInt64) -> SessionRegistry {
        SessionRegistry(
            apps: [Cafe<Release>.self], journal: journal, clock: build == 1 ? formerClock : clock,
            crashes: CrashSettings(build: { build }))
    }
}

extension Session {
    /// Sends a message as a backend would.
    fileprivate func tell(_ message: String) async throws {
        let json = try JSONDocument(parsing: Array(#""\#(message)""#.utf8)).root
        _ = try await handle(InputRequest(.message(json)))
    }
}
