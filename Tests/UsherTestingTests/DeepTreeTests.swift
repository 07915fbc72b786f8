import Testing
import Usher
import UsherTesting

/// An app of nested coordinators, as many as a session may show screens: each starts the next.
private enum DeepApp: App {
    static var screens: [any Screen.Type] { [DeepScreen.self] }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { DeepCoordinator() }
}

private struct DeepScreen: Screen {
    enum Event: Codable, CaseIterable { case deeper }
}

private final class DeepCoordinator: Coordinator<Never> {
    override func start() {
        push(DeepScreen()) { me, _ in me.start(DeepCoordinator()) }
    }
}

@Suite("Deep trees")
struct DeepTreeTests {
    @Test func `coordinators can be nested as deeply as the screen limit allows`() throws {
        let app = try AppUnderTest(DeepApp.self)
        for _ in 2...Limits().screens { app.send("deeper") }
        #expect(app.revision == Limits().screens)
        app.expectTree((2...Limits().screens).reduce("Deep") { tree, _ in "Deep→[\(tree)]" })
        app.expectRefusal(.limit, naming: "screens") { $0.send("deeper") }
    }
}
