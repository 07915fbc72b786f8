import Dispatch
import Synchronization
import Testing
import Usher
import UsherJournal
import UsherSessions

@Suite("Effects that block their thread", .timeLimit(.minutes(5)))
struct BlockingEffectTests {
    @Test func `an effect that blocks its thread delays no effect of another session, no timer and no other task`()
        async throws
    {
        let services = Blockade()
        Blockade.shared.withLock { $0 = services }
        let registry = SessionRegistry(apps: [BlockingApp.self], clock: ManualClock())
        // These are far more effects than the machine has processors.
        for _ in 0..<40 { try await send(#""block""#, try await registry.open("blocking").session.id, registry) }
        while services.blocked < 40 { await Task.yield() }
        let other = try await registry.open("blocking").session.id
        let answer = try await send(#""run""#, other, registry, wait: .seconds(5))
        #expect(answer.text.contains(#""count":1"#), "\(answer.text)")
        services.open(40)
    }

    @discardableResult
    private func send(
        _ event: String, _ id: SessionID, _ registry: SessionRegistry, wait: Duration? = nil
    ) async throws -> Snapshot {
        try await registry.handle(InputRequest(try action(#"{"event":\#(event)}"#), wait: wait), on: id)
    }
}

/// An app whose effects hold their thread until a test lets them go.
private enum BlockingApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { BlockingCoordinator() }
    static func services() -> Blockade { Blockade.shared.withLock { $0 } }
}

private final class Blockade: Sendable {
    static let shared = Mutex(Blockade())

    private let count = Atomic(0)
    private let gate = DispatchSemaphore(value: 0)

    /// How many threads are held.
    var blocked: Int { count.load(ordering: .relaxed) }

    func block() {
        count.add(1, ordering: .relaxed)
        gate.wait()
    }

    func open(_ times: Int) {
        for _ in 0..<times { gate.signal() }
    }
}

private struct Blocking: Effect {
    let blocks: Bool

    func run(_ context: EffectContext<Blockade>) async throws -> Int {
        if blocks { context.services.block() }
        return 1
    }
}

private struct BlockingScreen: Screen {
    enum Event: Codable { case block, run }
    static let examples: [Event] = [.block, .run]

    var count = 0
}

private final class BlockingCoordinator: Coordinator<Void> {
    private var screen: Handle<BlockingScreen>?

    override func start() {
        screen = push(BlockingScreen()) { me, event in
            me.perform(Blocking(blocks: event == .block)) { me, result in
                me.screen?.update { $0.count += (try? result.get()) ?? 0 }
            }
        }
    }
}
