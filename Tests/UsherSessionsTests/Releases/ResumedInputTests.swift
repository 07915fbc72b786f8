import Programs
import Synchronization
import Testing
import Usher
import UsherJournal
import UsherSQLite

@testable import UsherSessions

@Suite("The first input of a session that has resumed", .timeLimit(.minutes(2)))
struct ResumedInputTests {
    private let clock = ManualClock()

    @Test func `the first input and the resumption are written in one change, which a crash cannot divide`()
        async throws
    {
        let journal = BrittleJournal()
        let id = try await session(on: journal)
        let session = registry(NewBooth.self, on: journal).find(id)
        #expect(try await session.snapshot().text.contains("resumed"))
        clock.advance(by: 30_000)
        journal.hold()
        let answer = Task { try await session.send(#"{"event":{"note":{"_0":"n"}}}"#) }
        while journal.waiting == 0 { await Task.yield() }
        #expect(journal.writeWaiting() == id.key)
        let entries = try #require(try journal.memory.record(of: id.key)).entries
        #expect(entries.dropFirst(3).map(\.summary) == ["divergence", "timer", "timer", "event note"])
        journal.isBroken.store(true, ordering: .relaxed)
        journal.release()
        await #expect(throws: SessionError.self) { try await answer.value }
    }

    @Test func `if the first input cannot be written, the earlier build still restores the session unchanged`()
        async throws
    {
        let journal = BrittleJournal()
        let id = try await session(on: journal)
        let before = try await registry(OldBooth.self, on: journal, build: 1).snapshot(of: id)
        let session = registry(NewBooth.self, on: journal).find(id)
        let look = try await session.snapshot()
        clock.advance(by: 30_000)
        journal.failOnce()
        let error = try await session.error(of: #"{"event":{"note":{"_0":"n"}}}"#)
        #expect(error != nil)
        #expect(try await session.snapshot().text == look.text)
        #expect(try await registry(OldBooth.self, on: journal, build: 1).snapshot(of: id).text == before.text)
    }

    @Test func `timers that are due fire before the first input, in the order of their times`() async throws {
        let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
        func open() throws -> BatchedJournal {
            try SQLiteJournal.open(folder("journal.db"), durability: .sync, now: { 0 })
        }
        var journal = try open()
        let id = try await session(on: journal)
        await journal.close()
        journal = try open()
        let session = registry(NewBooth.self, on: journal).find(id)
        #expect(try await session.snapshot().text.contains(#""log":[]"#))
        clock.advance(by: 30_000)
        let walked = try await session.send(#"{"event":{"note":{"_0":"n"}}}"#)
        #expect(walked.text.contains(#""log":["10","20","n"]"#), "\(walked.text)")
        #expect(walked.text.contains(#""resumed":{"revision":2"#))
        await journal.close()
        journal = try open()
        #expect(try await registry(NewBooth.self, on: journal).snapshot(of: id).text == walked.text)
        await journal.close()
    }

    @Test func `if a due timer shows a screen above another, the first input to the covered screen is refused`()
        async throws
    {
        let journal = MemoryJournal()
        let id = try await session(#"{"cover":{"_0":20}}"#, on: journal)
        let session = registry(NewBooth.self, on: journal).find(id)
        _ = try await session.snapshot()
        clock.advance(by: 30_000)
        let error = try await session.error(of: #"{"screen":1,"event":{"note":{"_0":"n"}}}"#)
        guard case .rejected(let rejection, let current)? = error else { throw try #require(error) }
        #expect(rejection.kind == .stale && current.text.contains(#""screen":"cover""#), "\(rejection)")
        let state = try await session.snapshot()
        #expect(state.text == current.text && state.text.contains(#""resumed":{"revision":2"#), "\(state.text)")
        let entries = try #require(try journal.record(of: id.key)).entries
        #expect(entries.dropFirst(3).map(\.summary) == ["divergence", "timer"])
        #expect(try await registry(NewBooth.self, on: journal).snapshot(of: id).text == state.text)
    }

    @Test func `a first input whose screen is stale even without the due timers writes nothing`() async throws {
        let journal = MemoryJournal()
        let id = try await session(#"{"cover":{"_0":20}}"#, on: journal)
        let session = registry(NewBooth.self, on: journal).find(id)
        let look = try await session.snapshot()
        clock.advance(by: 30_000)
        #expect(try await session.error(of: #"{"screen":2,"event":"leave"}"#) != nil)
        #expect(try await session.snapshot().text == look.text)
        #expect(try journal.record(of: id.key)?.entries.count == 3)
    }

    @Test func `if the app refuses the first input, neither the due timers nor the resumption are written`()
        async throws
    {
        let journal = MemoryJournal()
        let id = try await session(on: journal)
        let session = registry(NewBooth.self, on: journal).find(id)
        let look = try await session.snapshot()
        clock.advance(by: 30_000)
        #expect(try await session.error(of: #"{"event":"refuse"}"#) != nil)
        #expect(try await session.snapshot().text == look.text)
        #expect(try journal.record(of: id.key)?.entries.count == 3)
    }

    @Test func `the first input fails if its precondition names the state before the due timers fired`() async throws {
        let journal = MemoryJournal()
        let id = try await session(on: journal)
        let session = registry(NewBooth.self, on: journal).find(id)
        let look = try await session.snapshot()
        clock.advance(by: 30_000)
        let precondition = Precondition.revision(oneOf: [look.revision], epoch: look.epoch)
        let error = try await session.error(of: #"{"event":{"note":{"_0":"n"}}}"#, if: precondition)
        guard case .preconditionFailed(let current)? = error else { throw try #require(error) }
        #expect(current.revision == look.revision + 2 && current.text.contains(#""log":["10","20"]"#))
        #expect(try await session.send(#"{"event":{"note":{"_0":"n"}}}"#).text.contains(#"["10","20","n"]"#))
    }

    @Test func `if a due timer's closure fails, the timer fires after the first input`() async throws {
        let journal = MemoryJournal()
        let id = try await session(#"{"fail":{"_0":20}}"#, on: journal)
        let session = registry(NewBooth.self, on: journal).find(id)
        _ = try await session.snapshot()
        clock.advance(by: 30_000)
        let sent = Task { try await session.send(#"{"event":{"note":{"_0":"n"}}}"#) }
        // After an input that broke the tree, the session's next input waits.
        while !sent.isCancelled, try journal.record(of: id.key)?.entries.count == 3 {
            clock.advance(by: 1_000)
            await Task.yield()
        }
        #expect(try await sent.value.text.contains(#""log":["n"]"#))
        while try journal.record(of: id.key)?.entries.count == 5 {
            clock.advance(by: 1_000)
            await Task.yield()
        }
        let entries = try #require(try journal.record(of: id.key)).entries
        #expect(entries.dropFirst(3).map(\.summary) == ["divergence", "event note", "refused"])
    }

    @Test(arguments: JournalKind.available, ["note", "quit", "again"])
    func `the first input is written together with the resumption, even if it ends or restarts the session`(
        on kind: JournalKind, event: String
    ) async throws {
        try await ShopServers.use(kind) { servers in
            let id = try await servers.start(Booth<OldBooth>.self, build: 1).open("booth").session.walking().id
            let new = try await servers.start(Booth<NewBooth>.self, build: 2)
            #expect(try await new.snapshot(of: id).text.contains("resumed"))
            let walked = try await new.find(id).send(
                event == "note" ? #"{"event":{"note":{"_0":"n"}}}"# : #"{"event":"\#(event)"}"#)
            #expect(walked.revision == 5)
            let record = try #require(try await new.settings.journal.record(of: id.key))
            #expect(record.head.revision == 5)
            switch event {
            case "note": #expect(record.entries.map(\.kind).suffix(2) == [.divergence, .input])
            case "again": #expect(record.entries.map(\.kind) == [.creation])
            default: #expect(walked.ending != nil && record.head.ending != nil && record.entries.isEmpty)
            }
            guard event != "quit" else { return }
            let again = try await servers.start(Booth<NewBooth>.self, build: 2).snapshot(of: id)
            #expect(try again.displayedIDs == walked.displayedIDs && again.revision == 5)
        }
    }

    /// A session of the old build in which timers run, and in which the new build goes back by one input.
    private func session(
        _ timers: String = #"{"log":{"_0":20,"_1":10}}"#, on journal: some Journal
    ) async throws -> SessionID {
        try await registry(OldBooth.self, on: journal, build: 1).open("booth").session.walking(timers).id
    }

    private func registry<Release: BoothRelease>(
        _ release: Release.Type, on journal: some Journal, build: UInt64 = 2
    ) -> SessionRegistry {
        // The old build has a clock of its own, which stands still, so that none of its timers fires.
        SessionRegistry(
            apps: [Booth<Release>.self], journal: journal, clock: build == 1 ? ManualClock() : clock,
            crashes: CrashSettings(build: { build }))
    }
}

extension Session {
    /// Goes to where the builds of the booth differ.
    fileprivate func walking(_ timers: String = #"{"log":{"_0":600,"_1":600}}"#) async throws -> Session {
        try await send(#"{"event":\#(timers)}"#)
        try await send(#"{"event":"go"}"#)
        return self
    }
}
