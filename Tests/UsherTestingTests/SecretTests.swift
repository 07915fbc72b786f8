import Testing
import Usher
import UsherTesting

@Suite("AppUnderTest: secrets")
struct SecretTests {
    @Test func `a test sends a secret unchanged and shows it as an ellipsis`() throws {
        let app = try AppUnderTest(SafeApp.self, options: .init(code: "pear"))
        app.expectVisible(SafeScreen(code: "another", length: 4))
        app.send(.enter(code: "apple"), on: SafeScreen.self)
        app.expectState(#"{"code":"…","length":5}"#)
        app.send("enter", ["code": Secret<String>("fig")])
        app.expectVisible(SafeScreen(code: "", length: 3))
        app.open(SafeCoordinator.Flow.unlock(code: "cherry"))
        app.expectVisible(SafeScreen(code: "", length: 6))
        #expect(app.visible?.events == ["enter"])
        app.finishTest()
    }

    @Test func `a test that opens an app with a link sends the link unchanged`() throws {
        let app = try AppUnderTest(SafeApp.self, link: [SafeCoordinator.Flow.unlock(code: "cherry")])
        app.expectVisible(SafeScreen(code: "", length: 6))
    }
}

private enum SafeApp: App {
    struct Options: Codable { var code: Secret<String> = "" }

    static let options = Options()

    static func root(_ options: Options) throws -> sending AnyCoordinator {
        SafeCoordinator(try options.code.reveal())
    }
}

private struct SafeScreen: Screen {
    enum Event: Codable { case enter(code: Secret<String>) }
    static let examples: [Event] = [.enter(code: "apple")]

    var code: Secret<String>
    var length: Int
}

private final class SafeCoordinator: Coordinator<Never>, FlowHost {
    enum Flow: Codable { case unlock(code: Secret<String>) }
    static let examples: [Flow] = [.unlock(code: "apple")]

    private let code: String
    private var screen: Handle<SafeScreen>?

    init(_ code: String) {
        self.code = code
    }

    override func start() {
        screen = push(SafeScreen(code: Secret(code), length: code.count)) { me, event in
            switch event {
            case .enter(let code): try me.show(code)
            }
        }
    }

    func open(_ flow: Flow) throws -> (any FlowHost)? {
        switch flow {
        case .unlock(let code): try show(code)
        }
        return nil
    }

    private func show(_ code: Secret<String>) throws {
        let length = try code.reveal().count
        screen?.update { $0.length = length }
    }
}
