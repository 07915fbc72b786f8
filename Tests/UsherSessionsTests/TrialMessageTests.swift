import HelloBye
import Testing
import Usher
import UsherJournal
import UsherSessions

@Suite("A trial's message")
struct TrialMessageTests {
    @Test func `a trial is read as it was written`() async throws {
        let trial = try await Self.trial(.drop("no \"host\""))
        let bytes = TrialMessage.bytes(of: trial)
        #expect(try TrialMessage.length(bytes.prefix(4)) == bytes.count - 4)
        let read = try TrialMessage.trial(Array(bytes.dropFirst(4)))
        #expect(read.session == trial.session)
        #expect(read.app == trial.app)
        #expect(read.record?.entries == trial.record?.entries)
        #expect(read.input?.kind == .timer)
        #expect(read.input?.revision == 1)
        #expect(read.input?.payload == Array(#"{"timer":"1.1"}"#.utf8))
        #expect(read.input?.time == Timestamp(milliseconds: -5))
        #expect(read.input?.link == .drop("no \"host\""))
    }

    @Test func `no bytes but those of a trial are read, and none crash`() async throws {
        let body = Array(TrialMessage.bytes(of: try await Self.trial(.keep)).dropFirst(4))
        for count in body.indices {
            #expect(throws: TrialMessage.Malformed.self) { try TrialMessage.trial(Array(body.prefix(count))) }
        }
        for index in body.indices {
            var changed = body
            changed[index] ^= 0x55
            _ = try? TrialMessage.trial(changed)
        }
        #expect(throws: TrialMessage.Malformed.self) { try TrialMessage.length([255, 255, 255, 255]) }
    }

    private static func trial(_ link: LinkHandling) async throws -> Trial {
        let journal = MemoryJournal()
        let registry = SessionRegistry(apps: [HelloByeApp.self], journal: journal, clock: SteadyClock())
        let session = try await registry.open("hello-bye").session
        let record = try #require(try journal.record(of: session.id.journalKey))
        let input = TrialInput(
            .timer, upon: 1, payload: Array(#"{"timer":"1.1"}"#.utf8), time: Timestamp(milliseconds: -5), link: link)
        return Trial(of: session.id, record, input: input)
    }

    private struct SteadyClock: Clock {
        func now() -> Timestamp { Timestamp(milliseconds: 0) }
        func sleep(until time: Timestamp) async throws {}
    }
}
