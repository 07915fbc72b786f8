import MicroHTTPD
import Usher
import UsherJournal
import UsherProcess
import UsherSessions
import UsherSupervisor

/// A run of `usher serve`: as the supervisor, as its worker, or as a server without a supervisor.
struct Serving {
    private let apps: [any App.Type]
    private let options: ServeOptions
    private let log: Log
    /// A Boolean value indicating whether the operator's token was created at this start, so that it must be printed.
    private let showsToken: Bool
    /// The link to the supervisor; nil unless this process is a worker.
    private let link: WorkerLink?
    /// The supervisor's number, by which a database recognizes the supervisor's workers.
    private let lineage: UInt64?
    /// The journal to check; nil unless this is the child process of a supervisor that is about to take over.
    private let checked: ReleaseCheck.Subject?

    /// Creates a run; throws `UsageError` for an invalid token.
    init(apps: [any App.Type], options given: ServeOptions) throws {
        var options = given
        showsToken = try options.findToken()
        // If a file would exceed the process's limit, the write must fail with an error instead of ending the process.
        SignalQueue.ignore(SignalQueue.fileTooLarge)
        // The environment is read before the log is created, because the log starts a thread.
        link = WorkerLink()
        lineage = Supervision.takeLineage()
        checked = ReleaseCheck.takeSubject()
        if link == nil, options.isSupervised { Supervisor.blockSignals() }
        self.apps = apps
        self.options = options
        log = Log(options.logFormat)
    }

    /// Serves until a signal arrives, and returns the exit status.
    ///
    /// This function must not suspend. If it did, the runtime would end the main thread in order to run tasks. The end
    /// would unblock signals on that thread, and would need a descriptor; if no descriptor is free, the process
    /// crashes.
    func run(until signals: TerminationSignals) throws -> Int32 {
        if let checked {
            return ReleaseCheck(options, log).runInChild(on: checked, apps: apps)
        } else if let link {
            guard let socket = ListeningSocket(inherited: link.socket) else {
                throw UsageError("USHER_WORKER in the environment is only for the supervisor; unset it")
            }
            return try serve(at: socket, until: signals)
        } else if options.isSupervised {
            return try Supervision(options, log, showsToken: showsToken).run()
        } else {
            return try serve(at: nil, until: signals)
        }
    }

    private func serve(at socket: ListeningSocket?, until signals: TerminationSignals) throws -> Int32 {
        defer { log.flush() }
        DescriptorLimit.raise()
        // Starts the runtime's timers now. The timers need descriptors, and if none were left later, the runtime would
        // end the process.
        BlockingTask.value {
            try? await Task.sleep(for: .nanoseconds(1), clock: .continuous)
            try? await Task.sleep(for: .nanoseconds(1), clock: .suspending)
        }
        let state = try options.stateFolder()
        let lock = try wait(for: "state folder") { try state?.lock() }
        defer { withExtendedLifetime(lock) {} }
        let journal = try wait(for: "journal") {
            try options.journal.open(options.durability, as: options.server(lineage: lineage))
        }
        defer { BlockingTask.value { await journal.close() } }
        let flight = FlightControl(options, at: state?.flightRecord, log: log)
        var keyed = options
        try keyed.findSessionKey(in: state)
        keyed.loginFile = state?.logins
        return try serve(journal, flight, keyed, at: socket, until: signals)
    }

    private func serve(
        _ journal: any Journal, _ flight: FlightControl, _ options: ServeOptions, at socket: ListeningSocket?,
        until signals: TerminationSignals
    ) throws -> Int32 {
        var crashes = crashes(known: journal)
        crashes.runner = options.isolation
        let server = try Server(
            apps: apps, options: options, journal: journal, socket: socket, crashes: crashes, flight: flight.record,
            remains: flight.remains.marks, log: log)
        logStart(of: server, on: journal, isIsolating: crashes.runner != nil)
        // The contract is written at the start, so that the operator sees errors of the apps' decoders at once.
        do { try server.writeContract() } catch {
            log.write(.error, "the contract cannot be written", ["cause": "\(error)"])
        }
        announce(server)
        var isLast = false
        let signal = signals.wait(orEndOf: link?.lifeline) {
            guard let link, case let message = link.hear() else { return }
            isLast = isLast || message.isLast
            if message.wantsCopy { copy(journal, for: link) }
        }
        if let signal {
            log.write(.info, "draining", ["signal": signal])
        } else {
            log.write(.warning, "draining", ["cause": "the supervisor has ended"])
        }
        BlockingTask.value { await server.drain(for: options.drain) }
        flight.expectEnd()
        let isShared = link.map { !isLast && !$0.isLast() } ?? false
        BlockingTask.value { await server.stop(leavingSocket: isShared) }
        log.write(.info, "stopped")
        return flight.close()
    }

    /// Copies the journal for a build that wants to check it, and sends that build the result.
    private func copy(_ journal: any Journal, for link: WorkerLink) {
        Task.detached {
            do throws(JournalError) {
                let backup = try await journal.backUp()
                log.write(.info, "journal backed up", ["path": backup.path])
                link.send(.made(name: String(backup.path.split(separator: "/").last ?? "")))
            } catch {
                log.write(.error, "backup failed", ["cause": "\(error)"])
                link.send(.failed("\(error)"))
            }
        }
    }

    private func logStart(of server: Server, on journal: any Journal, isIsolating: Bool) {
        log.write(.info, "started", ["address": server.address, "journal": "\(options.journal)"])
        if let promise = journal.promise { log.write(.info, "acknowledged inputs", ["outlive": promise]) }
        if let connections = journal.peers?.connections { write(connections) }
        for warning in options.warnings { log.write(.warning, warning.message, ["cause": warning.cause]) }
        if !isIsolating { log.write(.warning, "a crash ends all sessions", ["journal": "\(options.journal)"]) }
        for app in apps where app.screens.isEmpty {
            log.write(
                .warning, "clients cannot list the app's screens",
                ["app": app.name, "cause": "App.screens is empty"])
        }
        for app in apps where max(app.limits.stateBytes, app.limits.outputBytes) > options.maxState {
            log.write(
                .warning, "the app's limits exceed this server's",
                ["app": app.name, "limit": "\(options.maxState)", "cause": "--max-state"])
        }
    }

    private func write(_ connections: JournalConnections) {
        let counts = ("\(connections.granted)", "\(connections.wanted)")
        guard connections.granted < connections.wanted else {
            return log.write(.info, "database connections", ["granted": counts.0, "wanted": counts.1])
        }
        log.write(
            .warning, "database connections",
            [
                "granted": counts.0, "wanted": counts.1,
                "cause":
                    "the database refuses more connections, so this server works with fewer; raise the database's limit",
            ])
    }

    /// Reports that the server is ready, to the supervisor or, without one, on standard output.
    private func announce(_ server: Server) {
        if let address = server.adminAddress { log.write(.info, "operator's listener", ["address": address]) }
        if let link {
            link.sayReady()
        } else {
            options.announce(port: server.port, adminAddress: server.adminAddress, showsToken: showsToken)
        }
    }

    /// Returns the settings with the journal's guilty inputs; if the guilty inputs cannot be read, each of them may
    /// crash the process once more.
    private func crashes(known journal: any Journal) -> CrashSettings {
        do throws(JournalError) {
            return try BlockingTask.value { () throws(JournalError) in
                try await CrashSettings(reading: journal) { BuildIdentity.current }
            }
        } catch {
            log.write(.error, "guilty inputs not read", ["cause": "\(error)"])
            return CrashSettings { BuildIdentity.current }
        }
    }

    /// Calls `open` until it succeeds; waits while a draining process still uses the thing, or the thing is briefly
    /// unavailable.
    private func wait<Value>(for thing: String, _ open: () throws -> Value) throws -> Value {
        var waiting = Waiting(for: thing, link?.patience ?? .zero, log)
        while true {
            do {
                return try open()
            } catch {
                guard let failure = error as? any PassingFailure, failure.mayPass, waiting.goesOn() else { throw error }
            }
        }
    }
}

/// A bounded wait for something that the previous server still holds.
struct Waiting {
    private let thing: String
    private let log: Log
    private let end: Int64
    private var hasBeenTold = false

    init(for thing: String, _ patience: Duration, _ log: Log) {
        self.thing = thing
        self.log = log
        end = MonotonicClock.now + patience.nanoseconds
    }

    /// Sleeps briefly, and logs the first wait; returns `false` if the time is over.
    ///
    /// If a signal to stop arrives, the process exits, because nothing has started yet.
    mutating func goesOn() -> Bool {
        guard MonotonicClock.now < end else { return false }
        if !hasBeenTold { log.write(.info, "waiting for the previous server", ["thing": thing]) }
        hasBeenTold = true
        SystemThread.pause(nanoseconds: 20_000_000)
        if SignalQueue.isToldToEnd {
            log.flush()
            ProcessEnvironment.exit(0)
        }
        return true
    }
}

extension ServeOptions {
    /// Prints the line from which scripts read the port, and then the address or link with which the operator opens the
    /// debug page.
    ///
    /// `showsToken` is `true` if the operator's token was created at this start; the link with the token is then
    /// printed. The link is never logged, because anyone with the link is the operator.
    func announce(port: Int, adminAddress: String?, showsToken: Bool) {
        StandardStream.output.write(line: "usher: listening on \(address(port: port))")
        if let adminAddress { StandardStream.output.write(line: "usher: look inside at \(adminAddress)") }
        if showsToken, let link = loginLink(at: address(port: port)) {
            StandardStream.output.write(line: "usher: look inside with \(link)")
        }
    }
}
