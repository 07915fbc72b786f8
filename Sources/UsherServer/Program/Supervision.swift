import MicroHTTPD
import UsherProcess
import UsherSupervisor

/// The supervisor of `usher serve`: creates or takes over the listening socket, and runs a worker that serves it.
struct Supervision {
    private let options: ServeOptions
    private let log: Log
    private let showsToken: Bool

    /// Creates the supervisor; a token that was created at this start (`showsToken`) is passed to all workers.
    init(_ options: ServeOptions, _ log: Log, showsToken: Bool) {
        self.options = options
        self.log = log
        self.showsToken = showsToken
    }

    /// Supervises the worker until the server must stop.
    ///
    /// - Returns: The exit status. If a signal ended the worker, this process ends itself with the same signal.
    /// - Throws: `DaemonError` if the supervisor cannot listen; `TakeoverError` or `ReleaseRefusal` if it may not take
    ///   over.
    func run() throws -> Int32 {
        try options.stateFolder()?.make()
        if let place = try controlPlace(port: options.port) {
            defer { log.flush() }
            guard try ReleaseCheck(options, log).run(before: place) else { return 0 }
        }
        let predecessor = try findPredecessor()
        let isPatient = try controlPlace(port: options.port)?.isAbandoned ?? false
        let socket = try listen(in: predecessor, isPatient: isPatient)
        try predecessor?.drain()
        let supervisor = Supervisor(
            socket: Descriptor(taking: socket.descriptor), arguments: CommandLine.arguments,
            environment: variables,
            place: try controlPlace(port: socket.port), predecessor: predecessor, isPatient: isPatient,
            announce: { announce(port: socket.port) }, report: { log.write($0) })
        let end = supervisor.run()
        log.flush()
        switch end {
        case .exited(let status): return status
        case .killed(let signal): ProcessEnvironment.end(by: signal)
        }
    }

    /// The environment variables that all workers receive in addition to this process's own.
    private var variables: [String: String] {
        var variables: [String: String] = [:]
        if showsToken, let token = options.adminToken { variables["USHER_ADMIN_TOKEN"] = token }
        // No backtrace: it would take longer than the start of a new worker, and the flight record has the place of the
        // crash.
        if ProcessEnvironment.variable(Self.backtrace) == nil { variables[Self.backtrace] = "enable=no" }
        if options.journal.isShared { variables[Self.lineage] = String(UInt64.random(in: .min ... .max)) }
        return variables
    }

    /// Returns the number by which a database recognizes a supervisor's workers, as the environment contains it; nil if
    /// there is none.
    ///
    /// Call this function before any thread starts, because the function changes the environment.
    static func takeLineage() -> UInt64? { ProcessEnvironment.takeVariable(lineage).flatMap { UInt64($0) } }

    private static let backtrace = "SWIFT_BACKTRACE"
    private static let lineage = "USHER_LINEAGE"

    private func announce(port: Int) {
        options.announce(
            port: port, adminAddress: options.adminListener.flatMap { $0.fixedAddress }, showsToken: showsToken)
    }

    private func findPredecessor() throws -> Predecessor? {
        guard options.replaces else { return nil }
        if let place = try controlPlace(port: options.port), let predecessor = try Predecessor(at: place) {
            return predecessor
        }
        log.write(.info, "no server to replace", ["journal": "\(options.journal)"])
        return nil
    }

    /// Returns the predecessor's socket; creates a new socket if the address differs.
    private func listen(in predecessor: Predecessor?, isPatient: Bool) throws -> ListeningSocket {
        if let predecessor, let socket = ListeningSocket(inherited: predecessor.socket) {
            if socket.listens(at: options.host, port: options.port) { return socket }
            socket.close()
        }
        var waiting = Waiting(for: "port", isPatient ? .seconds(Supervisor.patience) : .zero, log)
        while true {
            do throws(DaemonError) {
                return try ListeningSocket(host: options.host, port: options.port)
            } catch {
                guard error.isPortInUse, waiting.goesOn() else { throw error }
            }
        }
    }

    /// Returns the path of the socket on which supervisors of one server connect to each other; for a journal in
    /// memory, the port identifies the server.
    private func controlPlace(port: Int) throws(UsageError) -> LocalSocketPath? {
        if let state = try options.stateFolder() { return state.control }
        guard port != 0 else { return nil }
        return LocalSocketPath(folder: RuntimeFolder.path, name: "\(options.host)-\(port)")
    }
}

extension Log {
    fileprivate func write(_ report: SupervisorReport) {
        switch report {
        case .died(let end, let delay):
            write(.error, "worker ended", ["end": "\(end)", "restart": delay.map { "in \($0)" } ?? "now"])
        case .notStarted(let error, let delay):
            write(.error, "worker not started", ["cause": "\(error)", "restart": delay.map { "in \($0)" } ?? "never"])
        case .handingOver: write(.info, "handing over")
        case .handedBack: write(.warning, "the replacement has failed; this server continues")
        case .replaced: write(.info, "replaced")
        case .tooLate: write(.error, "too late to replace the running server, which continues")
        case .notReplaceable(let error): write(.warning, "--replace will not find this server", ["cause": "\(error)"])
        }
    }
}
