import Synchronization
import Testing
import Usher
import UsherJournal

@testable import UsherSessions

/// Isolated runs whose outcome is up to the test.
final class Jury: IsolatedRunner {
    private struct State {
        var runs: [IsolatedRun] = []
        var outcome = IsolatedOutcome.ended(.restored)
    }

    private let state = Mutex(State())

    /// The payloads of the inputs that ran; `nil` of a replay alone.
    var tried: [String] {
        runs.map { $0.input.map { String(decoding: $0.payload, as: UTF8.self) } ?? "nil" }
    }

    var runs: [IsolatedRun] { state.withLock(\.runs) }

    /// Says this of every run from now on.
    func say(_ outcome: IsolatedOutcome) {
        state.withLock { $0.outcome = outcome }
    }

    var width: Int { 1 }

    func outcomes(of runs: [IsolatedRun]) async -> [IsolatedOutcome] {
        state.withLock { state in
            state.runs += runs
            return runs.map { _ in state.outcome }
        }
    }

    /// The settings of a registry whose isolated runs these are.
    func settings(
        build: UInt64 = 1, knowing journal: any Journal = MemoryJournal()
    ) async throws -> CrashSettings {
        var settings = try await CrashSettings(reading: journal) { build }
        settings.runner = self
        return settings
    }
}

extension SessionRegistry {
    /// Makes an input guilty that comes upon a session's newest revision.
    func condemn(
        _ payload: String, on id: SessionID, for crash: Crash = Crash("SIGILL"),
        at time: Timestamp = Timestamp(milliseconds: 0)
    ) async throws {
        let record = try await settings.liveRecord(of: id)
        let entry = Entry(Array(payload.utf8), upon: record.head.revision, at: time.milliseconds)
        try await condemn(IsolatedRun(of: id, record.head.app, record.entries, input: entry), for: crash)
    }

    /// Makes a creation guilty.
    func condemnCreation(_ payload: String, of app: String, for crash: Crash) async throws {
        let entry = Entry(Array(payload.utf8), .creation, upon: 0, at: 0)
        try await condemn(IsolatedRun(creating: entry, of: app), for: crash)
    }

    /// Notes that a session's replay crashes.
    func condemnReplay(of id: SessionID, at revision: Int) async throws {
        let record = try await settings.liveRecord(of: id)
        try await condemn(
            IsolatedRun(of: id, record.head.app, record.entries), for: Crash("SIGILL", in: "Shop.pay()", at: revision))
    }

    private func condemn(_ run: IsolatedRun, for crash: Crash) async throws {
        let (identity, site) = try run.culprit(of: crash)
        let input = GuiltyInput(
            identity, at: site, build: settings.guilty.build(), time: settings.clock.now().milliseconds,
            crash: "\(crash)")
        if let error = await settings.condemn(input) { throw SessionError.notRecorded(cause: "\(error)") }
    }
}

extension SessionError {
    /// Its case, or the reason of a hold, to be compared with.
    var name: String {
        if case .onHold(let reason) = self { return "\(reason.kind)" }
        return String("\(self)".prefix { $0.isLetter })
    }
}
