import Synchronization
import Usher

/// An app with one planted fault or none: a home with a door to the fault.
enum PlantedApp: App {
    /// The faults.
    enum Fault: String, Codable, CaseIterable, Sendable {
        case none, deadEnd, trap, leak, failure, difference, endless, emptyWindow, badExample, warning, untakenFlow
        case pages
    }

    struct Options: Codable, Sendable {
        var fault = Fault.none
    }

    static var options: Options { Options() }

    static var screens: [any Screen.Type] { [HomeScreen.self, RoomScreen.self, StuckScreen.self] }

    static var flowHosts: [any FlowHost.Type] { [PlantedCoordinator.self] }

    static func root(_ options: Options) -> sending AnyCoordinator { PlantedCoordinator(options.fault) }
}

struct HomeScreen: Screen {
    enum Event: Codable, CaseIterable { case open }
}

/// A screen whose only example cannot be decoded.
struct FussyScreen: Screen {
    struct Choice: Codable {
        let number: Int

        init(number: Int) { self.number = number }

        init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no such choice"))
        }
    }

    enum Event: Codable { case choose(Choice) }
    static let examples: [Event] = [.choose(Choice(number: 1))]
}

/// A room with a way back, and a way to the next screen.
struct RoomScreen: Screen {
    enum Event: Codable, CaseIterable { case left, right, close }

    var number = 0
}

/// A page from which the user can only go to the next page.
struct PageScreen: Screen {
    enum Event: Codable { case tap(action: String) }

    static let examples: [Event] = [.tap(action: "Next"), .tap(action: "Skip")]

    let number: Int
    var backRefusal: String? { "there is no way back" }
}

/// A screen that cannot be left.
struct StuckScreen: Screen {
    enum Event: Codable, CaseIterable { case turn }

    var backRefusal: String? { "there is no way back" }
}

final class PlantedCoordinator: Coordinator<Never> {
    private let fault: PlantedApp.Fault
    private static let count = Atomic(0)

    init(_ fault: PlantedApp.Fault) { self.fault = fault }

    override func start() {
        push(HomeScreen()) { me, event in
            switch event {
            case .open: try me.open()
            }
        }
    }

    private func open() throws {
        switch fault {
        case .none, .untakenFlow: showRoom()
        case .pages: showPage(1)
        case .badExample: push(FussyScreen()) { _, _ in }
        case .deadEnd: push(StuckScreen()) { _, _ in throw Refusal("not this way") }
        case .trap: turn(to: StuckScreen())
        case .leak: start(LeakingCoordinator())
        case .failure: throw PlantedFailure()
        case .difference: showRoom(number: Self.count.add(1, ordering: .relaxed).newValue)
        case .endless: showRoom()
        case .emptyWindow: replace(with: SilentCoordinator())
        case .warning:
            dismiss()
            showRoom()
        }
    }

    private func showRoom(number: Int = 0) {
        push(RoomScreen(number: number)) { me, event in
            switch event {
            case .left where me.fault == .warning: me.dismiss()
            case .left where me.fault == .endless: me.showRoom()
            case .right where me.fault == .endless: me.push(StuckScreen()) { me, _ in me.showRoom() }
            case .left, .right: me.push(StuckScreen()) { me, _ in me.popToRoot() }
            case .close: me.pop()
            }
        }
    }

    /// Shows a page.
    ///
    /// The pages differ only in their numbers, and only the last page leads to another screen.
    private func showPage(_ number: Int) {
        push(PageScreen(number: number)) { me, _ in
            if number == 3 { me.showRoom() } else { me.replacePage(number + 1) }
        }
    }

    private func replacePage(_ number: Int) {
        pop()
        showPage(number)
    }

    /// Shows one of two screens that replace each other in turn above the home, which is never visible again.
    private func turn(to screen: StuckScreen) {
        present(screen, as: .fullScreen) { me, _ in
            me.dismiss()
            me.present(RoomScreen(), as: .fullScreen) { me, _ in
                me.dismiss()
                me.turn(to: StuckScreen())
            }
        }
    }
}

extension PlantedCoordinator: FlowHost {
    enum Flow: String, Codable, CaseIterable { case home, room }

    func open(_ flow: Flow) throws -> (any FlowHost)? {
        guard fault != .untakenFlow || flow == .home else { throw Refusal("nobody goes there") }
        popToRoot()
        return nil
    }
}

/// A coordinator that retains itself by a closure.
final class LeakingCoordinator: Coordinator<Void> {
    private var keep: (() -> Void)?

    override func start() {
        keep = { _ = self }
        push(RoomScreen()) { me, _ in me.finish() }
    }
}

/// A coordinator that shows nothing.
final class SilentCoordinator: Coordinator<Void> {}

struct PlantedFailure: Error {}
