import Foundation
import Synchronization
import Testing

@testable import UsherClient

/// Tests of which states a session accepts.
///
/// The states are of an older run, have a tag that was used before, or are not from the server.
struct FollowingTests {
    typealias Answer = @Sendable (ScriptedTransport.Request) async throws -> TransportResponse

    private static let page: TransportResponse = .text("<h1>Please wait</h1>", status: 200)

    /// Opens a session, and answers all later requests from a script.
    private static func follow(
        first: TransportResponse = .json(state(1), status: 201), isWatching: Bool = true,
        clock: HastyClock = HastyClock(),
        _ answer: @escaping Answer
    ) async throws -> (Session, ScriptedTransport) {
        let transport = ScriptedTransport { request, _ in request.isOpening ? first : try await answer(request) }
        let settings = Session.Settings.scripted(transport, clock: clock, isWatching: isWatching)
        return (try await Session.open("a", on: server, settings: settings), transport)
    }

    /// Returns the answers in order, and then the last answer forever.
    private static func sequence(_ answers: [Answer]) -> Answer {
        let place = Mutex(0)
        return { request in
            let now = place.withLock { place in
                defer { place += 1 }
                return min(place, answers.count - 1)
            }
            return try await answers[now](request)
        }
    }

    private static func forever(_: ScriptedTransport.Request) async throws -> TransportResponse {
        for await _ in AsyncStream<Void>.makeStream().stream {}
        throw CancellationError()
    }

    private static func tagged(_ revision: Int64, _ run: String, isReplayed: Bool = false) -> TransportResponse {
        var headers = ["ETag": "\"\(revision).\(run)\""]
        if isReplayed { headers["Idempotent-Replayed"] = "true" }
        return .json(state(revision), headers: headers)
    }

    @Test(
        "a long poll sends the state's entity tag without the prefix W/ that a compressing proxy adds",
        arguments: ["", "W/"])
    func tags(mark: String) async throws {
        let (polled, polling) = AsyncStream<Void>.makeStream()
        let (session, transport) = try await Self.follow { request in
            if request.isStream { return .text("<h1>Please wait</h1>", status: 200) }
            if request.headers["Prefer"] != nil { polling.yield() }
            if request.headers["If-None-Match"] == "\"3.run\"" { return try await Self.forever(request) }
            return .json(state(3), headers: ["ETag": "\(mark)\"3.run\""])
        }
        for await _ in polled { break }
        let polls = transport.requests.filter { $0.headers["Prefer"] != nil }
        #expect(polls.map { $0.headers["If-None-Match"] } == ["\"3.run\""])
        session.close()
    }

    @Test("the pauses between polls grow while the polls return the known state at once")
    func knownAtOnce() async throws {
        let (polled, polling) = AsyncStream<Void>.makeStream()
        let clock = HastyClock()
        let (session, _) = try await Self.follow(clock: clock) { request in
            if request.isStream { return .text("<h1>Please wait</h1>", status: 200) }
            if request.headers["Prefer"] != nil { polling.yield() }
            return .json(state(3))
        }
        var count = 0
        for await _ in polled {
            count += 1
            if count == 5 { break }
        }
        session.close()
        #expect(clock.pauses.count >= 4)
        #expect(clock.pauses.contains { $0 > .milliseconds(1_500) })
    }

    @Test("a stored answer does not move the view back while the stream reconnects")
    func replayed() async throws {
        let first = ScriptedStream(state(1))
        let second = ScriptedStream()
        let (made, making) = AsyncStream<Void>.makeStream()
        let streams = Self.sequence([
            { _ in first.response },
            { _ in
                making.yield()
                return second.response
            },
        ])
        let (session, _) = try await Self.follow { request in
            if request.isStream { return try await streams(request) }
            return .json(state(3), headers: ["Idempotent-Replayed": "true"])
        }
        await until(session, { $0.connection == .live }, "it is live")
        first.tell(state(5))
        await until(session, { $0.state.revision == 5 }, "the newest is there")
        first.fail()
        for await _ in made { break }
        #expect(try await session.back().revision == 3)
        #expect(session.state.revision == 5)
        second.tell(state(4))
        await until(session, { $0.state.revision == 4 }, "the stream's first may be older")
        session.close()
    }

    // A run that lost inputs continues under its name, followed by a number.
    @Test(
        "a state of another server run counts as newer, whatever the state's revision, unless the state is a stored answer",
        arguments: ["b", "a-1"])
    func runs(run: String) async throws {
        let answers = Self.sequence([
            { _ in Self.tagged(5, run, isReplayed: true) }, { _ in Self.tagged(4, run) }, { _ in Self.tagged(3, run) },
            { _ in .json(state(2)) },
        ])
        let first = TransportResponse.json(state(9), status: 201, headers: ["ETag": "\"9.a\""])
        let (session, _) = try await Self.follow(first: first, isWatching: false, answers)
        var seen: [Int] = []
        for _ in 0..<4 {
            try await session.back()
            seen.append(session.state.revision)
        }
        #expect(seen == [9, 4, 4, 4])
    }

    @Test("the client accepts a state of another server run also if a refusal contains the state")
    func runOfRefusal() async throws {
        let first = TransportResponse.json(state(9), status: 201, headers: ["ETag": "\"9.a\""])
        let (session, _) = try await Self.follow(first: first, isWatching: false) { _ in
            .refusal(409, "stale-screen", current: state(4), headers: ["ETag": "\"4.b\""])
        }
        #expect(await problem { try await session.back() }?.status == 409)
        #expect(session.state.revision == 4)
    }

    @Test("a state from a stream has the event's id as its entity tag")
    func streamTag() async throws {
        let live = ScriptedStream()
        let (session, _) = try await Self.follow { request in
            request.isStream ? live.response : Self.tagged(1, "b")
        }
        let data = String(decoding: try JSONEncoder().encode(state(2)), as: UTF8.self)
        live.write("id: 2.a\nevent: state\ndata: \(data)\n\n")
        await until(session, { $0.state.revision == 2 }, "it came")
        try await session.back()
        #expect(session.state.revision == 1, "of another run than the stream's")
        session.close()
    }

    @Test(
        "an answer that does not end the session makes the stream try again after a pause",
        arguments: [(404, nil), (403, nil), (401, nil), (400, "malformed-request"), (500, "handler-failed")])
    func noEnd(status: Int, name: String?) async throws {
        let clock = HastyClock()
        let refusal: Answer = { _ in
            name.map { .refusal(status, $0) } ?? .text("<h1>Not here</h1>", status: status)
        }
        let streams = Self.sequence([refusal, refusal, { _ in ScriptedStream(state(2)).response }])
        let (session, _) = try await Self.follow(clock: clock, streams)
        await until(session, { $0.state.revision == 2 }, "it follows")
        #expect(session.ending == nil)
        #expect(clock.pauses.count == 2)
        session.close()
    }

    @Test("a client with a reader's token still follows the session after its input or its DELETE was refused")
    func reader() async throws {
        let live = ScriptedStream(state(1))
        let (session, _) = try await Self.follow { request in
            request.isStream ? live.response : .refusal(403, "wrong-token")
        }
        await until(session, { $0.connection == .live }, "it is live")
        #expect(await problem { try await session.back() }?.isDenied == true)
        #expect(await problem { try await session.end() }?.isDenied == true)
        live.tell(state(2))
        await until(session, { $0.state.revision == 2 }, "it follows")
        #expect(session.ending == nil)
        #expect(session.connection == .live)
        session.close()
    }
}
