import Foundation
import Testing

@testable import UsherClient

/// Tests of a client behind a proxy that loses, repeats, delays and reorders requests and responses.
///
/// Each input must take effect once, and the view must end in the server's state.
@Suite(.enabled(if: RunningProgram.canRun, "usher is not built"), .serialized)
struct FaultTests {
    private static let faults = ["cut before", "cut within", "cut after", "duplicated", "delayed", "reordered"]
    private static let steps = ProcessInfo.processInfo.environment["USHER_LONG"] == nil ? 600 : 10_000
    private static let stepsOfSession = 200

    /// The report that the proxy prints when it ends.
    private struct Report: Decodable {
        let counts: [String: Int]
        /// For each request that was overtaken: `true` if its retry was handled before it.
        let lateAnswers: [Bool]
    }

    @Test(
        "with each fault, every input is handled once, and the view shows the server's state",
        arguments: faults + ["all of them"])
    func walks(fault: String) async throws {
        let server = try RunningProgram.server()
        defer { server.stop() }
        let proxy = try RunningProgram.faultProxy(
            before: server, seed: (Self.faults.firstIndex(of: fault) ?? -1) + 7, fault: fault)
        let isAll = fault == "all of them"
        let share = isAll ? Self.steps : Self.steps / 10
        for start in stride(from: 0, to: share, by: Self.stepsOfSession) {
            try await walk(
                proxy.url, server: server.url, seed: start + 1, count: min(Self.stepsOfSession, share - start))
        }
        let report = try JSONDecoder().decode(Report.self, from: proxy.finish())
        for each in isAll ? Self.faults : [fault] { #expect((report.counts[each] ?? 0) > 0, "\(each) happened") }
        #expect(report.lateAnswers.allSatisfy { $0 })
    }

    /// Sends the inputs of one session, and compares the server's count of inputs with the client's.
    private func walk(_ proxy: URL, server: URL, seed: Int, count: Int) async throws {
        let random = SeededRandom(seed)
        let settings = Session.Settings(
            platform: Platform(transport: URLSessionTransport(), clock: HastyClock(), random: { random.next() }))
        let session = try await Session.open("tudy", on: proxy, settings: settings)
        let view = ScreenList(following: session)
        var accepted = 1
        for _ in 0..<count {
            let state = try await session.enqueue(input(of: session.state, random)).state
            accepted += 1
            try #require(state.revision == accepted, "the revision after input \(accepted) of seed \(seed)")
        }
        // Several inputs at once, which must keep their order.
        let tabs = ["chat", "home", "chat", "home"]
        let deliveries = tabs.map { session.enqueue(.select($0)) }
        var selected: [String?] = []
        for delivery in deliveries { selected.append(try await delivery.state.tabs?.selected) }
        #expect(selected == tabs)
        try await compare(session, view, with: server, accepted: accepted + tabs.count)
        session.close()
    }

    /// Compares the client's state with the server's, which is read without the proxy.
    private func compare(_ session: Session, _ view: ScreenList, with server: URL, accepted: Int) async throws {
        var settings = Session.Settings()
        settings.isWatching = false
        let other = try await Session.resume(session.id, on: server, token: session.token, settings: settings)
        #expect(other.state.revision == accepted, "the server's count of inputs")
        #expect(session.state == other.state)
        #expect(view.screens == other.state.stack)
        #expect(view.tabs == other.state.tabs)
        // Inputs of another client arrive by the stream, even if the proxy breaks the stream.
        let last = try await other.select("chat")
        await until(session, { $0.state.revision == last.revision }, "other clients' changes arrive")
        #expect(view.screens == last.stack)
        #expect(view.tabs == last.tabs)
    }

    /// Returns an input that the server accepts, and would accept again if it arrived twice.
    private func input(of state: SessionState, _ random: SeededRandom) -> Input {
        if random.next() < 0.5 { return .select(random.next() < 0.5 ? "home" : "chat") }
        if state.back == .possible { return .back() }
        if state.tabs?.selected == "home", state.stack.count == 1 { return .event(named: "showSearch") }
        return .select("home")
    }
}
