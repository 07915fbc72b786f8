import Foundation
import Testing

@testable import UsherClient

/// Tests over real sockets, on a server with the sample apps.
@Suite(.enabled(if: RunningProgram.canRun, "usher is not built"), .timeLimit(.minutes(5)))
struct ServerTests {
    @Test("a client's session can use a sample app on a real server")
    func walk() async throws {
        let program = try RunningProgram.server()
        defer { program.stop() }
        let server = program.url
        let session = try await Session.open("start-login-main", on: server)
        var screens = ScreenRegistry<String> { screen, _ in "an unknown screen, \(screen.screen)" }
        screens.register(StartScreenState.self) { screen in "start \(screen.id)" }
        screens.register(LoginScreenState.self) { screen in "login \(screen.id)" }

        try await session.send("startApp")
        print(session.state.stack.map(screens.content))  // ["start 1", "login 2"]
        try await session.popped(2)  // the user has already swiped back
        #expect(session.state.stack.map(\.screen) == ["start"])
        try await session.send("startApp")
        #expect(session.state.stack.map(screens.content) == ["start 1", "login 3"])
        try await session.send("login")
        #expect(session.state.stack.map(screens.content) == ["start 1", "an unknown screen, main"])
        try await session.end()
        #expect(await problem { try await session.back() }?.isGone == true)
    }

    @Test("the example in the client's README works")
    func firstLines() async throws {
        let program = try RunningProgram.server()
        defer { program.stop() }
        let server = program.url
        let session = try await Session.open("start-login-main", on: server)
        Task { for await state in session.states { print(state.stack.map(\.screen)) } }
        try await session.send("startApp")
        try await session.end()
        #expect(session.connection == .ended)
    }

    @Test("another client's stream shows the inputs and the end of the session")
    func following() async throws {
        let program = try RunningProgram.server()
        defer { program.stop() }
        let first = try await Session.open("tudy", on: program.url)
        let second = try await Session.resume(first.id, on: program.url, token: first.token)
        await until(second, { $0.connection == .live }, "it is live")
        let view = ScreenList(following: second)
        let now = try await first.select("chat")
        await until(second, { $0.state.revision == now.revision }, "the stream tells")
        #expect(view.screens == now.stack)
        #expect(view.tabs?.selected == "chat")
        try await first.end()
        await until(second, { $0.ending != nil }, "the end is told")
        #expect(second.ending?.members["reason"] == "deleted")
    }

    @Test("a refusal has its type and the current state")
    func refusal() async throws {
        let program = try RunningProgram.server()
        defer { program.stop() }
        let session = try await Session.open("notes", on: program.url)
        let problem = await problem { try await session.back() }
        #expect(problem?.status == 422)
        #expect(problem?.type == "urn:usher:problem:unacceptable-input")
        #expect(problem?.current == session.state)
    }

    @Test("when a server stops, the session does not end but is reported as unreachable")
    func unreachable() async throws {
        let program = try RunningProgram.server()
        let session = try await Session.open("notes", on: program.url)
        await until(session, { $0.connection == .live }, "it is live")
        program.stop()
        await until(session, { $0.connection == .unreachable }, "it is told")
        #expect(session.ending == nil)
        session.close()
    }
}

/// The screens of the sample app start-login-main.
private struct StartScreenState: ScreenState {}

private struct LoginScreenState: ScreenState {}
