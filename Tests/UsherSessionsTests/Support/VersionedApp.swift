import Usher

/// The versions of the screens of one build.
protocol ScreenVersions: SendableMetatype {
    static var lobby: Int { get }
    static var gate: Int { get }
    /// Set where older clients see the gate as it was in version 1.
    static var hasFallback: Bool { get }
}

extension ScreenVersions {
    static var lobby: Int { 1 }
    static var gate: Int { 1 }
    static var hasFallback: Bool { false }
}

/// All screens in their first version.
enum FirstVersions: ScreenVersions {}

/// Another gate.
enum LaterGate: ScreenVersions {
    static let gate = 2
}

/// Another gate, for clients that cannot draw it the old one.
enum LaterGateWithFallback: ScreenVersions {
    static let gate = 2
    static let hasFallback = true
}

/// Another beginning.
enum LaterLobby: ScreenVersions {
    static let lobby = 2
}

/// An app in several builds, whose screens differ in their versions alone.
enum VersionedApp<Versions: ScreenVersions>: App {
    static var name: String { "versioned" }
    static func root(_ options: NoOptions) -> sending AnyCoordinator { VersionedCoordinator<Versions>() }
}

struct LobbyScreen<Versions: ScreenVersions>: Screen {
    enum Event: String, Codable, CaseIterable { case gate, hall, wait, fetch }
    static var version: Int { Versions.lobby }

    let client: String
}

struct GateScreen<Versions: ScreenVersions>: Screen {
    enum Event: String, Codable, CaseIterable { case pass }
    static var version: Int { Versions.gate }

    func fallback(for client: Client) -> (any Screen<Event>)? {
        Versions.hasFallback ? OldGateScreen<Event>() : nil
    }
}

struct OldGateScreen<Event: Codable & Sendable & CaseIterable>: Screen {
    static var name: String { "gate" }
    static var examples: [Event] { Array(Event.allCases) }

    let isOld = true
}

struct HallScreen: Screen {}

/// Work that comes to its end at once.
struct OpenGate: Effect {
    func run(_ context: EffectContext<NoServices>) async throws -> Bool { true }
}

final class VersionedCoordinator<Versions: ScreenVersions>: Coordinator<Never> {
    override func start() {
        push(LobbyScreen<Versions>(client: "\(client)")) { me, event in
            switch event {
            case .gate: me.showGate()
            case .hall: me.push(HallScreen())
            case .wait: me.after(.seconds(1)) { $0.showGate() }
            case .fetch: me.perform(OpenGate()) { me, _ in me.showGate() }
            }
        }
    }

    private func showGate() {
        push(GateScreen<Versions>()) { me, _ in me.replace(with: HallScreen()) }
    }
}
