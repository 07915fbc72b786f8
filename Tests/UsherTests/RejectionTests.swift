import Testing
import Usher
import UsherJSON

@Suite("Rejections")
struct RejectionTests {
    @Test(arguments: [
        (#"{"screen":1,"event":"one"}"#, Rejection.Kind.stale, "covered"),
        (#"{"screen":3,"event":"one"}"#, .stale, "never"),
        (#"{"screen":1,"back":true}"#, .stale, "covered"),
        (#"{"screen":3,"back":true}"#, .stale, "never"),
        (#"{"event":"four"}"#, .invalid, "one, two, three"),
        (#"{"event":{"one":{"x":1}}}"#, .invalid, "one"),
        (#"{"popped":1}"#, .invalid, "root"),
        (#"{"popped":9}"#, .stale, "never"),
        (#"{"popped":-1}"#, .stale, "never"),
        (#"{"dismissed":2}"#, .invalid, "not the first screen of a modal"),
        (#"{"dismissed":9}"#, .stale, "never"),
    ])
    func `an invalid input leaves the tree unchanged`(
        action: String, kind: Rejection.Kind, words: String
    ) throws {
        let walker = try Walker(twoScreens())
        let before = try walker.stack
        let rejection = try #require(try walker.rejection(of: action))
        #expect(rejection.kind == kind)
        #expect(rejection.reason.contains(words), "\(rejection.reason)")
        #expect(try walker.stack == before)
        #expect(walker.tree.revision == 1)
        #expect(!walker.tree.isBroken)
    }

    @Test(arguments: [
        (#"5"#, "expected an object"),
        (#"{}"#, "exactly one of"),
        (#"{"event":"one","back":true}"#, "exactly one of"),
        (#"{"event":5}"#, "event's name"),
        (#"{"event":{}}"#, "event's name"),
        (#"{"event":{"one":{},"two":{}}}"#, "event's name"),
        (#"{"event":"one","screen":"1"}"#, "whole number"),
        (#"{"event":"one","screen":1.5}"#, "whole number"),
        (#"{"screen":1}"#, "exactly one of"),
        (#"{"screen":1,"popped":1}"#, "only with \"event\" and \"back\""),
        (#"{"screen":"1","back":true}"#, "whole number"),
        (#"{"back":false}"#, "expected true"),
        (#"{"popped":"2"}"#, "whole number"),
        (#"{"dismissed":null}"#, "whole number"),
        (#"{"events":"one"}"#, "unknown member \"events\""),
    ])
    func `an input with an invalid shape is refused, and the error says what is valid`(action: String, words: String)
        throws
    {
        let json = try JSONDocument(parsing: Array(action.utf8)).root
        let error = try #require(throws: JSONError.self) { try InputAction(json) }
        #expect(error.description.contains(words), "\(error)")
    }

    @Test func `the reason of a refusal is the text that the app's code throws`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { _ in throw Refusal("the shop is closed") }]))
        let rejection = try #require(try walker.rejection(of: #"{"event":"one"}"#))
        #expect(rejection.kind == .refused)
        #expect(rejection.reason == "the shop is closed")
        #expect(walker.tree.isBroken)
    }

    @Test func `a thrown error that is not a Refusal is a failure, whose details are hidden from the client`() throws {
        struct Secret: Error { let password = "hunter2" }
        let walker = try Walker(ScriptedCoordinator(onEvent: [.one: { _ in throw Secret() }]))
        let rejection = try #require(try walker.rejection(of: #"{"event":"one"}"#))
        #expect(rejection.kind == .failed)
        #expect(!rejection.reason.contains("hunter2"))
        #expect(rejection.cause?.contains("hunter2") == true)
    }

    @Test func `if a parent's closure throws an error, the child's input is refused`() throws {
        let walker = try Walker(
            ScriptedCoordinator { root in
                root.start(ScriptedCoordinator(onEvent: [.one: { $0.finish("") }])) { _, _ in throw Refusal("not yet") }
            })
        #expect(try walker.rejection(of: #"{"event":"one"}"#)?.reason == "not yet")
    }

    @Test func `if start() throws an error, the input that started the coordinator is refused`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [.one: { $0.start(ScriptedCoordinator { _ in throw Refusal("full") }) }]))
        #expect(try walker.rejection(of: #"{"event":"one"}"#)?.reason == "full")
    }

    @Test func `no tree is created if the root coordinator's start() throws an error`() throws {
        #expect(throws: Rejection.self) {
            try Walker(ScriptedCoordinator { _ in throw Refusal("closed") })
        }
    }

    @Test func `an input fails if a screen's state cannot be encoded`() throws {
        let walker = try Walker(BadStateCoordinator())
        let rejection = try #require(try walker.rejection(of: #"{"event":"one"}"#))
        #expect(rejection.kind == .failed)
        #expect(rejection.cause?.contains("ratio") == true, "\(rejection)")
    }

    @Test func `a screen cannot change the tree while it is being encoded, and a warning appears`() throws {
        let walker = try Walker(MeddlingCoordinator())
        #expect(try walker.stack == ["meddling#1"])
        #expect(try walker.text("warnings").contains("a screen was being encoded"))
    }

    @Test func `if a screen ends a coordinator while the screen is encoded, the visible screen still gets events`()
        throws
    {
        let walker = try Walker(EndingCoordinator())
        _ = try walker.send("one")
        #expect(walker.tree.visibleScreen == "step 2")
        _ = try walker.send("two")
        #expect(walker.tree.visibleScreen == "ending 1")
        #expect(try walker.handle(#"{"event":"two","screen":1}"#))
    }

    private func twoScreens() -> ScriptedCoordinator {
        ScriptedCoordinator { me in
            me.show()
            me.show()
        }
    }
}

/// A coordinator that shows a number that JSON cannot express.
private final class BadStateCoordinator: Coordinator<Never> {
    struct RatioScreen: Screen {
        enum Event: String, Codable, CaseIterable { case one }
        var ratio = 0.5
    }

    private var screen: Handle<RatioScreen>?

    override func start() {
        screen = push(RatioScreen()) { me, _ in me.screen?.update { $0.ratio = .infinity } }
    }
}

/// A coordinator whose screen pushes another screen while it is encoded, which is not allowed.
private final class MeddlingCoordinator: Coordinator<Never> {
    struct MeddlingScreen: Screen {
        let coordinator: MeddlingCoordinator

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("state")
            coordinator.push(StepScreen()) { _, _ in }
        }
    }

    override func start() {
        push(MeddlingScreen(coordinator: self))
    }
}

/// A coordinator that closes the sheet above it while its own screen is encoded.
private final class EndingCoordinator: Coordinator<Never> {
    struct EndingScreen: Screen {
        enum Event: String, Codable, CaseIterable { case one, two }
        let coordinator: EndingCoordinator
        var ends = false

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("state")
            if ends { coordinator.sheet?.cancel() }
        }
    }

    private final class SheetCoordinator: Coordinator<Never> {
        weak var base: EndingCoordinator?

        override func start() {
            push(StepScreen()) { me, _ in me.base?.screen?.update { $0.ends = true } }
        }
    }

    private weak var sheet: SheetCoordinator?
    private var screen: Handle<EndingScreen>?

    override func start() {
        screen = push(EndingScreen(coordinator: self)) { me, event in
            guard event == .one else { return }
            let sheet = SheetCoordinator()
            sheet.base = me
            me.sheet = sheet
            me.present(sheet, as: .sheet)
        }
    }
}
