import Foundation
import Synchronization
import Testing

@testable import UsherClient

/// Tests of a token that is replaced while requests are pending: the client repeats these requests with the new token.
struct RotationTests {
    /// A session whose token is `t1` until the server changes its token.
    private final class Subject: Sendable {
        private struct Contents {
            var valid = "t1"
            var streams: [ScriptedStream] = []
            var refusing: @Sendable () -> Void = {}
        }

        private let contents = Mutex(Contents())

        var streams: [ScriptedStream] { contents.withLock { $0.streams } }

        /// Changes the server's token, and runs `refusing` before the server rejects the previous token.
        func rotate(to token: String, refusing: @escaping @Sendable () -> Void = {}) {
            contents.withLock { contents in
                contents.valid = token
                contents.refusing = refusing
            }
        }

        func open(isWatching: Bool = true) async throws -> (Session, ScriptedTransport) {
            let transport = ScriptedTransport { [self] request, _ in answer(request) }
            let settings = Session.Settings.scripted(transport, isWatching: isWatching)
            return (try await Session.open("a", on: server, settings: settings), transport)
        }

        private func answer(_ request: ScriptedTransport.Request) -> TransportResponse {
            if request.isOpening { return .json(state(1, more: ["token": "t1"]), status: 201) }
            let (valid, refusing) = contents.withLock { ($0.valid, $0.refusing) }
            if request.headers["Authorization"] != "Bearer \(valid)" {
                refusing()
                return .refusal(403, "wrong-token")
            }
            if request.method == "DELETE" { return .json(nil, status: 204) }
            if !request.isStream { return .json(state(2)) }
            let stream = ScriptedStream(state(1))
            contents.withLock { $0.streams.append(stream) }
            return stream.response
        }
    }

    private static func tokens(of requests: [ScriptedTransport.Request]) -> [String?] {
        requests.map { $0.headers["Authorization"] }
    }

    @Test("an input that was refused after a rotation is sent again with the new token and the same key")
    func input() async throws {
        let subject = Subject()
        let (session, transport) = try await subject.open(isWatching: false)
        subject.rotate(to: "t2") { session.token = "t2" }
        #expect(try await session.back().revision == 2)
        #expect(Self.tokens(of: transport.events) == ["Bearer t1", "Bearer t2"])
        #expect(Set(transport.events.map { $0.headers["Idempotency-Key"] }).count == 1)
        #expect(session.token == "t2")
    }

    @Test("a stream that was refused after a rotation is opened with the new token")
    func stream() async throws {
        let subject = Subject()
        let (session, transport) = try await subject.open()
        await until(session, { $0.connection == .live }, "it is live")
        subject.rotate(to: "t2") { session.token = "t2" }
        subject.streams[0].fail()
        await until(session, { _ in subject.streams.count == 2 }, "there is a stream")
        #expect(Self.tokens(of: transport.requests.filter(\.isStream)) == ["Bearer t1", "Bearer t1", "Bearer t2"])
        #expect(session.ending == nil)
        session.close()
    }

    @Test("a denied session continues with a valid token, and stays denied with a wrong token")
    func denied() async throws {
        let subject = Subject()
        let (session, transport) = try await subject.open()
        await until(session, { $0.connection == .live }, "it is live")
        subject.rotate(to: "t2")
        subject.streams[0].fail()
        await until(session, { $0.ending != nil }, "it is denied")
        session.token = "t0"
        await until(session, { $0.ending != nil }, "it is denied again")
        #expect(Self.tokens(of: transport.requests).last == "Bearer t0")
        session.token = "t2"
        await until(session, { $0.connection == .live }, "it is live again")
        #expect(session.ending == nil)
        subject.streams[1].tell(state(3))
        await until(session, { $0.state.revision == 3 }, "it follows")
        session.close()
    }

    @Test("with a new token, the client still does not follow a session that has ended or was never followed")
    func notBegun() async throws {
        let subject = Subject()
        let (over, _) = try await subject.open()
        await until(over, { $0.connection == .live }, "it is live")
        try await over.end()
        over.token = "t2"
        #expect(over.connection == .ended)
        let (unfollowed, transport) = try await subject.open(isWatching: false)
        unfollowed.token = "t1"
        try await unfollowed.back()
        #expect(transport.requests.filter(\.isStream).isEmpty)
    }

    @Test("a hidden session that got a new token is followed with this token once the session is visible")
    func hidden() async throws {
        let subject = Subject()
        let (session, _) = try await subject.open()
        await until(session, { $0.connection == .live }, "it is live")
        subject.rotate(to: "t2")
        subject.streams[0].fail()
        await until(session, { $0.ending != nil }, "it is denied")
        session.setHidden(true)
        session.token = "t2"
        #expect(session.connection == .hidden)
        session.setHidden(false)
        await until(session, { $0.connection == .live }, "it is live again")
        session.close()
    }
}
