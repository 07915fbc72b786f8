package import UsherProcess

/// A worker's side of its supervisor: the listening socket, and a link.
///
/// The worker reports over the link that it is ready. The link ends with the supervisor.
package struct WorkerLink: Sendable {
    /// A descriptor of the listening socket, which the supervisor holds too; the daemon closes it.
    package let socket: Int32
    /// The link; its end makes the worker drain.
    package let lifeline: Descriptor
    /// The time for which the start may wait until a previous process releases the journal.
    package let patience: Duration

    /// Takes over the descriptors from the supervisor; nil in a process that no supervisor started.
    ///
    /// Call it once, before any thread is started: it removes a variable from the environment, so that no child
    /// inherits it.
    package init?() {
        guard let seconds = ProcessEnvironment.takeVariable(Self.variable).flatMap({ Int64($0) }) else { return nil }
        socket = Descriptor(taking: Self.socketNumber).copy()
        lifeline = Descriptor(taking: Self.linkNumber)
        patience = .seconds(seconds)
        ProcessEnvironment.takeName()
    }

    /// Reports to the supervisor that requests are answered from now on.
    package func sayReady() {
        lifeline.write(Self.ready)
    }

    /// A message from a supervisor to its worker.
    package struct Message: Equatable, Sendable {
        /// A Boolean value indicating whether the worker must copy the journal.
        package let wantsCopy: Bool
        /// A Boolean value indicating whether no other process uses the socket.
        package let isLast: Bool
    }

    /// Reads the supervisor's message; blocks until there is one.
    package func hear() -> Message {
        // Both messages may have arrived.
        let text = lifeline.read()
        return Message(wantsCopy: text.hasPrefix(Self.copy), isLast: text.hasSuffix(Self.last))
    }

    /// Returns a Boolean value indicating whether the supervisor has sent `last`; call it once.
    package func isLast() -> Bool {
        Descriptor.wait(for: [lifeline.number], until: 0)[0] && hear().isLast
    }

    /// Tells the supervisor whether the journal was copied.
    package func send(_ copy: JournalCopy) {
        lifeline.write(copy.text)
    }

    /// Returns the command line of a worker: this executable again, with its patience in seconds.
    static func command(_ arguments: [String], socket: Descriptor, link: Descriptor, patience: Int) -> ChildCommand {
        var command = ChildCommand(arguments)
        command.environment[variable] = String(patience)
        command.descriptors = [socketNumber: socket.number, linkNumber: link.number]
        return command
    }

    /// The message of a worker that is ready.
    static let ready = "ready"
    /// The message that makes the worker copy the journal.
    static let copy = "copy"
    /// The message that no other process uses the socket.
    static let last = "last"
    private static let variable = "USHER_WORKER"
    private static let socketNumber: Int32 = 3
    private static let linkNumber: Int32 = 4
}
