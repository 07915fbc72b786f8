import Testing
import Usher
import UsherJSON

@Suite("Effects: secrets")
struct EffectSecretTests {
    @Test func `an effect's secret is kept while the effect is pending, and can be erased afterwards`() throws {
        let walker = try Walker(SafeCoordinator())
        try walker.handle(#"{"event":{"open":{"code":"pear"}}}"#)
        #expect(walker.tree.takeErasableRevisions() == [])
        try walker.handle(#"{"event":"nothing"}"#)
        #expect(walker.tree.takeErasableRevisions() == [])
        try walker.fail("2.1", "closed")
        #expect(walker.tree.takeErasableRevisions() == [2])
    }

    @Test func `an effect's secret can be erased when the effect is cancelled or its result is refused`() throws {
        let walker = try Walker(SafeCoordinator())
        try walker.handle(#"{"event":{"open":{"code":"pear"}}}"#)
        try walker.refuse("2.1", "why")
        #expect(walker.tree.takeErasableRevisions() == [2])
        try walker.handle(#"{"event":"more"}"#)
        try walker.handle(#"{"event":{"open":{"code":"pear"}}}"#)
        try walker.back()
        #expect(walker.tree.takeErasableRevisions() == [5])
    }

    @Test func `an effect's secret is kept as long as the effect can still run`() async throws {
        let walker = try Walker(SafeCoordinator())
        try walker.handle(#"{"event":{"open":{"code":"pear"}}}"#)
        let running = Running(try #require(walker.tree.work.first))
        try walker.fail("2.1", "closed")
        #expect(walker.tree.takeErasableRevisions() == [])
        #expect(await running.run()?.text == #"{"token":"pear!"}"#)
        #expect(walker.tree.takeErasableRevisions() == [])
        running.work = nil
        #expect(walker.tree.takeErasableRevisions() == [2])
    }

    @Test func `a secret in an effect's output is masked, and can be erased when no object keeps the secret`() throws {
        let walker = try Walker(SafeCoordinator())
        try walker.handle(#"{"event":{"open":{"code":"pear"}}}"#)
        try walker.succeed("2.1", #"{"token":"apple"}"#)
        #expect(try walker.text("stack").contains(#""token":"…""#))
        var writer = JSONWriter()
        let places = try #require(walker.inputs.last).write(into: &writer, secrets: walker.tree.inputSecrets)
        #expect(places.map { String(decoding: writer.bytes[$0], as: UTF8.self) } == [#""apple""#])
        #expect(walker.tree.takeErasableRevisions() == [2])
        try walker.handle(#"{"event":"nothing"}"#)
        #expect(walker.tree.takeErasableRevisions() == [3])
    }

    @Test func `a secret in a message is found in the recorded input`() throws {
        let walker = try Walker(SafeCoordinator())
        try walker.tell(#"{"code":"fig","to":"kim"}"#)
        var writer = JSONWriter()
        let places = try #require(walker.inputs.last).write(into: &writer, secrets: walker.tree.inputSecrets)
        #expect(places.map { String(decoding: writer.bytes[$0], as: UTF8.self) } == [#""fig""#])
        #expect(walker.tree.takeErasableRevisions() == [2])
    }

    @Test func `a replay gives the same tree even if an effect's output was erased`() throws {
        let walker = try Walker(SafeCoordinator())
        try walker.handle(#"{"event":{"open":{"code":"pear"}}}"#)
        let payload = try JSONDocument(parsing: Array(#"{"effect":"2.1","success":{"token":null}}"#.utf8)).root
        let input = try Input(payload: payload, at: Timestamp(milliseconds: 0), isErased: true)
        #expect(try walker.tree.handle(input))
        #expect(try walker.text("stack").contains(#""token":"…""#))
    }
}

/// Retains work like a session's task.
private final class Running {
    var work: Work?

    init(_ work: Work) {
        self.work = work
    }

    func run() async -> EffectOutcome? {
        guard case .effect(let run)? = work?.kind else { return nil }
        return await run(NoServices(), "1")
    }
}

private struct Unlock: Effect {
    struct Output: Codable { var token: Secret<String> }

    let code: Secret<String>

    func run(_ context: EffectContext<NoServices>) async throws -> Output {
        Output(token: Secret(try code.reveal() + "!"))
    }
}

private struct SafeScreen: Screen {
    enum Event: Codable { case open(code: Secret<String>), nothing, more }
    static let examples: [Event] = [.open(code: "apple"), .nothing, .more]

    var token: Secret<String> = ""
}

private final class SafeCoordinator: Coordinator<Never>, MessageReceiver {
    struct Message: Codable {
        var code: Secret<String>
        var to: String
    }

    private var screen: Handle<SafeScreen>?

    override func start() {
        show()
    }

    func receive(_ message: Message) {}

    private func show() {
        screen = push(SafeScreen()) { me, event in
            switch event {
            case .open(let code):
                me.perform(Unlock(code: code)) { me, result in
                    guard case .success(let output) = result else { return }
                    me.screen?.update { $0.token = output.token }
                }
            case .nothing: me.screen?.update { $0.token = "" }
            case .more: me.show()
            }
        }
    }
}
