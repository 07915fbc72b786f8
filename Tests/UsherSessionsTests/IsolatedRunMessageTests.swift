import HelloBye
import Testing
import Usher
import UsherJournal
import UsherSessions

@Suite("The message of an isolated run")
struct IsolatedRunMessageTests {
    @Test func `the message of an isolated run is the same after writing and reading it`() async throws {
        for run in [try await Self.run(), Self.creation] {
            let bytes = run.message
            #expect(try IsolatedRun.length(bytes.prefix(4)) == bytes.count - 4)
            let read = try IsolatedRun(message: Array(bytes.dropFirst(4)))
            #expect(read.session == run.session)
            #expect(read.app == run.app)
            #expect(read.entries == run.entries)
            #expect(read.input == run.input)
            #expect(read.copiedAt == run.copiedAt)
            #expect(read.showsState == run.showsState)
        }
    }

    @Test func `bytes that are not the message of an isolated run are refused without a trap`() async throws {
        for run in [try await Self.run(), Self.creation] {
            let body = Array(run.message.dropFirst(4))
            for count in body.indices {
                #expect(throws: IsolatedRun.Malformed.self) { try IsolatedRun(message: Array(body.prefix(count))) }
            }
            for index in body.indices {
                var changed = body
                changed[index] ^= 0x55
                _ = try? IsolatedRun(message: changed)
            }
        }
        #expect(throws: IsolatedRun.Malformed.self) { try IsolatedRun.length([255, 255, 255, 255]) }
    }

    private static let creation = IsolatedRun(
        creating: Entry(Array(#"{"app":"hello-bye","seed":1,"options":{}}"#.utf8), .creation, upon: 0, at: 7),
        of: "hello-bye")

    private static func run() async throws -> IsolatedRun {
        let journal = MemoryJournal()
        let registry = SessionRegistry(apps: [HelloByeApp.self], journal: journal, clock: SteadyClock())
        let session = try await registry.open("hello-bye").session
        let record = try #require(try journal.record(of: session.id.journalKey))
        let input = Entry(Array(#"{"timer":"1.1"}"#.utf8), .inputKeepingLink, upon: 1, at: 5)
        return IsolatedRun(
            of: session.id, "hello-bye", record.entries, input: input, copiedAt: Timestamp(milliseconds: -5),
            showsState: true)
    }

    private struct SteadyClock: Clock {
        func now() -> Timestamp { Timestamp(milliseconds: 0) }
        func sleep(until time: Timestamp) async throws {}
    }
}
