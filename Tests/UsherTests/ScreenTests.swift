import Testing
import Usher
import UsherJSON

@Suite("Screens and their events")
struct ScreenTests {
    @Test func `a screen that leaves during its own update keeps no state`() throws {
        let root = ScriptedCoordinator(onEvent: [
            .one: { me in
                me.show()
                me.handles.last?.update { screen in
                    screen.note = "late"
                    me.pop()
                }
            }
        ])
        let walker = try Walker(root)
        try walker.send("one")
        #expect(try walker.stack == ["step#1"])
        #expect(root.handles.last?.id == nil)
        #expect(root.handles.last?.screen == nil)
    }

    @Test func `the name of a screen or coordinator is its type's name without the suffix`() {
        #expect(LoginScreen.name == "login")
        #expect(DMListScreen.name == "dmList")
        #expect(URLScreen.name == "url")
        #expect(DMCoordinator.name == "dm")
        #expect(TabBarCoordinator.name == "tabBar")
        #expect(RenamedCoordinator.name == "other")
        #expect(GenericCoordinator<Int>.name == "generic")
        #expect(SpecialOffersApp.name == "special-offers")
    }

    @Test func `a screen or coordinator can declare its own name, which is used in paths and stacks`() throws {
        let walker = try Walker(
            ScriptedCoordinator(onEvent: [
                .one: { me in
                    for number in [7, 8, 8] { me.start(RoomCoordinator(number: number)) }
                }
            ]))
        try walker.send("one")
        #expect(try walker.stack == ["step#1", "room 7#2", "room 8#3", "room 8#4"])
        let paths = try walker.state[member: "stack"]?.elements.map { $0[member: "coordinator"]?.string ?? "" }
        #expect(paths == ["scripted", "scripted/room-7", "scripted/room-8", "scripted/room-8#4"])
        #expect(try walker.text("stack").contains(#""events":{"leave":{}}"#))
        let children = try walker.report[member: "root"]?[member: "children"]?.elements.compactMap {
            $0[member: "name"]?.string
        }
        #expect(children == ["room-7", "room-8", "room-8#4"])
        #expect(try walker.rejection(of: #"{"event":"fly"}"#)?.reason.contains("the screen \"room 8\"") == true)
        try walker.send("leave")
        #expect(walker.tree.leaks.map(\.coordinator) == ["scripted/room-8#4"])
        #expect(try walker.tree.isFaithful)
    }

    @Test func `an event's payload is decoded, and the examples in the state show the payload`() throws {
        let walker = try Walker(FormCoordinator())
        #expect(
            try walker.text("stack").contains(
                #""events":{"close":{},"log_in":{"name":"kim"},"rate":{"_0":5}}"#))
        try walker.handle(#"{"event":{"log_in":{"name":"lee"}}}"#)
        #expect(try walker.text("stack").contains(#""last":"lee""#))
        try walker.handle(#"{"event":{"rate":{"_0":3}}}"#)
        #expect(try walker.text("stack").contains(#""last":"3""#))
        try walker.handle(#"{"event":{"close":{}}}"#)
        #expect(try walker.text("stack").contains(#""last":"closed""#))
    }

    @Test(arguments: [
        (#"{"event":"log_in"}"#, "name"),
        (#"{"event":{"log_in":{}}}"#, "name"),
        (#"{"event":{"log_in":{"name":5}}}"#, "/event/log_in/name"),
        (#"{"event":{"log_in":{"name":"kim","x":1}}}"#, "\"x\""),
        (#"{"event":{"close":5}}"#, "close"),
        (#"{"event":{"close":{"x":1}}}"#, "x"), (#"{"event":{"close":"x"}}"#, "takes no payload"),
        (#"{"event":{"close":null}}"#, "takes no payload"),
        (#"{"event":{"rate":{"_0":"many"}}}"#, "/event/rate/_0"),
        (#"{"event":{"rate":{"_0":1e99}}}"#, "/event/rate/_0"),
    ])
    func `if a payload cannot be decoded, the input is refused and the error says what is wrong`(
        action: String, words: String
    ) throws {
        try Walker(FormCoordinator()).expectInvalid(action, naming: words)
    }

    @Test func `an event that the examples lack is accepted, and an error in its payload is reported`() throws {
        let walker = try Walker(ForgetfulCoordinator())
        #expect(try walker.text("stack").contains(#""events":{"close":{}}"#))
        #expect(try walker.handle(#"{"event":{"rate":{"stars":3}}}"#))
        let rejection = try walker.rejection(of: #"{"event":{"rate":{"stars":"many"}}}"#)
        #expect(rejection?.reason.contains("/event/rate/stars") == true, "\(String(describing: rejection))")
        #expect(try walker.rejection(of: #"{"event":"fly"}"#)?.reason.contains("it takes: close") == true)
    }

    @Test func `a screen without events lists no events and refuses every event`() throws {
        let walker = try Walker(SilentCoordinator())
        #expect(try walker.text("stack").contains(#""events":{}"#))
        #expect(try walker.rejection(of: #"{"event":"any"}"#)?.reason.contains("takes none") == true)
    }

    private struct LoginScreen: Screen {}
    private struct DMListScreen: Screen {}
    private struct URLScreen: Screen {}
    private final class DMCoordinator: Coordinator<Never> {}
    private final class TabBarCoordinator: Coordinator<Never> {}
    private final class GenericCoordinator<Item>: Coordinator<Item> {}
    private final class RenamedCoordinator: Coordinator<Never> {
        override class var name: String { "other" }
    }
    private enum SpecialOffersApp: App {
        static func root(_ options: NoOptions) -> sending AnyCoordinator { TabBarCoordinator() }
    }
}

private struct RoomScreen: Screen {
    enum Event: String, Codable, CaseIterable { case leave }
    let number: Int
    var instanceName: String? { "room \(number)" }
}

/// A room that retains itself.
private final class RoomCoordinator: Coordinator<Void> {
    private let number: Int
    private var itself: RoomCoordinator?
    override var instanceName: String? { "room-\(number)" }

    init(number: Int) {
        self.number = number
    }

    override func start() {
        push(RoomScreen(number: number)) { me, _ in
            me.itself = me
            me.finish()
        }
    }
}

private struct FormScreen: Screen {
    enum Event: Codable {
        case close
        case logIn(name: String)
        case rate(Int)

        enum CodingKeys: String, CodingKey {
            case close
            case logIn = "log_in"
            case rate
        }
    }
    static let examples: [Event] = [.close, .logIn(name: "kim"), .rate(5)]
    var last = ""
}

private final class FormCoordinator: Coordinator<Never> {
    private var screen: Handle<FormScreen>?

    override func start() {
        screen = push(FormScreen()) { me, event in
            me.screen?.update { screen in
                switch event {
                case .close: screen.last = "closed"
                case .logIn(let name): screen.last = name
                case .rate(let stars): screen.last = "\(stars)"
                }
            }
        }
    }
}

private final class SilentCoordinator: Coordinator<Never> {
    private struct SilentScreen: Screen {}

    override func start() {
        push(SilentScreen())
    }
}

private final class ForgetfulCoordinator: Coordinator<Never> {
    private struct ForgetfulScreen: Screen {
        enum Event: Codable { case close, rate(stars: Int) }
        static let examples: [Event] = [.close]
    }

    override func start() {
        push(ForgetfulScreen()) { _, _ in }
    }
}
