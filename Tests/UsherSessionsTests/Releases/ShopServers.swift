import PostgresCluster
import Programs
import Testing
import Usher
import UsherJournal
import UsherPostgres
import UsherSQLite

@testable import UsherSessions

/// A kind of journal on which one build of an app serves after another.
enum JournalKind: String, CaseIterable, CustomTestStringConvertible {
    case memory, sqlite, postgres

    /// The journals of one server.
    static let ofOneServer: [JournalKind] = [.memory, .sqlite]
    /// All journals, or only those of this process if `USHER_NO_PROGRAMS` is in the environment, as in `script/check`.
    static let available = Program.environment["USHER_NO_PROGRAMS"] == nil ? allCases : ofOneServer

    var testDescription: String { rawValue }
}

/// Servers of the shop's builds, one after the other on one journal.
final class ShopServers {
    /// The clock of journals that have none of their own.
    let clock = ManualClock()
    let kind: JournalKind
    private let open: (_ build: UInt64, ManualClock) throws -> any Journal
    private var journal: (any Journal)?

    private init(on kind: JournalKind) throws {
        self.kind = kind
        switch kind {
        case .memory:
            let journal = MemoryJournal()
            open = { _, _ in BrittleJournal(journal) }
        case .sqlite:
            let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
            open = { _, clock in
                try SQLiteJournal.open(
                    folder("journal.db"), durability: .sync, now: { clock.now().milliseconds })
            }
        case .postgres:
            let cluster = try PostgresCluster.shared
            let location = try PostgresLocation(cluster.uri(of: cluster.makeDatabase()))
            try Migration.run(on: location)
            open = { build, _ in
                try PostgresJournal(location, as: SharingServer("server", build: "\(build)", connections: 2))
            }
        }
    }

    /// Runs a body with servers on an empty journal, and stops the last of them.
    static func use(_ kind: JournalKind, _ body: (ShopServers) async throws -> Void) async throws {
        let servers = try ShopServers(on: kind)
        do { try await body(servers) } catch {
            await servers.stop()
            throw error
        }
        await servers.stop()
    }

    /// Stops the server, and starts one whose build makes a change.
    func start(
        _ change: ShopChange, build: UInt64, _ bounds: SessionBounds = SessionBounds(),
        observe: @escaping @Sendable (SessionEvent) -> Void = { _ in }
    ) async throws -> SessionRegistry {
        try await start(change.app, build: build, bounds, observe: observe)
    }

    /// Stops the server, and starts one of an app's build.
    func start(
        _ app: any App.Type, build: UInt64, _ bounds: SessionBounds = SessionBounds(),
        observe: @escaping @Sendable (SessionEvent) -> Void = { _ in }
    ) async throws -> SessionRegistry {
        await stop()
        let journal = try open(build, clock)
        self.journal = journal
        return SessionRegistry(
            apps: [app], configuration: bounds, journal: journal, clock: clock,
            crashes: CrashSettings(build: { build }), observe: observe)
    }

    private func stop() async {
        await journal?.close()
        journal = nil
    }
}
