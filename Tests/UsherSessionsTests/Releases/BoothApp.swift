import Usher

/// The booth in one of its builds.
protocol BoothRelease: Sendable {
    /// A Boolean value indicating whether guests go to another aisle.
    static var hasNewAisle: Bool { get }
}

enum OldBooth: BoothRelease { static let hasNewAisle = false }
enum NewBooth: BoothRelease { static let hasNewAisle = true }

/// An app whose timers do different things.
enum Booth<Release: BoothRelease>: App {
    static var name: String { "booth" }
    static var options: BoothOptions { BoothOptions() }
    static func root(_ options: BoothOptions) -> sending AnyCoordinator { BoothCoordinator(options, Release.self) }
}

struct BoothOptions: Codable, Sendable {
    var log: [String] = []
}

struct BoothScreen: Screen {
    enum Event: Codable {
        /// Timers of so many seconds add a line, show another screen, or fail.
        case log(Int, Int), cover(Int), fail(Int)
        case note(String)
        case go, refuse, quit, again
    }
    static let examples: [Event] = [
        .log(1, 2), .cover(1), .fail(1), .note("n"), .go, .refuse, .quit, .again,
    ]

    var log: [String]
}

struct AisleScreen: Screen { enum Event: Codable, CaseIterable { case leave } }
struct NewAisleScreen: Screen { enum Event: Codable, CaseIterable { case leave } }
struct CoverScreen: Screen { enum Event: Codable, CaseIterable { case close } }

final class BoothCoordinator: Coordinator<Void> {
    private let release: any BoothRelease.Type
    private let options: BoothOptions
    private var screen = Handle<BoothScreen>()

    init(_ options: BoothOptions, _ release: any BoothRelease.Type) {
        (self.options, self.release) = (options, release)
    }

    override func start() {
        screen = push(BoothScreen(log: options.log)) { me, event in try me.handle(event) }
    }

    private func handle(_ event: BoothScreen.Event) throws {
        switch event {
        case .log(let first, let second):
            for seconds in [first, second] { after(.seconds(seconds)) { me in me.add("\(seconds)") } }
        case .cover(let seconds): after(.seconds(seconds)) { me in me.push(CoverScreen()) { me, _ in me.pop() } }
        case .fail(let seconds): after(.seconds(seconds)) { _ in throw Refusal("no timer") }
        case .note(let line): add(line)
        case .go: if release.hasNewAisle { push(NewAisleScreen()) { me, _ in me.pop() } } else { showAisle() }
        case .refuse: throw Refusal("no")
        case .quit: finish()
        case .again: try startOver(with: BoothOptions(log: ["again"]))
        }
    }

    private func showAisle() { push(AisleScreen()) { me, _ in me.pop() } }

    private func add(_ line: String) { screen.update { $0.log.append(line) } }
}
