import Foundation
import Synchronization
import Testing

@testable import UsherClient

/// Tests of how a session follows its server through networks that pass streams on, break them, or hold them back.
struct WatcherTests {
    /// Opens a session whose streams come from a list.
    ///
    /// After the list ends, no stream can be opened.
    private static func follow(
        _ streams: [@Sendable () throws -> TransportResponse], clock: HastyClock = HastyClock(),
        else answer: @escaping @Sendable (ScriptedTransport.Request) async throws -> TransportResponse = { _ in
            .json(state(3))
        }
    ) async throws -> (Session, ScriptedTransport) {
        let place = Mutex(0)
        let transport = ScriptedTransport { request, _ in
            if request.isOpening { return .json(state(1), status: 201) }
            if !request.isStream { return try await answer(request) }
            let now = place.withLock { place in
                defer { place += 1 }
                return place
            }
            if now >= streams.count { throw Unreachable() }
            return try streams[now]()
        }
        return (try await Session.open("a", on: server, settings: .scripted(transport, clock: clock)), transport)
    }

    private static func connections(of view: ScreenList) -> [Connection] {
        view.updates.compactMap { if case .connection(let connection) = $0 { connection } else { nil } }
    }

    private static func revisions(of view: ScreenList) -> [Int] {
        view.updates.compactMap { if case .state(let state, _) = $0 { state.revision } else { nil } }
    }

    @Test("the client ignores an older state in an answer, but uses an older first state of a new stream")
    func order() async throws {
        let first = ScriptedStream(state(1))
        let (session, _) = try await Self.follow([{ first.response }, { ScriptedStream(state(2)).response }])
        let view = ScreenList(following: session)
        await until(session, { $0.connection == .live }, "it is live")
        try await session.back()
        first.tell(state(2))
        first.tell(state(4))
        await until(session, { $0.state.revision == 4 }, "the newer came")
        #expect(Self.revisions(of: view) == [1, 3, 4])
        first.fail()
        await until(session, { $0.state.revision == 2 }, "the server's is taken")
        session.close()
    }

    @Test("the client uses long polls if no stream arrives")
    func polls() async throws {
        let revision = Mutex<Int64>(1)
        // A proxy that holds back the stream until it ends.
        let silent = ScriptedStream()
        let clock = HastyClock(deadlineDivisor: 50)
        let (session, transport) = try await Self.follow([{ silent.response }], clock: clock) { request in
            if request.headers["Prefer"] == nil { return .json(state(revision.withLock { $0 })) }
            let now = revision.withLock { revision in
                revision += 1
                return revision
            }
            if now <= 3 { return .json(state(now)) }
            try await Task.sleep(for: .seconds(60))
            throw Unreachable()
        }
        await until(session, { $0.state.revision == 3 }, "polls bring states")
        #expect(transport.requests.filter(\.isStream).count == 1)
        let polls = transport.requests.filter { $0.headers["Prefer"] == "wait=25" }
        #expect(polls.compactMap { $0.headers["If-None-Match"] }.prefix(2) == ["\"1\"", "\"2\""])
        session.close()
    }

    @Test("the client uses long polls at once if the answer is not a stream")
    func noStream() async throws {
        let (session, transport) = try await Self.follow([{ .text("<html>", status: 200) }])
        await until(session, { $0.state.revision == 3 }, "polls bring states")
        #expect(transport.requests.filter(\.isStream).count == 1)
        session.close()
    }

    @Test("the last event of a stream states how the session ended")
    func ending() async throws {
        let live = ScriptedStream(state(1))
        let (session, _) = try await Self.follow([{ live.response }]) { _ in .refusal(410, "session-ended") }
        await until(session, { $0.connection == .live }, "it is live")
        live.send(["event": "end"])
        await until(session, { $0.ending != nil }, "the ending is told")
        #expect(session.ending?.isGone == true)
        #expect(session.connection == .ended)
    }

    @Test("a stream of a held session gets the reason and is not opened again")
    func hold() async throws {
        let live = ScriptedStream(state(1))
        let (session, transport) = try await Self.follow([{ live.response }]) { _ in
            .refusal(503, "session-held", more: ["held": "app-missing"])
        }
        await until(session, { $0.connection == .live }, "it is live")
        live.send(["event": "held"])
        await until(session, { $0.ending != nil }, "the hold is told")
        #expect(session.ending?.isHeld == true)
        #expect(session.ending?.members["held"] == "app-missing")
        #expect(session.connection == .ended)
        #expect(transport.requests.filter(\.isStream).count == 1)
    }

    @Test("a state that says how the session ended closes the stream and ends the sequences")
    func lastState() async throws {
        let live = ScriptedStream(state(1))
        let (session, transport) = try await Self.follow([{ live.response }])
        let view = ScreenList(following: session)
        await until(session, { $0.connection == .live }, "it is live")
        live.tell(state(2, stack: [], more: ["ended": ["reason": "finished", "result": 7]]))
        var last: SessionState?
        for await state in session.states { last = state }
        #expect(last?.ended?.result == 7)
        #expect(Self.connections(of: view) == [.reconnecting, .live, .ended])
        #expect(transport.requests.count == 2)
    }

    @Test("a server restart does not end the session, and the client tries the stream until it connects")
    func restart() async throws {
        let live = ScriptedStream(state(1))
        let (session, _) = try await Self.follow([
            { live.response }, { .refusal(503, "server-full") }, { throw Unreachable() },
            { ScriptedStream(state(2)).response },
        ])
        let view = ScreenList(following: session)
        await until(session, { $0.connection == .live }, "it is live")
        live.fail()
        await until(session, { $0.state.revision == 2 }, "it follows again")
        #expect(Self.connections(of: view) == [.reconnecting, .live, .reconnecting, .unreachable, .live])
        session.close()
    }

    @Test(
        "a client without access to the session gets the problem and does not try again",
        arguments: [(401, "token-needed"), (403, "wrong-token"), (404, "unknown-session"), (503, "session-held")])
    func forbidden(status: Int, name: String) async throws {
        let (session, transport) = try await Self.follow([{ .refusal(status, name) }])
        await until(session, { $0.ending != nil }, "it is told")
        #expect(session.ending?.status == status)
        #expect(transport.requests.count == 2)
    }

    @Test("a hidden session has no stream, and opens a stream when the session is visible again")
    func hidden() async throws {
        let first = ScriptedStream(state(1))
        let (session, transport) = try await Self.follow([{ first.response }, { ScriptedStream(state(2)).response }])
        await until(session, { $0.connection == .live }, "it is live")
        session.setHidden(true)
        #expect(session.connection == .hidden)
        session.setHidden(false)
        await until(session, { $0.state.revision == 2 }, "it follows again")
        #expect(session.connection == .live)
        #expect(transport.requests.filter(\.isStream).count == 2)
        session.close()
    }

    @Test("a closed session reports nothing more, whatever arrives late")
    func closed() async throws {
        let live = ScriptedStream(state(1))
        let (session, _) = try await Self.follow([{ live.response }])
        await until(session, { $0.connection == .live }, "it is live")
        let updates = session.updates
        session.close()
        live.tell(state(2))
        var told: [Int] = []
        for await update in updates { if case .state(let state, _) = update { told.append(state.revision) } }
        #expect(told == [1])
        #expect(session.state.revision == 1)
    }

    @Test("a slow reader of the sequence of states gets only the newest state")
    func newest() async throws {
        let (session, _) = try await Self.follow([]) { _ in .json(state(9)) }
        let states = session.states
        try await session.back()
        for await state in states {
            #expect(state.revision == 9)
            break
        }
        session.close()
    }
}
