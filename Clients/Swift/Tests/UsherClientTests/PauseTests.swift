import Foundation
import Testing

@testable import UsherClient

/// Tests of the pauses that a server asks for.
struct PauseTests {
    /// Returns the pauses of a session after the server has rejected an input once with these header fields.
    private static func pauses(_ headers: [String: String]) async throws -> [Duration] {
        let clock = HastyClock(divisor: 1_000_000)
        let transport = ScriptedTransport { request, count in
            if request.isOpening { return .json(state(1), status: 201) }
            return count == 2 ? .refusal(503, "server-full", headers: headers) : .json(state(2))
        }
        let settings = Session.Settings.scripted(transport, clock: clock, isWatching: false)
        try await Session.open("a", on: server, settings: settings).back()
        return clock.pauses
    }

    @Test("Retry-After may be a date, relative to the server's Date")
    func date() async throws {
        let pauses = try await Self.pauses([
            "Date": "Wed, 21 Oct 2026 07:28:00 GMT", "Retry-After": "Wed, 21 Oct 2026 07:28:03 GMT",
        ])
        #expect(pauses.count == 1 && pauses[0] > .milliseconds(2_900) && pauses[0] < .milliseconds(3_500))
    }

    @Test(
        "a Retry-After that is malformed or in the past is ignored",
        arguments: ["Wed, 21 Oct 2015 07:28:00 GMT", "soon", "-1", "", "٣"])
    func nothing(words: String) async throws {
        let pauses = try await Self.pauses(["Date": "Wed, 21 Oct 2026 07:28:00 GMT", "Retry-After": words])
        #expect(pauses.count == 1 && pauses[0] <= .milliseconds(400))
    }

    @Test(
        "a pause lasts at most an hour", .timeLimit(.minutes(5)),
        arguments: ["7200", "99999999999", String(repeating: "9", count: 400)])
    func bound(seconds: String) async throws {
        let pauses = try await Self.pauses(["Retry-After": seconds])
        #expect(pauses.count == 1 && pauses[0] > .seconds(3_599) && pauses[0] < .seconds(3_601))
    }

    @Test("a stream's retry time is at most an hour")
    func stream() async throws {
        let clock = HastyClock(divisor: 1_000_000)
        let live = ScriptedStream(state(1))
        let transport = ScriptedTransport { request, count in
            if request.isOpening { return .json(state(1), status: 201) }
            return count == 2 ? live.response : ScriptedStream(state(3)).response
        }
        let session = try await Session.open("a", on: server, settings: .scripted(transport, clock: clock))
        live.write("retry: 4294967295\n\n")
        live.tell(state(2))
        await until(session, { $0.state.revision == 2 }, "it is read")
        live.fail()
        await until(session, { $0.state.revision == 3 }, "it follows again")
        #expect(clock.pauses.contains { $0 > .seconds(3_599) && $0 < .seconds(3_601) })
        session.close()
    }
}
