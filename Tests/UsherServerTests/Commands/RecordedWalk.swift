import Synchronization
import Usher
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherSessions

/// A session that is the same in every run, because the test sets its id, random numbers and clock.
final class RecordedWalk: Sendable {
    let id: SessionID
    private let registry: SessionRegistry
    private let clock: SteadyClock

    init(
        _ app: any App.Type, options: String = "{}", link: String = "[]", seed: Int = 1, in journal: any Journal
    ) async throws {
        clock = SteadyClock()
        registry = SessionRegistry(apps: [app], journal: journal, clock: clock, random: SteadyRandom(seed))
        let steps = try JSONDocument(parsing: Array(link.utf8)).root.elements.map { $0 }
        let session = try await registry.open(app.name, options: Array(options.utf8), link: steps).session
        id = session.id
    }

    /// Continues a session of another build.
    init(_ walk: RecordedWalk, by app: any App.Type, in journal: any Journal) {
        id = walk.id
        // Waits for the first clock must not end here.
        clock = SteadyClock(at: walk.clock.now())
        registry = SessionRegistry(apps: [app], journal: journal, clock: clock, random: SteadyRandom(0))
    }

    /// Sends an input some time after the previous one, and waits for its effects; the input may be rejected.
    func callAsFunction(_ body: String) async throws {
        clock.advance(by: 1_500)
        guard let action = try? InputAction(JSONDocument(parsing: Array(body.utf8)).root) else { return }
        try await handle(.action(action))
    }

    /// Sends a message to the session, some time after the previous input.
    func tell(_ message: String) async throws {
        clock.advance(by: 1_500)
        try await handle(.message(try JSONDocument(parsing: Array(message.utf8)).root))
    }

    /// Fires a timer that is due, and waits for the effects that it starts.
    func wake() async throws {
        let revision = try await registry.snapshot(of: id).revision
        while !clock.wake() { try await pause() }
        while try await registry.snapshot(of: id).revision == revision { try await pause() }
        while try await state()["pending"]?.elements.contains(where: { $0.string != "timer" }) ?? false {
            try await pause()
        }
    }

    /// If the condition never holds, the suite's time limit ends the wait.
    private func pause() async throws {
        try Task.checkCancellation()
        await Task.yield()
    }

    private func handle(_ content: InputContent) async throws {
        do throws(SessionError) {
            _ = try await registry.handle(InputRequest(content, wait: .seconds(5)), on: id)
        } catch {
            guard case .rejected = error else { throw error }
        }
    }

    func state() async throws -> Answer {
        Answer(Response(body: try await registry.snapshot(of: id).state))
    }

    private final class SteadyRandom: RandomSource {
        private let count: Atomic<UInt64>

        init(_ seed: Int) { count = Atomic(UInt64(seed) << 32) }

        func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue &* 0x9E37_79B9_7F4A_7C15 }
    }
}
