public import Usher
import UsherJournal
import UsherProcess
import UsherSessions

/// A server of your own: list its apps, mark it `@main`, and it has the whole command line.
///
/// ```swift
/// @main
/// enum CounterServer: ServerProgram {
///     static var apps: [any App.Type] { [CounterApp.self] }
/// }
/// ```
public protocol ServerProgram {
    /// The apps that sessions can be opened on; no two may have the same name.
    static var apps: [any App.Type] { get }
}

extension ServerProgram {
    /// Does what the command line asks for, and ends the process.
    @MainActor public static func main() async {
        // Before anything starts a thread: threads inherit the signals that are held back.
        let signals = TerminationSignals()
        let status = await Program(apps: apps, signals: signals).run(Array(CommandLine.arguments.dropFirst()))
        ProcessEnvironment.exit(status)
    }
}

/// One run of the executable.
struct Program {
    let apps: [any App.Type]
    let signals: TerminationSignals

    static let version = "0.1.0"

    /// Does what the arguments ask for.
    ///
    /// - Returns: The exit status: 0, or 1 for a failure at run time, or 2 for wrong usage.
    func run(_ arguments: [String]) async -> Int32 {
        do {
            try checkNames()
            switch try Command(arguments, environment: ProcessEnvironment.variable) {
            case .serve(let options): try await serve(options)
            case .apps: try listApps()
            case .inspect(let command):
                let trials = ChildTrials(width: ProcessEnvironment.processorCount, TrialLimits())
                return try await command.run(apps: apps, trials: trials) { StandardStream.output.write(line: $0) }
            case .trials(let command): await command.run(apps: apps)
            case .help: StandardStream.output.write(line: Usage.text)
            case .version: StandardStream.output.write(line: "usher \(Self.version)")
            }
            return 0
        } catch let error as UsageError {
            return complain("\(error.reason); see usher --help", status: 2)
        } catch {
            return complain("\(error)", status: 1)
        }
    }

    private func serve(_ given: ServeOptions) async throws {
        var options = given
        let isTokenShown = try options.findToken()
        DescriptorLimit.raise()
        // The runtime's timers need descriptors of their own, and end the process where there is none: taken now. Not waited
        // for, because this thread is the one on which the signals are blocked.
        Task.detached {
            try await Task.sleep(for: .nanoseconds(1), clock: .continuous)
            try await Task.sleep(for: .nanoseconds(1), clock: .suspending)
        }
        let journal = try options.journal.open(options.durability)
        do {
            try await serve(options, journal, isTokenShown: isTokenShown)
            await journal.close()
        } catch {
            await journal.close()
            throw error
        }
    }

    private func serve(_ options: ServeOptions, _ journal: any Journal, isTokenShown: Bool) async throws {
        let log = Log(options.logFormat)
        defer { log.flush() }
        var trials = trials(of: journal, log)
        trials.runner = options.trials
        let flight = FlightControl(options, log: log)
        defer { flight.close() }
        let server = try Server(
            apps: apps, options: options, journal: journal, trials: trials, flight: flight.record,
            remains: flight.remains.marks, log: log)
        log.write(.info, "started", ["address": server.address, "journal": "\(options.journal)"])
        if trials.runner == nil {
            log.write(.warning, "a crash ends all sessions", ["journal": "\(options.journal)"])
        }
        StandardStream.output.write(line: "usher: listening on \(server.address)")
        if let address = server.adminAddress { StandardStream.output.write(line: "usher: look inside at \(address)") }
        // On the terminal, and never in the log: whoever has the link is the operator.
        if isTokenShown, let link = options.loginLink(at: server.address) {
            StandardStream.output.write(line: "usher: look inside with \(link)")
        }
        let signal = signals.wait()
        log.write(.info, "draining", ["signal": signal])
        flight.expectEnd()
        await server.stop()
        log.write(.info, "stopped")
    }

    /// The journal's guilty inputs; without them no more is lost than another trial.
    private func trials(of journal: any Journal, _ log: Log) -> TrialSettings {
        do throws(JournalError) {
            // Not by `await`: the runtime would give this thread up, and let the signals through on it.
            return try BlockingTask.value { () throws(JournalError) in
                try await TrialSettings(reading: journal) { BuildIdentity.current }
            }
        } catch {
            log.write(.error, "guilty inputs not read", ["cause": "\(error)"])
            return TrialSettings { BuildIdentity.current }
        }
    }

    private func listApps() throws {
        for app in apps.sorted(by: { $0.name < $1.name }) {
            StandardStream.output.write(line: try AppListing(app).text)
        }
    }

    private func checkNames() throws(UsageError) {
        let names = apps.map { $0.name }
        guard let twice = names.first(where: { name in names.count { $0 == name } > 1 }) else { return }
        throw UsageError("two apps of this executable are named \"\(twice)\"; give one another name")
    }

    private func complain(_ reason: String, status: Int32) -> Int32 {
        StandardStream.error.write(line: "usher: \(reason)")
        return status
    }
}
