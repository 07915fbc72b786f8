import Testing
import Usher
import UsherJSON
import UsherJournal
import UsherSessions

/// The limits that an app sets to its sessions, and that a server bounds.
@Suite("The limits that an app sets", .timeLimit(.minutes(5)))
struct AppLimitTests {
    private let journal = MemoryJournal()

    @Test func `a session may grow to the limits that its app sets`() async throws {
        let registry = registry()
        let id = try await open(CatalogApp.self, in: registry)
        let answer = try await load(150, id, in: registry)
        #expect(try rows(of: answer) == 150)
        #expect(!answer.text.contains("warnings"))
    }

    @Test func `an effect's closure gets the reason if the effect's result is refused`() async throws {
        let registry = registry()
        let id = try await open(SmallCatalogApp.self, in: registry)
        let answer = try await load(60, id, in: registry)
        let reason = "the screens of a session can hold at most 65536 bytes of state"
        #expect(try rows(of: answer) == 0)
        #expect(answer.text.contains(#""isLoading":false,"failure":"resultRefused: \#(reason)""#), "\(answer.text)")
        let warning = #"catalog: the result of the effect \"loadRows\" was refused: \#(reason)"#
        #expect(answer.text.contains(#""warnings":["\#(warning)"]"#), "\(answer.text)")
        #expect(answer.text.contains(#""pending":[]"#))
        #expect(try await registry.snapshot(of: id).text == self.registry().snapshot(of: id).text)
    }

    @Test func `an effect whose output exceeds the app's limit fails`() async throws {
        let registry = registry()
        let id = try await open(SmallCatalogApp.self, in: registry)
        let answer = try await load(70, id, in: registry)
        #expect(answer.text.contains(#""failure":"tooLarge: "#), "\(answer.text)")
    }

    @Test func `if the server's limit is lower than the app's limit, the server's limit applies`() async throws {
        let registry = registry(stateLimit: 100_000)
        let id = try await open(CatalogApp.self, in: registry)
        #expect(try await load(150, id, in: registry).text.contains(#""failure":"tooLarge: "#))
        #expect(try await load(80, id, in: registry).text.contains(#""rows":["#))
        let answer = try await load(80, id, in: registry)
        #expect(answer.text.contains("at most 100000 bytes of state"), "\(answer.text)")
        #expect(try rows(of: answer) == 80)
    }

    @Test func `a session that exceeds a server's lower limit continues, but its state may only shrink`() async throws {
        let large = registry()
        let id = try await open(CatalogApp.self, in: large)
        let before = try await load(150, id, in: large)
        let small = registry(stateLimit: 100_000)
        let after = try await small.snapshot(of: id)
        #expect(after.revision == before.revision)
        #expect(try rows(of: after) == 150)
        let answer = try await send(#""clear""#, id, in: small)
        #expect(try rows(of: answer) == 0)
    }

    private func registry(stateLimit: Int? = nil) -> SessionRegistry {
        var configuration = SessionRegistry.Configuration()
        if let stateLimit { configuration.stateLimit = stateLimit }
        return SessionRegistry(
            apps: [CatalogApp.self, SmallCatalogApp.self], configuration: configuration, journal: journal,
            clock: ManualClock())
    }

    private func open(_ app: any App.Type, in registry: SessionRegistry) async throws -> SessionID {
        try await registry.open(app.name).session.id
    }

    /// Loads so many rows of 1,000 bytes.
    private func load(_ count: Int, _ id: SessionID, in registry: SessionRegistry) async throws -> Snapshot {
        try await send(#"{"load":{"count":\#(count)}}"#, id, in: registry)
    }

    private func send(_ event: String, _ id: SessionID, in registry: SessionRegistry) async throws -> Snapshot {
        let action = try InputAction(JSONDocument(parsing: Array(#"{"event":\#(event)}"#.utf8)).root)
        return try await registry.handle(InputRequest(action, wait: .seconds(5)), on: id)
    }

    private func rows(of snapshot: Snapshot) throws -> Int? {
        let stack = try JSONDocument(parsing: snapshot.state).root[member: "stack"]
        let screen = stack?.elements.first { _ in true }
        return screen?[member: "state"]?[member: "rows"]?.elements.reduce(0) { count, _ in count + 1 }
    }
}

/// An app whose lists are long.
private enum CatalogApp: App {
    static var limits: Limits {
        var limits = Limits()
        limits.stateBytes = 200 * 1024
        limits.outputBytes = 200 * 1024
        return limits
    }

    static func root(_ options: NoOptions) -> sending AnyCoordinator { CatalogCoordinator() }
}

/// The same with the default limits.
private enum SmallCatalogApp: App {
    static func root(_ options: NoOptions) -> sending AnyCoordinator { CatalogCoordinator() }
}

private struct CatalogScreen: Screen {
    var rows: [String] = []
    var isLoading = false
    var failure: String?
    /// Something else that takes room.
    var picture = String(repeating: "p", count: 10_000)

    enum Event: Codable { case load(count: Int), clear }
    static let examples: [Event] = [.load(count: 1), .clear]
}

private struct LoadRows: Effect {
    let count: Int

    func run(_ context: EffectContext<NoServices>) async throws -> [String] {
        Array(repeating: String(repeating: "x", count: 1_000), count: count)
    }
}

private final class CatalogCoordinator: Coordinator<Never> {
    private var screen = Handle<CatalogScreen>()

    override func start() {
        screen = push(CatalogScreen()) { me, event in
            switch event {
            case .load(let count): me.load(count)
            case .clear: me.screen.update { $0.rows = [] }
            }
        }
    }

    private func load(_ count: Int) {
        screen.update { $0.isLoading = true }
        perform(LoadRows(count: count)) { me, result in
            me.screen.update {
                $0.isLoading = false
                switch result {
                case .success(let rows): $0.rows += rows
                case .failure(let failure): $0.failure = "\(failure.code): \(failure.message)"
                }
            }
        }
    }
}
