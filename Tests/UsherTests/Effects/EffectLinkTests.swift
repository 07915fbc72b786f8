import Testing
import Usher
import UsherJSON

@Suite("Effects: links")
struct EffectLinkTests {
    @Test func `a link that performs an effect closes no screen, and the effect belongs to no screen`() throws {
        let walker = try Walker(LinkedCoordinator())
        try walker.send("one")
        try walker.handle(#"{"open":["perform"]}"#)
        #expect(try walker.stack == ["step#1", "step#2"])
        #expect(walker.pending == ["3.1 echo"])
        try walker.handle(#"{"dismissed":2}"#)
        #expect(walker.pending == ["3.1 echo"])
    }

    @Test func `if a link performs an effect and must then wait, the effect begins only once`() throws {
        let walker = try Walker(LinkedCoordinator())
        try walker.handle(#"{"open":["performLater"]}"#)
        #expect(walker.pending == ["2.1 echo"])
        #expect(try walker.text("pending") == #"["echo","open"]"#)
        let rejection = try #require(throws: Rejection.self) { try walker.send("one") }
        #expect(rejection.retry == .keep)
        #expect(walker.tree.isBroken)
    }

    @Test func `the list of pending work has effects before a waiting link`() throws {
        let walker = try Walker(LinkedCoordinator())
        try walker.handle(#"{"open":["wait"]}"#)
        try walker.send("two")
        #expect(try walker.text("pending") == #"["echo","timer","open"]"#)
    }

    @Test func `a waiting link can be opened after an effect's result`() throws {
        let walker = try Walker(LinkedCoordinator())
        try walker.handle(#"{"open":["wait"]}"#)
        try walker.send("two")
        try walker.succeed("3.1")
        #expect(try walker.text("pending") == #"["timer"]"#)
        #expect(try walker.notes == ["waited"])
    }
}

private final class LinkedCoordinator: Coordinator<Never>, FlowHost {
    enum Flow: Codable, CaseIterable { case perform, performLater, wait }

    private var screen: Handle<StepScreen>?
    private var isReady = false

    override func start() {
        screen = push(StepScreen()) { me, event in
            switch event {
            case .one: me.present(StepScreen(), as: .sheet) { _, _ in }
            case .two, .three:
                me.perform(Echo()) { me, _ in me.isReady = true }
                me.after(.seconds(1)) { _ in }
            }
        }
    }

    func open(_ flow: Flow) throws -> (any FlowHost)? {
        switch flow {
        case .perform: perform(Echo()) { _, _ in }
        case .performLater:
            perform(Echo()) { _, _ in }
            throw Later()
        case .wait:
            guard isReady else { throw Later() }
            screen?.update { $0.note = "waited" }
        }
        return nil
    }
}
