import Testing
import Usher
import UsherJournal
import UsherSessions

/// An app whose values are as deep as JSON may be.
private enum DeepApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { DeepCoordinator() }
}

/// A comment and the answers to it: two levels of JSON each.
private struct DeepComment: Codable, Sendable {
    var answers: [DeepComment] = []

    static func thread(_ length: Int) -> DeepComment {
        (1..<length).reduce(DeepComment()) { comment, _ in DeepComment(answers: [comment]) }
    }

    var length: Int { 1 + (answers.first?.length ?? 0) }
}

private struct LoadThread: Effect {
    let length: Int

    func run(_ context: EffectContext<NoServices>) async throws -> DeepComment { .thread(length) }
}

private struct DeepScreen: Screen {
    enum Event: Codable { case nest, load(Int) }
    static let examples: [Event] = [.nest, .load(1)]

    var length = 0
}

private final class DeepCoordinator: Coordinator<Never> {
    private var screen = Handle<DeepScreen>()

    override func start() {
        screen = push(DeepScreen()) { me, event in
            switch event {
            case .nest: me.start(DeepCoordinator())
            case .load(let length): me.load(length)
            }
        }
    }

    private func load(_ length: Int) {
        perform(LoadThread(length: length)) { me, result in
            me.screen.update { $0.length = (try? result.get().length) ?? -1 }
        }
    }
}

@Suite("Deep payloads", .timeLimit(.minutes(1)))
struct DeepPayloadTests {
    private let journal = MemoryJournal()

    @Test(arguments: [(31, 31), (32, 32), (33, -1)])
    func `an effect's output can have the maximum nesting, and an effect with a deeper output fails`(
        length: Int, shown: Int
    ) async throws {
        let session = try await registry().open("deep").session
        let answer = try await session.send(#"{"event":{"load":{"_0":\#(length)}}}"#, wait: .seconds(5))
        #expect(answer.text.contains(#""length":\#(shown)"#), "\(answer.text)")
        #expect(try await registry().snapshot(of: session.id).text.contains(#""length":\#(shown)"#))
    }

    @Test func `coordinators nested to the screen limit can be exported`() async throws {
        let registry = registry()
        let session = try await registry.open("deep").session
        for _ in 2...Limits().screens { try await session.send(#"{"event":"nest"}"#) }
        let exported = try ExportedSession(try await registry.entries(of: session.id), apps: [DeepApp.self])
        #expect(exported.steps.count == Limits().screens - 1)
    }

    /// Another process on the same journal.
    private func registry() -> SessionRegistry {
        SessionRegistry(apps: [DeepApp.self], journal: journal, clock: ManualClock())
    }
}
