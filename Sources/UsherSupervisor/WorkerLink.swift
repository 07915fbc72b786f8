package import UsherProcess

/// A worker's side of its supervisor: the listening socket, and a link over which it says that it is ready, and whose
/// end is the supervisor's.
package struct WorkerLink: Sendable {
    /// A descriptor of the listening socket, which the supervisor holds, too; it is the daemon's to close.
    package let socket: Int32
    /// Ends with the supervisor; then the worker drains.
    package let lifeline: Descriptor
    /// The time that the start may wait for a process before to let go of the journal.
    package let patience: Duration

    /// Takes over what the supervisor handed on; nil in a process that no supervisor has started.
    ///
    /// To be called once, before any thread is started: it changes the environment, so that nobody inherits it further.
    package init?() {
        guard let seconds = ProcessEnvironment.takeVariable(Self.variable).flatMap({ Int64($0) }) else { return nil }
        socket = Descriptor(taking: Self.socketNumber).copy()
        lifeline = Descriptor(taking: Self.linkNumber)
        patience = .seconds(seconds)
        ProcessEnvironment.takeName()
    }

    /// Tells the supervisor that requests are answered from now on.
    package func sayReady() {
        lifeline.write(Self.ready)
    }

    /// What a supervisor has said to its worker.
    package struct Message: Equatable, Sendable {
        /// True if somebody wants a copy of the journal.
        package let wantsCopy: Bool
        /// True if nobody goes on with the socket.
        package let isLast: Bool
    }

    /// Reads what the supervisor has said, blocking until there is something.
    package func hear() -> Message {
        // Both may have come by now.
        let text = lifeline.read()
        return Message(wantsCopy: text.hasPrefix(Self.copy), isLast: text.hasSuffix(Self.last))
    }

    /// Reads whether the supervisor has said that nobody goes on with the socket; to be called once.
    package func isLast() -> Bool {
        Descriptor.wait(for: [lifeline.number], until: 0)[0] && hear().isLast
    }

    /// Tells the supervisor that the copy of the journal is made, or is not.
    package func send(_ copy: JournalCopy) {
        lifeline.write(copy.text)
    }

    /// The command line of a worker: this executable again.
    ///
    /// - Parameters:
    ///   - arguments: This process's own.
    ///   - patience: In seconds.
    static func command(_ arguments: [String], socket: Descriptor, link: Descriptor, patience: Int) -> ChildCommand {
        var command = ChildCommand(arguments)
        command.environment[variable] = String(patience)
        command.descriptors = [socketNumber: socket.number, linkNumber: link.number]
        return command
    }

    /// The message of a worker that is ready.
    static let ready = "ready"
    /// The message to a worker that is to copy the journal.
    static let copy = "copy"
    /// The message to a worker with which the server ends.
    static let last = "last"
    private static let variable = "USHER_WORKER"
    private static let socketNumber: Int32 = 3
    private static let linkNumber: Int32 = 4
}
