import Synchronization
import Testing
import Usher
import UsherJournal
import UsherSessions

/// Trials that are made in the test's process: what it says of each is up to the test.
final class Jury: TrialRunner {
    private struct State {
        var trials: [Trial] = []
        var verdict = TrialVerdict.survives
    }

    private let state = Mutex(State())

    /// The payloads of the inputs that were tried; `nil` of a replay alone.
    var tried: [String] {
        trials.map { $0.input.map { String(decoding: $0.payload, as: UTF8.self) } ?? "nil" }
    }

    var trials: [Trial] { state.withLock(\.trials) }

    /// Says this of every trial from now on.
    func say(_ verdict: TrialVerdict) {
        state.withLock { $0.verdict = verdict }
    }

    func verdict(on trial: Trial) async -> TrialVerdict {
        state.withLock { state in
            state.trials.append(trial)
            return state.verdict
        }
    }

    /// The settings of a registry whose trials these are.
    func settings(
        build: UInt64 = 1, knowing journal: any Journal = MemoryJournal()
    ) async throws -> TrialSettings {
        var settings = try await TrialSettings(reading: journal) { build }
        settings.runner = self
        return settings
    }
}

extension SessionRegistry {
    /// Condemns an input that comes upon a session's newest revision, as the start after a crash would.
    func condemn(
        _ payload: String, _ kind: GuiltyInput.Kind = .input, on id: SessionID, for crash: Crash = Crash("SIGILL"),
        at time: Timestamp = Timestamp(milliseconds: 0)
    ) async throws {
        let revision = try await entries(of: id).count
        let input = TrialInput(kind, upon: revision, payload: Array(payload.utf8), time: time)
        try await condemn(try #require(try await trial(of: id, input)), for: crash)
    }

    /// Notes that a session's replay crashes.
    func condemnReplay(of id: SessionID, at revision: Int) async throws {
        let crash = Crash("SIGILL", in: "Shop.pay()", at: revision)
        try await condemn(try #require(try await trial(of: id)), for: crash)
    }
}

extension SessionError {
    /// Its case, or the reason of a hold, to be compared with.
    var name: String {
        if case .onHold(let reason) = self { return "\(reason.kind)" }
        return String("\(self)".prefix { $0.isLetter })
    }
}
