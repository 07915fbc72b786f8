import Foundation
import Testing

@testable import UsherClient

struct ScreenRegistryTests {
    struct LoginScreenState: ScreenState {
        enum Event: Codable, Sendable {
            case close
            case login(name: String)
        }

        let failure: String?
    }

    struct DMListScreenState: ScreenState {}

    private static func screen(_ name: String, state: JSON) -> Screen {
        Screen(id: 7, screen: name, coordinator: "app", shown: .push, state: state, events: nil)
    }

    @Test("a screen's name is its type's name in lower camel case")
    func names() {
        #expect(LoginScreenState.screenName == "login")
        #expect(DMListScreenState.screenName == "dmList")
    }

    @Test("a registered screen gets its type, and an unregistered screen gets the fallback")
    func states() {
        var screens = ScreenRegistry<any ScreenState>()
        screens.register(LoginScreenState.self)
        #expect(screens.names == ["login"])
        let known = screens.content(of: Self.screen("login", state: ["failure": "wrong"]))
        #expect((known as? LoginScreenState)?.failure == "wrong")
        let unknown = screens.content(of: Self.screen("main", state: ["a": 1]))
        #expect((unknown as? UnknownScreenState)?.json == ["a": 1])
    }

    @Test("a state that cannot be decoded gets the fallback with the reason")
    func undecodable() {
        var screens = ScreenRegistry<String> { screen, reason in
            if case .undecodable = reason { "\(screen.screen) is newer" } else { "unregistered" }
        }
        screens.register(LoginScreenState.self) { "login \($0.id) \($0.state.failure ?? "")" }
        #expect(screens.content(of: Self.screen("login", state: [:])) == "login 7 ")
        #expect(screens.content(of: Self.screen("login", state: ["failure": 1])) == "login is newer")
        #expect(screens.content(of: Self.screen("main", state: [:])) == "unregistered")
    }

    @Test("a typed event is sent in Swift's encoding and names its screen")
    func typedEvents() async throws {
        let transport = ScriptedTransport { _, _ in .json(state(2)) }
        let session = try await Session.open("a", on: server, settings: .scripted(transport, isWatching: false))
        let screen = TypedScreen(
            screen: Self.screen("login", state: [:]), state: LoginScreenState(failure: nil))
        _ = try await session.enqueue(.login(name: "kim"), of: screen).state
        _ = try await session.enqueue(.close, of: screen).state
        #expect(
            transport.events.compactMap(\.body) == [
                ["screen": 7, "event": ["login": ["name": "kim"]]], ["screen": 7, "event": ["close": [:]]],
            ])
    }
}

struct NavigationModelTests {
    private static func read(_ screens: [JSON], revision: Int64 = 1) throws -> SessionState {
        try state(revision, stack: .array(screens)).decoded()
    }

    private static func model(_ screens: JSON...) throws -> NavigationModel {
        var model = NavigationModel()
        model.show(try read(screens))
        return model
    }

    private static func ids(_ model: NavigationModel) -> [[Int]] { model.layers.map { [$0.id] + $0.pathIDs } }

    private static let sheet = [screen(1, shown: "root"), screen(2), screen(3, shown: "sheet"), screen(4)]

    @Test("each modal begins a new layer of screens")
    func layers() throws {
        let model = try Self.model(
            screen(1, shown: "root"), screen(2), screen(3, shown: "sheet"), screen(4), screen(5, shown: "alert"))
        #expect(Self.ids(model) == [[1, 2], [3, 4], [5]])
        #expect(model.layers.map(\.isClosable) == [false, true, false])
    }

    @Test("a swipe back is shown at once, and the report names the lowest screen that left")
    func popped() throws {
        var model = try Self.model(screen(1, shown: "root"), screen(2), screen(3))
        #expect(model.setPath([], of: 1) == .popped(2))
        #expect(Self.ids(model) == [[1]])
        // An older state must not bring the popped screens back.
        model.show(try Self.read([screen(1, shown: "root"), screen(2), screen(3)]))
        #expect(Self.ids(model) == [[1]])
        model.decide(.popped(2), at: try Self.read([screen(1, shown: "root")], revision: 2))
        #expect(Self.ids(model) == [[1]])
    }

    @Test("a pop that the server refuses is undone")
    func refusedPop() throws {
        var model = try Self.model(screen(1, shown: "root"), screen(2))
        let reported = model.setPath([], of: 1)
        let fact = try #require(reported)
        model.decide(fact, at: try Self.read([screen(1, shown: "root"), screen(2)]))
        #expect(Self.ids(model) == [[1, 2]])
    }

    @Test(
        "a path that is unchanged or has unknown screens is not reported", arguments: [[2], [2, 9], [9]])
    func noFact(path: [Int]) throws {
        var model = try Self.model(screen(1, shown: "root"), screen(2))
        #expect(model.setPath(path, of: 1) == nil)
        #expect(Self.ids(model) == [[1, 2]])
    }

    @Test("a dismissed sheet is reported once and closes the modals above it")
    func dismissed() throws {
        var model = NavigationModel()
        model.show(try Self.read(Self.sheet + [screen(5, shown: "popover")]))
        #expect(model.dismiss(3) == .dismissed(3))
        #expect(model.dismiss(3) == nil)
        #expect(Self.ids(model) == [[1, 2]])
        model.decide(.dismissed(3), at: try Self.read(Self.sheet))
        #expect(Self.ids(model) == [[1, 2], [3, 4]])
    }

    @Test("a modal that the user cannot dismiss, or that the server closed, is not reported as dismissed")
    func notDismissed() throws {
        var model = try Self.model(screen(1, shown: "root"), screen(2, shown: "fullScreen"))
        #expect(model.dismiss(2) == nil)
        #expect(model.dismiss(1) == nil)
        #expect(model.dismiss(9) == nil)
        #expect(Self.ids(model) == [[1], [2]])
    }

    @Test(
        "an earlier event of a sheet's root does not undo the sheet's later dismissal"
    )
    func earlierEvent() throws {
        var model = NavigationModel()
        model.show(try Self.read(Self.sheet))
        #expect(model.dismiss(3) == .dismissed(3))
        model.decide(.event(named: "load", screen: 3), at: try Self.read(Self.sheet))
        #expect(Self.ids(model) == [[1, 2]])
        model.decide(.dismissed(3), at: try Self.read(Self.sheet))
        #expect(Self.ids(model) == [[1, 2], [3, 4]])
        let closing = model.sendClosing("done", of: 3)
        model.decide(.event(named: "load", screen: 3), at: try Self.read(Self.sheet))
        #expect(Self.ids(model) == [[1, 2]])
        model.decide(closing, at: try Self.read(Self.sheet))
        #expect(Self.ids(model) == [[1, 2], [3, 4]])
    }

    @Test("an action of a sheet is sent as an event and closes the sheet, and no dismissal is reported")
    func action() throws {
        var model = try Self.model(screen(1, shown: "root"), screen(2, shown: "actionSheet"))
        let input = model.sendClosing("yes", of: 2)
        #expect(input == .event("yes", screen: 2))
        #expect(model.dismiss(2) == nil)
        #expect(Self.ids(model) == [[1]])
        model.decide(input, at: try Self.read([screen(1, shown: "root")], revision: 2))
        #expect(Self.ids(model) == [[1]])
    }
}

@MainActor
struct NavigationDriverTests {
    @Test("a driver shows the session's screens and reports the user's gestures")
    func reports() async throws {
        let two = state(1, stack: [screen(1, shown: "root"), screen(2)])
        let transport = ScriptedTransport { request, _ in
            request.isOpening ? .json(two, status: 201) : .refusal(422, "refused", current: two)
        }
        let session = try await Session.open("a", on: server, settings: .scripted(transport, isWatching: false))
        let driver = NavigationDriver(session)
        #expect(driver.layers.map(\.pathIDs) == [[2]])
        driver.setPath([], of: 1)
        #expect(driver.layers.map(\.pathIDs) == [[]])
        await driver.send(.back()).value
        #expect(transport.events.compactMap(\.body) == [["popped": 2], ["screen": 1, "back": true]])
        #expect(driver.refusal?.status == 422)
        #expect(driver.layers.map(\.pathIDs) == [[2]])
        session.close()
    }

    @Test("a driver follows the session until the session has ended")
    func follows() async throws {
        let live = ScriptedStream(state(1))
        let transport = ScriptedTransport { request, _ in request.isStream ? live.response : .json(state(1)) }
        let session = try await Session.open("a", on: server, settings: .scripted(transport))
        let driver = NavigationDriver(session)
        live.tell(state(2, stack: [screen(1, shown: "root"), screen(2)]))
        live.tell(state(3, stack: [screen(1, shown: "root")], more: ["ended": ["reason": "finished"]]))
        await driver.follow()
        #expect(driver.connection == .ended)
        #expect(driver.layers.map(\.pathIDs) == [[]])
    }
}
