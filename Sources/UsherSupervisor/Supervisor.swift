import Glibc
package import UsherProcess

/// The process that holds the listening socket, and keeps a worker running that serves it.
///
/// One thread waits for signals, the worker, other supervisors and deadlines. It reports each event to the
/// `SupervisorState`, and performs the actions that the state returns.
package final class Supervisor {
    private struct Worker {
        let process: ChildProcess
        /// The supervisor's end of the link; nil once the worker has closed its own end.
        var link: Descriptor?
    }

    private struct Caller {
        let connection: LocalConnection
        /// The time by the `MonotonicClock` by which the next message must arrive; nil for no limit.
        var due: Int64?

        var isLate: Bool { due.map { $0 <= MonotonicClock.now } ?? false }
    }

    private var state: SupervisorState
    private var socket: Descriptor?
    private let arguments: [String]
    private let environment: [String: String]
    private let place: LocalSocketPath?
    private let predecessor: Predecessor?
    private var patience: Int
    private let signals: SignalQueue
    private let announce: () -> Void
    private let report: (SupervisorReport) -> Void

    private var worker: Worker?
    private var due: Int64?
    private var control: LocalListener?
    /// The supervisor that has received the socket and takes over.
    private var successor: Caller?
    /// The last supervisor that has connected but has not sent its request yet.
    private var caller: Caller?
    /// The connection of the process that waits for a copy of the journal.
    private var copyist: LocalConnection?
    private var end: ChildEnd?

    /// Creates a supervisor and blocks its signals; `run` starts the worker.
    ///
    /// - Parameters:
    ///   - socket: The listening socket.
    ///   - arguments: The command line of the worker.
    ///   - environment: Variables for all workers, in addition to this process's.
    ///   - place: The path of the control socket, to which other supervisors connect; nil for none.
    ///   - predecessor: The supervisor that has passed its socket and waits for this supervisor.
    ///   - isPatient: Pass true if a draining process may still hold the journal at the first start.
    ///   - announce: Prints that the server listens; called only once.
    ///   - report: Writes a line of the log.
    package init(
        socket: Descriptor, arguments: [String], environment: [String: String] = [:], place: LocalSocketPath?,
        predecessor: Predecessor?, isPatient: Bool,
        announce: @escaping () -> Void, report: @escaping (SupervisorReport) -> Void
    ) {
        self.socket = socket
        self.arguments = arguments
        self.environment = environment
        self.place = place
        self.predecessor = predecessor
        self.announce = announce
        self.report = report
        patience = isPatient || predecessor != nil ? Self.patience : 0
        state = SupervisorState(isReplacement: predecessor != nil)
        signals = SignalQueue(Self.signals)
        SignalQueue.ignore(SIGPIPE)
    }

    /// Supervises workers until the server ends; blocks the thread.
    ///
    /// - Returns: How the last worker ended, or how this process should end.
    package func run() -> ChildEnd {
        defer { control = nil }  // Removes the file of the control socket.
        perform(state.begin())
        while true {
            if let end { return end }
            takeEvents()
        }
    }

    /// The seconds for which a worker may wait for the journal, which are more than draining another worker takes.
    package static let patience = 20
    /// The signals that are passed to the worker, and SIGCHLD; under `nohup`, without SIGHUP, because a process
    /// receives a blocked signal even if it ignores that signal.
    private static let signals =
        [SIGTERM, SIGINT, SIGQUIT, SIGCHLD] + (SignalQueue.ignoresHangUp ? [] : [SIGHUP])

    /// Blocks a supervisor's signals; call this function before any other thread starts, because a signal on such a
    /// thread would end the process.
    package static func blockSignals() {
        SignalQueue.block(signals)
    }

    private func takeEvents() {
        let times = [due, successor?.due, caller?.due]
        let ready = Descriptor.wait(
            for: [
                worker?.process.descriptor ?? -1, worker?.link?.number ?? -1, control?.descriptor ?? -1,
                successor?.connection.descriptor ?? -1, signals.descriptor, caller?.connection.descriptor ?? -1,
            ], until: times.compactMap(\.self).min())
        // Signals are read first, because the worker must not be restarted after a stop signal.
        while let signal = signals.next() { take(signal) }
        if ready[1] { readLink() }
        if ready[0], let end = worker?.process.currentEnd {
            worker = nil
            copyist = nil
            perform(state.hasEnded(end))
        }
        // Messages are read before timeouts are checked, because a message that arrived in time counts.
        if ready[3] { readSuccessor() }
        if let successor, successor.isLate { dismissSuccessor() }
        readCaller()
        // A new connection replaces a silent connection, so that a silent process cannot keep others from connecting.
        if ready[2], let connection = control?.accept() {
            caller = Caller(connection: connection, due: MonotonicClock.now + Self.askingTime)
        }
        if let due, due <= MonotonicClock.now {
            self.due = nil
            perform(state.isDue())
        }
    }

    private func take(_ signal: Int32) {
        guard signal == SIGCHLD else { return perform(state.receive(signal)) }
        if ProcessEnvironment.isFirst { ChildProcess.reapOrphans(sparing: worker?.process) }
    }

    private func readLink() {
        let text = worker?.link?.read() ?? ""
        if text == WorkerLink.ready {
            perform(state.isReady())
        } else if let copy = JournalCopy(text) {
            copyist?.send(copy.text)
            copyist = nil
        } else {
            worker?.link = nil
        }
    }

    /// Reads the request of a connected supervisor; closes the connection if the request is late or unknown.
    private func readCaller() {
        guard let caller else { return }
        let message = caller.connection.receive(until: 0)
        guard message != nil || caller.isLate else { return }
        self.caller = nil
        switch message?.text {
        case Takeover.take: take(caller)
        case Takeover.copy: copy(for: caller.connection)
        default: break
        }
    }

    private func copy(for connection: LocalConnection) {
        guard copyist == nil else {
            connection.send(Takeover.busy)
            return
        }
        copyist = connection
        perform(state.isAskedForCopy())
    }

    private func take(_ caller: Caller) {
        guard successor == nil else {
            caller.connection.send(Takeover.busy)
            return
        }
        successor = Caller(connection: caller.connection, due: MonotonicClock.now + Self.preparationTime)
        perform(state.isAsked())
    }

    private func readSuccessor() {
        guard let message = successor?.connection.receive(until: 0) else { return }
        switch message.text {
        case Takeover.drain:
            // From now on, the supervisor's state sets the timeouts.
            successor?.due = nil
            perform(state.isAskedToDrain())
        case Takeover.ready: perform(state.isReplaced())
        default:
            successor = nil
            perform(state.isAlone())
        }
    }

    private func dismissSuccessor() {
        successor?.connection.send(Takeover.busy)
        successor = nil
    }

    /// The nanoseconds within which a connected process must send its request.
    private static let askingTime: Int64 = 5_000_000_000
    /// The nanoseconds within which a replacement, which may wait for another port, must send `drain`.
    private static let preparationTime: Int64 = 30_000_000_000

    private func confirm() {
        let isHeard = predecessor?.confirm() ?? true
        perform(isHeard ? state.isConfirmed() : state.isTooLate())
    }

    private func perform(_ actions: [SupervisorAction]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: SupervisorAction) {
        switch action {
        case .start: start()
        case .send(let signal): worker?.process.send(signal)
        case .wait(let time): due = MonotonicClock.now + time.nanoseconds
        case .announce: announce()
        case .openControl: openControl()
        case .closeSocket:
            // `last` is sent unless another supervisor also has the socket.
            if successor == nil { worker?.link?.write(WorkerLink.last) }
            socket = nil
        case .offerSocket: successor?.connection.send(Takeover.socket, passing: socket)
        case .refuse: successor?.connection.send(Takeover.busy)
        case .dismiss: dismissSuccessor()
        case .makeCopy: worker?.link?.write(WorkerLink.copy)
        case .refuseCopy:
            copyist?.send(Takeover.busy)
            copyist = nil
        case .tellDrained: successor?.connection.send(Takeover.drained)
        case .confirm: confirm()
        case .report(let event): report(event)
        case .end(let end):
            self.end = end
            // Removes the file first, because as soon as the connection ends, the other supervisor listens there.
            control = nil
            successor = nil
        }
    }

    private func start() {
        guard let socket else { return }
        do throws(SystemError) {
            guard let (own, others) = Descriptor.pair() else { throw SystemError("start", "a worker") }
            var command = WorkerLink.command(arguments, socket: socket, link: others, patience: patience)
            command.environment.merge(environment) { $1 }
            let process = try withExtendedLifetime(others) { () throws(SystemError) in try ChildProcess(command) }
            worker = Worker(process: process, link: own)
        } catch {
            perform(state.isNotStarted(error))
        }
        patience = Self.patience
    }

    private func openControl() {
        do throws(SystemError) {
            control = try place?.listen()
        } catch {
            report(.notReplaceable(error))
        }
    }
}
