import Testing

@testable import UsherClient

/// Tests of the controllers of screens, which UIKit apps keep.
struct ControllerTests {
    private final class Controller {
        var screen: Screen
        init(_ screen: Screen) { self.screen = screen }
    }

    private static func read(_ screens: [JSON], tab: JSON? = nil, names: JSON = ["home", "chat"]) throws -> SessionState
    {
        let tabs = tab.map { ["tabs": ["selected": $0, "names": names] as JSON] } ?? [:]
        return try state(1, stack: .array(screens), more: tabs).decoded()
    }

    private static let home = [screen(1, shown: "root"), screen(2)]
    private static let sheet = home + [screen(3, shown: "sheet"), screen(4)]

    private static func window() -> ControllerWindow<Controller> {
        ControllerWindow(make: Controller.init) { $0.screen = $1 }
    }

    private static func ids(_ window: ControllerWindow<Controller>) -> [[Int]] {
        window.layers.map { window.controllers(of: $0).map(\.screen.id) }
    }

    @Test("a screen's controller stays as long as the screen, also in a hidden tab")
    func identity() throws {
        var stack = ControllerStack<Controller>(make: Controller.init) { $0.screen = $1 }
        let home = try Self.read(Self.home, tab: "home")
        let chat = try Self.read([screen(3, shown: "root")], tab: "chat")
        let back = try Self.read([screen(1, shown: "root"), screen(2, state: ["new": true])], tab: "home")
        stack.apply(ViewOperation.leading(from: nil, to: home))
        let first = stack.entries.map(\.controller)
        stack.apply(ViewOperation.leading(from: home, to: chat))
        #expect(stack.entries.map(\.screen.id) == [3])
        stack.apply(ViewOperation.leading(from: chat, to: back))
        #expect(zip(stack.entries, first).allSatisfy { $0.controller === $1 })
        #expect(first[1].screen.state == ["new": true])
    }

    @Test(
        "controllers of screens that left a hidden tab are released when the tab is selected or removed"
    )
    func hidden() throws {
        var stack = ControllerStack<Controller>(make: Controller.init) { $0.screen = $1 }
        let home = try Self.read(Self.home, tab: "home")
        let chat = try Self.read([screen(3, shown: "root"), screen(4)], tab: "chat")
        let rest = try Self.read([screen(1, shown: "root")], tab: "home")
        let news = try Self.read([screen(1, shown: "root")], tab: "home", names: ["home", "news"])
        stack.apply(ViewOperation.leading(from: nil, to: home))
        weak let root = stack.entries[0].controller
        weak let detail = stack.entries[1].controller
        stack.apply(ViewOperation.leading(from: home, to: chat))
        weak let talk = stack.entries[1].controller
        #expect(detail != nil && root != nil)
        stack.apply(ViewOperation.leading(from: chat, to: rest))
        #expect(detail == nil && root != nil && talk != nil)
        stack.apply(ViewOperation.leading(from: rest, to: news))
        #expect(talk == nil && root != nil)
    }

    @Test("a container that shows fewer controllers than it was given reports the popped screen once")
    func popped() throws {
        var window = Self.window()
        window.show(try Self.read(Self.sheet + [screen(5)]))
        #expect(Self.ids(window) == [[1, 2], [3, 4, 5]])
        let sheet = window.controllers(of: window.layers[1])
        #expect(window.setControllers(sheet, of: 3) == nil)
        #expect(window.setControllers([sheet[0]], of: 3) == .popped(4))
        #expect(window.setControllers([sheet[0]], of: 3) == nil)
        #expect(Self.ids(window) == [[1, 2], [3]])
    }

    @Test("no state brings a dismissed screen back before the server has accepted or refused the dismissal")
    func undecided() throws {
        var window = Self.window()
        window.show(try Self.read(Self.sheet))
        #expect(window.dismiss(3) == .dismissed(3))
        window.show(try Self.read(Self.sheet + [screen(5)]))
        #expect(Self.ids(window) == [[1, 2]])
        window.decide(.dismissed(3), at: try Self.read(Self.sheet))
        #expect(Self.ids(window) == [[1, 2], [3, 4]], "it was refused")
    }

    @Test("replacing a modal closes the modal and the modals above it, and presents the new modal")
    func modals() throws {
        var window = Self.window()
        window.show(try Self.read(Self.sheet + [screen(5, shown: "popover")]))
        #expect(window.step(from: []) == .present(window.layers[1]))
        #expect(window.step(from: [3]) == .present(window.layers[2]))
        #expect(window.step(from: [3, 5]) == nil)
        window.show(try Self.read(Self.home + [screen(6, shown: "fullScreen")]))
        #expect(window.step(from: [3, 5]) == .close(from: 0))
        #expect(window.step(from: []) == .present(window.layers[1]))
        #expect(window.layers[1].shown == .fullScreen)
    }

    @Test("closing a modal keeps the modals below it")
    func closed() throws {
        var window = Self.window()
        window.show(try Self.read(Self.sheet))
        #expect(window.step(from: [3, 5]) == .close(from: 1))
    }
}
