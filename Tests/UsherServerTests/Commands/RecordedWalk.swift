import Synchronization
import Usher
import UsherHTTP
import UsherJSON
import UsherJournal
import UsherSessions

/// A session that is the same every time: its id, its random numbers and its clock are the test's.
final class RecordedWalk: Sendable {
    let id: SessionID
    private let registry: SessionRegistry
    private let clock: SteadyClock

    init(_ app: any App.Type, options: String, link: String, seed: Int, in journal: any Journal) async throws {
        clock = SteadyClock()
        registry = SessionRegistry(apps: [app], journal: journal, clock: clock, random: SteadyRandom(seed))
        let steps = try JSONDocument(parsing: Array(link.utf8)).root.elements.map { $0 }
        let (session, _) = try await registry.open(app.name, options: Array(options.utf8), link: steps)
        id = session.id
    }

    /// Sends an input, a while after the one before; it may be refused.
    func callAsFunction(_ body: String) async throws {
        clock.advance(by: 1_500)
        guard let action = try? InputAction(JSONDocument(parsing: Array(body.utf8)).root) else { return }
        do throws(SessionError) {
            _ = try await registry.handle(InputRequest(action), on: id)
        } catch {
            guard case .rejected = error else { throw error }
        }
    }

    func state() async throws -> Answer {
        Answer(Response(body: try await registry.snapshot(of: id).state))
    }

    /// A clock that stands until it is moved.
    private final class SteadyClock: Clock {
        private let milliseconds = Atomic<Int64>(1_795_181_309_042)

        func sleep(until time: Timestamp) async throws {}

        func now() -> Timestamp { Timestamp(milliseconds: milliseconds.load(ordering: .relaxed)) }

        func advance(by amount: Int64) { milliseconds.add(amount, ordering: .relaxed) }
    }

    private final class SteadyRandom: RandomSource {
        private let count: Atomic<UInt64>

        init(_ seed: Int) { count = Atomic(UInt64(seed) << 32) }

        func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue &* 0x9E37_79B9_7F4A_7C15 }
    }
}
