import Testing
import Usher
import UsherTesting

/// Tests that a test's session has the same limits as a server's.
@Suite("AppUnderTest: limits")
struct LimitTests {
    @Test func `by default, a test has the limits of its app`() async throws {
        let app = try AppUnderTest(ShelfApp.self)
        app.send("fill")
        await app.settle()
        app.expectVisible(ShelfScreen(books: ShelfScreen.many, note: "filled"))
        app.finishTest()
    }

    @Test func `a test may set its own limits, and a result that exceeds them causes a warning`() throws {
        let app = try AppUnderTest(ShelfApp.self, limits: Limits())
        app.send("fill")
        app.expectWarning("the result of the effect \"fetchBooks\" was refused") {
            $0.resolve(FetchBooks.self, .success(ShelfScreen.many))
        }
        app.expectVisible(ShelfScreen(note: "resultRefused"))
        app.finishTest()
    }

    @Test func `a result that a test delivers must not exceed the app's limits`() throws {
        let app = try AppUnderTest(ShelfApp.self)
        app.send("fill")
        app.resolve(FetchBooks.self, .success(ShelfScreen.many))
        app.expectVisible(ShelfScreen(books: ShelfScreen.many, note: "filled"))
        app.finishTest()
    }
}

/// An app that needs more than the default limits.
private enum ShelfApp: App {
    static var limits: Limits {
        var limits = Limits()
        limits.stateBytes = 200_000
        limits.outputBytes = 200_000
        return limits
    }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { ShelfCoordinator() }
}

private struct ShelfScreen: Screen, Equatable {
    static let many = Array(repeating: String(repeating: "b", count: 1_000), count: 65)

    enum Event: Codable, CaseIterable { case fill }

    var books: [String] = []
    var note = ""
    var more = String(repeating: "m", count: 1_000)
}

private struct FetchBooks: Effect {
    func run(_ context: EffectContext<NoServices>) async throws -> [String] { ShelfScreen.many }
}

private final class ShelfCoordinator: Coordinator<Never> {
    private var shelf = Handle<ShelfScreen>()

    override func start() {
        shelf = push(ShelfScreen()) { me, _ in
            me.perform(FetchBooks()) { me, result in
                me.shelf.update {
                    switch result {
                    case .success(let books): ($0.books, $0.note) = (books, "filled")
                    case .failure(let failure): $0.note = failure.code
                    }
                }
            }
        }
    }
}
