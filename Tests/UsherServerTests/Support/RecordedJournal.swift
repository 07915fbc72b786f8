import Programs
import Usher
import UsherJournal
import UsherProcess
import UsherSQLite
import UsherServer
import UsherSessions

/// A journal on disk for one test, which can be served, inspected, and served again.
final class RecordedJournal: Sendable {
    private let folder: TemporaryFolder
    private let durability: Durability

    init(_ durability: Durability = .sync) throws {
        folder = try TemporaryFolder()
        self.durability = durability
    }

    var path: String { folder("journal.sqlite") }

    /// Opens the journal, and closes it afterwards.
    func use<Value>(_ body: (any Journal) async throws -> Value) async throws -> Value {
        let journal = try SQLiteJournal.open(
            path, durability: durability, for: .serving, now: { WallTime.milliseconds() })
        do {
            let value = try await body(journal)
            await journal.close()
            return value
        } catch {
            await journal.close()
            throw error
        }
    }

    /// Serves apps on the journal, in process.
    func serve(
        _ apps: [any App.Type], build: UInt64 = BuildIdentity.current,
        configure: (inout ServeOptions) -> Void = { _ in }, lines: LogLines = LogLines(),
        _ body: (Stage) async throws -> Void
    ) async throws {
        var options = ServeOptions.test
        configure(&options)
        let log = Log(.text, milliseconds: { 0 }, sink: lines.add)
        try await use { journal in
            let crashes = try await CrashSettings(reading: journal) { build }
            let application = Application(apps: apps, options: options, journal: journal, crashes: crashes, log: log)
            // A server does this several times a minute, and then knows which sessions are on hold.
            await application.sweep()
            try await body(Stage(lines: lines) { request in await application.respond(to: request) })
        }
    }

    /// Runs a command of the command line on the journal.
    func run(_ arguments: String..., apps: [any App.Type]) async throws -> (status: Int32, lines: [String]) {
        guard
            case .inspect(let command) = try Command(
                arguments + ["--journal", "sqlite:\(path)"], environment: { _ in nil })
        else { throw NoSuchCommand() }
        var lines: [String] = []
        let status = try await command.run(apps: apps) { lines.append($0) }
        return (status, lines)
    }

    private struct NoSuchCommand: Error {}
}
