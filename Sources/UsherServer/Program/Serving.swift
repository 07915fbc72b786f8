import MicroHTTPD
import Usher
import UsherJournal
import UsherProcess
import UsherSessions
import UsherSupervisor

/// One run of `usher serve`: as the supervisor, as its worker, or as a server without one.
struct Serving {
    private let apps: [any App.Type]
    private let options: ServeOptions
    private let log: Log
    /// Set where the operator's token was made at this start, and is shown once.
    private let showsToken: Bool
    /// The link to the supervisor, in a worker.
    private let link: WorkerLink?
    /// The number of the supervisor, by which a database knows its workers.
    private let lineage: UInt64?
    /// The journal to check, in a child of a supervisor that is about to take over.
    private let checked: ReleaseCheck.Subject?

    /// Makes a run.
    ///
    /// - Throws: `UsageError` for a token that is none.
    init(apps: [any App.Type], options given: ServeOptions) throws {
        var options = given
        showsToken = try options.findToken()
        // A file that may not grow is the failure of a call, and no end of the process.
        SignalQueue.ignore(SignalQueue.fileTooLarge)
        // Before the log, which has a thread.
        link = WorkerLink()
        lineage = Supervision.takeLineage()
        checked = ReleaseCheck.takeSubject()
        if link == nil, options.isSupervised { Supervisor.blockSignals() }
        self.apps = apps
        self.options = options
        log = Log(options.logFormat)
    }

    /// Serves until a signal comes.
    ///
    /// It never suspends: the runtime would end the main thread for its tasks' sake, which lets the signals through on it, and
    /// takes a descriptor, without which the process dies.
    ///
    /// - Returns: The exit status.
    func run(until signals: TerminationSignals) throws -> Int32 {
        if let checked {
            return ReleaseCheck(options, log).runInChild(on: checked, apps: apps)
        } else if let link {
            guard let socket = ListeningSocket(inherited: link.socket) else {
                throw UsageError("USHER_WORKER in the environment is for the supervisor alone; take it away")
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
        // The runtime's timers need descriptors of their own, and end the process where there is none: taken now.
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
        // At the start, where its operator sees it, for it asks the apps' own decoders.
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

    /// Copies the journal for a build that wants to check it, which is told when that is done.
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

    /// Tells how the server serves, and what its operator has to know of that.
    private func logStart(of server: Server, on journal: any Journal, isIsolating: Bool) {
        log.write(.info, "started", ["address": server.address, "journal": "\(options.journal)"])
        if let promise = journal.promise { log.write(.info, "acknowledged inputs", ["outlive": promise]) }
        if let connections = journal.peers?.connections { write(connections) }
        for warning in options.warnings { log.write(.warning, warning.message, ["cause": warning.cause]) }
        if !isIsolating { log.write(.warning, "a crash ends all sessions", ["journal": "\(options.journal)"]) }
        for app in apps where app.screens.isEmpty {
            log.write(
                .warning, "clients can know of no screen beforehand",
                ["app": app.name, "cause": "App.screens is empty"])
        }
        for app in apps where max(app.limits.stateBytes, app.limits.outputBytes) > options.maxState {
            log.write(
                .warning, "the app's limits allow more bytes than this server",
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
                "cause": "the database refuses more; this server works over those that it has, so raise the limit",
            ])
    }

    /// Tells the supervisor, or else whoever started it, that it serves.
    private func announce(_ server: Server) {
        if let address = server.adminAddress { log.write(.info, "looked inside at", ["address": address]) }
        if let link {
            link.sayReady()
        } else {
            options.announce(port: server.port, adminAddress: server.adminAddress, showsToken: showsToken)
        }
    }

    /// The journal's guilty inputs; without them no more is lost than another crash of each.
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

    /// Opens what a process that still drains may have for a while, or what may be away for a while.
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

/// A bounded wait for what a server before has not let go of.
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

    /// Sleeps a little; tells of it the first time.
    ///
    /// A process that is told to end meanwhile does: nothing has begun.
    ///
    /// - Returns: False once the time is over.
    mutating func goesOn() -> Bool {
        guard MonotonicClock.now < end else { return false }
        if !hasBeenTold { log.write(.info, "waiting for the server before", ["thing": thing]) }
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
    /// Prints the line of standard output from which scripts take the port, and behind it how to look inside.
    ///
    /// - Parameters:
    ///   - port: The port that was found where any was asked for.
    ///   - adminAddress: The address of the operator's own listener.
    ///   - showsToken: True to show the operator's token, which was made at this start: on the terminal, and never in the
    ///     log, for whoever has the link is the operator.
    func announce(port: Int, adminAddress: String?, showsToken: Bool) {
        StandardStream.output.write(line: "usher: listening on \(address(port: port))")
        if let adminAddress { StandardStream.output.write(line: "usher: look inside at \(adminAddress)") }
        if showsToken, let link = loginLink(at: address(port: port)) {
            StandardStream.output.write(line: "usher: look inside with \(link)")
        }
    }
}
