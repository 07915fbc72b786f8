import Synchronization
import Testing
import Usher
import UsherTesting

@Suite("AppUnderTest: effects")
struct EffectTests {
    @Test func `settle() runs pending effects with the app's services or with the test's services`() async throws {
        let app = try AppUnderTest(LoadApp.self)
        app.send("load")
        app.expectPending("load")
        app.expectState(#"{"note":""}"#)
        await app.settle()
        app.expectPending()
        app.expectState(#"{"note":"from the app's own services"}"#)

        let other = try AppUnderTest(LoadApp.self, services: LoadServices { "from the test" })
        other.send("load")
        await other.settle()
        other.expectState(#"{"note":"from the test"}"#)
    }

    @Test func `settle() also runs an effect that another effect's result begins, but not an effect that it cancels`()
        async throws
    {
        let count = Counter()
        let app = try AppUnderTest(LoadApp.self, services: LoadServices { "\(count.next())" })
        app.send("chain")
        await app.settle()
        app.expectState(#"{"note":"2"}"#)
        app.send("both")
        app.expectPending("load", "load")
        app.expectTree("Load→[Loading]")
        await app.settle()
        app.expectState(#"{"note":"finished(\"3\")"}"#)
        app.expectTree("Load")
        #expect(count.next() == 4)
    }

    @Test func `settle() does nothing if no effect is pending`() async throws {
        let app = try AppUnderTest(LoadApp.self)
        await app.settle()
        #expect(app.revision == 1)
    }

    @Test func `an effect that fails calls its closure`() async throws {
        let app = try AppUnderTest(
            LoadApp.self, services: LoadServices { throw EffectFailure(code: "offline", message: "no network") })
        app.send("load")
        await app.settle()
        app.expectState(#"{"note":"offline"}"#)
    }

    @Test func `resolve() delivers a result without running the effect`() throws {
        let app = try AppUnderTest(LoadApp.self, services: LoadServices { throw CancellationError() })
        app.send("load")
        app.send("load")
        app.resolve(Load.self, .success("first"))
        app.expectPending("load")
        app.expectState(#"{"note":"first"}"#)
        app.resolve(Load.self, .failure(EffectFailure(code: "offline", message: "no network")))
        app.expectState(#"{"note":"offline"}"#)
        app.finishTest()
    }

    @Test func `resolve() records an issue if the effect is not pending`() throws {
        let app = try AppUnderTest(LoadApp.self)
        expectIssue("the effect \"load\" is not pending; pending: nothing") { app.resolve(Load.self, .success("")) }
        app.send("wait")
        expectIssue("the effect \"load\" is not pending; pending: timer, timer, timer") {
            app.resolve(Load.self, .success(""))
        }
        expectIssue("what is pending", "[load]", "[timer, timer, timer]") { app.expectPending("load") }
    }

    @Test func `if an effect's closure throws an error, an issue has the reason, and the result is refused`() throws {
        let app = try AppUnderTest(LoadApp.self)
        app.send("careless")
        expectIssue("the end of load 2.1: the input was rejected (refused): no more") {
            app.resolve(Load.self, .success(""))
        }
        app.expectPending()
        #expect(app.revision == 3)
        app.send("careless")
        app.expectWarning("the result of the effect \"load\" was refused: no more") {
            $0.resolve(Load.self, .success(""))
        }
        app.finishTest()
    }

    @Test func `effects that begin effects endlessly cause an issue`() async throws {
        let app = try AppUnderTest(LoadApp.self)
        app.send("endless")
        await withKnownIssue {
            await app.settle()
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("effects keep starting new effects: load") }
        }
    }

    @Test func `services that cannot be created cause an issue`() async throws {
        let app = try AppUnderTest(NoServicesApp.self)
        await withKnownIssue {
            await app.settle()
        } matching: { issue in
            issue.comments.contains {
                $0.rawValue.contains("could not be run: Refusal(reason: \"no database\", code: nil)")
            }
        }
    }

    @Test func `advancing the clock fires timers in order, each at its time`() async throws {
        let app = try AppUnderTest(LoadApp.self)
        app.send("wait")
        app.advance(by: .milliseconds(999))
        await app.settle()
        app.expectPending("timer", "timer", "timer")
        app.advance(by: .milliseconds(1))
        app.expectState(#"{"note":"one at 1000;another;"}"#)
        app.advance(by: .seconds(100))
        app.expectPending()
        app.expectState(#"{"note":"one at 1000;another;two at 2000;three at 3000;"}"#)
        app.send("wait")
        app.advance(by: .seconds(1))
        #expect(app.visible?.state.contains("one at 102000") == true)
        app.finishTest()
    }

    @Test func `timers that start timers endlessly cause an issue`() throws {
        let app = try AppUnderTest(LoadApp.self)
        app.send("tick")
        expectIssue("timers keep firing") { app.advance(by: .seconds(1)) }
    }

    @Test func `an effect or timer that is pending at the end is not a leak`() throws {
        let app = try AppUnderTest(LoadApp.self)
        app.send("load")
        app.send("wait")
        app.finishTest()
    }

    @Test func `a message is delivered to the root coordinator`() throws {
        let app = try AppUnderTest(LoadApp.self)
        app.message(LoadCoordinator.Message(text: "hello"))
        app.expectState(#"{"note":"hello"}"#)
        app.expectRefusal(.refused, naming: "nothing to tell") { $0.message(["text": ""]) }
        app.expectRefusal(.invalid, naming: "unknown") { $0.message(["text": "a", "more": "b"]) }
    }

    @Test func `over localhost, only the server handles effects and messages`() async throws {
        try await Place.localhost.run(PlayApp.self) { app in
            expectIssue("the effect \"load\" is not pending") { app.resolve(Load.self, .success("")) }
            expectIssue("only inputs of clients") { app.message("hello") }
        }
    }
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

private enum NoServicesApp: App {
    static func services() throws -> LoadServices { throw Refusal("no database") }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { EagerCoordinator() }
}

private final class EagerCoordinator: Coordinator<Never> {
    override func start() {
        push(OtherScreen()) { _, _ in }
        perform(Load()) { _, _ in }
    }
}
