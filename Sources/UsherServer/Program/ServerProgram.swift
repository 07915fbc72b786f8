public import Usher
import UsherContract
public import UsherJournal
import UsherProcess
import UsherSessions

/// A server with the whole command line: list its apps and mark it `@main`.
///
/// ```swift
/// @main
/// enum CounterServer: ServerProgram {
///     static var apps: [any App.Type] { [CounterApp.self] }
/// }
/// ```
public protocol ServerProgram {
    /// The apps that sessions can be opened on; their names must be unique.
    static var apps: [any App.Type] { get }

    /// The databases that can store the journal besides SQLite files and memory, such as UsherPostgres's `.postgres`.
    static var journals: [JournalEngine] { get }
}

/// A kind of database that can store a server's journal; each kind is a separate product.
public typealias JournalEngine = UsherJournal.JournalEngine

extension ServerProgram {
    /// An empty list: by default, journals are SQLite files or in memory.
    public static var journals: [JournalEngine] { [] }

    /// Runs the command line's command and exits the process.
    @MainActor public static func main() async {
        // Called before any thread starts, because threads inherit the blocked signals.
        let signals = TerminationSignals()
        let status = await Program(apps: apps, journals: journals, signals: signals).run(
            Array(CommandLine.arguments.dropFirst()))
        ProcessEnvironment.exit(status)
    }
}

struct Program {
    let apps: [any App.Type]
    let journals: [JournalEngine]
    let signals: TerminationSignals

    static let version = "0.1.0"

    /// The version; it includes the commit if `script/build` built the program.
    static var build: String {
        #if USHER_STAMP
            "\(version) (\(BuildStamp.commit))"
        #else
            version
        #endif
    }

    /// The executable's name: `usher` or the name of an author's server.
    private let name = ProcessEnvironment.programName

    /// Runs the command line's command; returns the exit status: 0, 1 for a failure at run time, or 2 for wrong usage.
    func run(_ arguments: [String]) async -> Int32 {
        do {
            try checkNames()
            let command = try Command(arguments, engines: journals, environment: ProcessEnvironment.variable)
            if case .serve(let options) = command {
                return try Serving(apps: apps, options: options).run(until: signals)
            }
            let status = try await perform(command)
            guard let failure = StandardStream.outputFailure else { return status }
            return complain("cannot write to standard output: \(failure)", status: 1)
        } catch let error as UsageError {
            // The command whose help page explains the error, if there is one.
            let page = arguments.first.flatMap { try? Command.entry(named: $0).help.name + " " } ?? ""
            return complain("\(error.reason); see \(name) \(page)--help", status: 2)
        } catch {
            return complain("\(error)", status: 1)
        }
    }

    /// Runs a command that is not `serve`, and returns the exit status.
    private func perform(_ command: Command) async throws -> Int32 {
        switch command {
        case .serve: break
        case .apps: try listApps()
        case .contract:
            let document = try ContractDocument(of: apps, version: Self.version)
            StandardStream.output.write(line: String(decoding: document.json, as: UTF8.self))
        case .types(let command):
            try command.run(
                apps: apps, write: { StandardStream.output.write(line: $0) },
                report: { StandardStream.error.write(line: $0) })
        case .inspect(let command):
            let runner = IsolatedProcesses(width: ProcessEnvironment.processorCount)
            return try await command.run(apps: apps, runner: runner) { StandardStream.output.write(line: $0) }
        case .migrate(let command): StandardStream.output.write(line: try command.run())
        case .isolate(let command): await command.run(apps: apps)
        case .explore(let command): return try await command.run(apps: apps, .standard)
        case .author(let command):
            return try command.run(
                write: { StandardStream.output.write(line: $0) }, report: { StandardStream.error.write(line: $0) })
        case .help(let command): StandardStream.output.write(line: command.text(for: name, version: Self.build))
        case .version: StandardStream.output.write(line: "usher \(Self.build)")
        }
        return 0
    }

    private func listApps() throws {
        for app in apps.sorted(by: { $0.name < $1.name }) {
            StandardStream.output.write(line: try AppListing(app).text)
        }
    }

    private func checkNames() throws(UsageError) {
        let names = apps.map { $0.name }
        guard let twice = names.first(where: { name in names.count { $0 == name } > 1 }) else { return }
        throw UsageError("two apps of this executable are named \"\(twice)\"; rename one of them")
    }

    private func complain(_ reason: String, status: Int32) -> Int32 {
        StandardStream.error.write(line: "usher: \(reason)")
        return status
    }
}
