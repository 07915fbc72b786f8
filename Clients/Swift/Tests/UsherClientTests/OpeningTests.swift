import Foundation
import Synchronization
import Testing

@testable import UsherClient

struct OpeningTests {
    @Test("every attempt of an opening has the same key and body, and each delay is reported with its cause")
    func once() async throws {
        let transport = ScriptedTransport { _, count in
            switch count {
            case 1: throw Unreachable()
            case 2: .refusal(503, "server-full")
            default: .json(state(1), status: 201)
            }
        }
        let causes = Mutex<[Int]>([])
        var settings = Session.Settings.scripted(transport, isWatching: false)
        settings.headers = { ["X-Trace": "t"] }
        settings.delayed = { problem in causes.withLock { $0.append(problem.status) } }
        let session = try await Session.open("a", on: server, options: ["x": 1], link: ["home"], settings: settings)
        #expect(session.state.revision == 1)
        #expect(Set(transport.requests.map { $0.headers["Idempotency-Key"] }).count == 1)
        #expect(transport.requests[2].body == ["app": "a", "options": ["x": 1], "open": ["home"]])
        #expect(transport.requests[2].headers["X-Trace"] == "t")
        #expect(causes.withLock { $0 } == [0, 503])
    }

    @Test("an opening sends the client's description in the server's format")
    func client() async throws {
        let transport = ScriptedTransport { _, _ in .json(state(1), status: 201) }
        let client = ClientDescription(
            name: "ios", version: "3.2", screens: ["login": 2, "*": 1], locale: Locale(identifier: "ko_KR"),
            timeZone: try #require(TimeZone(identifier: "Asia/Seoul")))
        let settings = Session.Settings.scripted(transport, isWatching: false)
        _ = try await Session.open("a", on: server, client: client, settings: settings)
        #expect(
            transport.requests.first?.body?["client"] == [
                "name": "ios", "version": "3.2", "screens": ["login": 2, "*": 1], "locale": "ko-KR",
                "timeZone": "Asia/Seoul",
            ])
    }

    @Test("a time zone without a name is not sent")
    func namelessTimeZone() throws {
        let offset = try #require(TimeZone(secondsFromGMT: 1_234))
        #expect(ClientDescription(timeZone: offset).timeZone == nil)
    }

    @Test("a refused opening throws its problem")
    func refused() async {
        let transport = ScriptedTransport { _, _ in .refusal(422, "unknown-app") }
        let problem = await problem { _ = try await Session.open("b", on: server, settings: .scripted(transport)) }
        #expect(problem?.status == 422)
    }

    @Test("cancelling the task of an opening ends the opening")
    func cancelled() async {
        let (tried, trying) = AsyncStream<Void>.makeStream()
        let transport = ScriptedTransport { _, _ in
            trying.yield()
            throw Unreachable()
        }
        let opening = Task { try await Session.open("a", on: server, settings: .scripted(transport)) }
        for await _ in tried { break }
        opening.cancel()
        await #expect(throws: CancellationError.self) { _ = try await opening.value }
    }

    @Test("an ended session cannot be resumed, and a live session can")
    func resume() async throws {
        let over = ScriptedTransport { _, _ in .refusal(410, "session-ended") }
        #expect(
            await problem { _ = try await Session.resume("s1", on: server, settings: .scripted(over)) }?.isGone == true)
        let there = ScriptedTransport { _, _ in .json(state(5)) }
        let session = try await Session.resume("s/1", on: server, settings: .scripted(there, isWatching: false))
        #expect(session.state.revision == 5)
        #expect(there.requests.map(\.path) == ["/sessions/s/1"])
    }

    @Test("a session that a new build resumed from an earlier revision has that revision, the reason and the losses")
    func resumedSession() async throws {
        let dropped: JSON = [
            "inputs": 2, "messages": 1, "results": ["charge"], "effects": ["brew"], "timers": ["cafe table"],
        ]
        let resumed: JSON = ["revision": 3, "reason": "input 4 differs", "dropped": dropped]
        let there = ScriptedTransport { _, _ in .json(state(7, more: ["resumed": resumed])) }
        let session = try await Session.resume("s1", on: server, settings: .scripted(there, isWatching: false))
        let told = try #require(session.state.resumed)
        #expect(told.revision == 3 && told.reason == "input 4 differs")
        #expect(told.dropped.inputs == 2 && told.dropped.messages == 1 && told.dropped.results == ["charge"])
        #expect(told.dropped.effects == ["brew"] && told.dropped.timers == ["cafe table"])
    }

    @Test("the token of the opening is sent with every request of the session")
    func token() async throws {
        let transport = ScriptedTransport { request, _ in
            if request.isStream { return ScriptedStream(state(1)).response }
            if request.method == "DELETE" { return .json(nil, status: 204) }
            return .json(state(1, more: request.isOpening ? ["token": "secret"] : [:]))
        }
        let session = try await Session.open("a", on: server, settings: .scripted(transport))
        #expect(session.token == "secret")
        await until(session, { $0.connection == .live }, "it is live")
        try await session.back()
        try await session.end()
        let tokens = transport.requests.map { $0.isOpening ? "opening" : $0.headers["Authorization"] }
        #expect(tokens == ["opening"] + Array(repeating: "Bearer secret", count: transport.requests.count - 1))
        #expect(transport.requests[0].headers["Authorization"] == nil)
        #expect(transport.requests.count == 4)
    }

    @Test("a session that has a token is resumed with the token", arguments: [nil, "secret"])
    func resumedWithToken(token: String?) async throws {
        let transport = ScriptedTransport { _, _ in .json(state(1)) }
        let settings = Session.Settings.scripted(transport, isWatching: false)
        let session = try await Session.resume("s1", on: server, token: token, settings: settings)
        try await session.back()
        let sent = transport.requests.map { $0.headers["Authorization"] }
        #expect(sent == Array(repeating: token.map { "Bearer \($0)" }, count: 2))
        #expect(session.token == token)
    }

    @Test("a session's token replaces the app's Authorization field, in any letter case")
    func tokenBeforeAuthorization() async throws {
        let transport = ScriptedTransport { _, _ in .json(state(1)) }
        var settings = Session.Settings.scripted(transport, isWatching: false)
        settings.headers = { ["authorization": "Basic app", "X-App": "1"] }
        _ = try await Session.resume("s1", on: server, token: "secret", settings: settings)
        let sent = transport.requests.map { $0.headers.filter { $0.key != "Accept" } }
        #expect(sent == [["Authorization": "Bearer secret", "X-App": "1"]])
    }

    @Test(
        "an address without http or https is refused and not tried again",
        arguments: ["localhost:8080", "ftp://127.0.0.1:1", "server"])
    func addressWithoutScheme(address: String) async throws {
        let url = try #require(URL(string: address))
        let (delays, delay) = AsyncStream<Problem>.makeStream()
        var settings = Session.Settings()
        settings.delayed = { delay.yield($0) }
        let opening = Task { [settings] in try await Session.open("a", on: url, settings: settings) }
        let givingUp = Task { for await _ in delays { opening.cancel() } }
        let problem = await #expect(throws: Problem.self) { _ = try await opening.value }
        #expect(problem?.type == "urn:usher:client:unsendable")
        delay.finish()
        await givingUp.value
    }
}
