package import UsherProcess

/// A worker's connection to its supervisor: the listening socket, and a link, which ends when the supervisor ends.
package struct WorkerLink: Sendable {
    /// A descriptor of the listening socket, which the supervisor holds too; the daemon closes this descriptor.
    package let socket: Int32
    /// The link; when it ends, the worker drains.
    package let lifeline: Descriptor
    /// The time for which the worker may wait at its start until a previous process releases the journal.
    package let patience: Duration

    /// Takes over the descriptors from the supervisor; nil in a process that no supervisor started.
    ///
    /// Call this initializer once, before any thread is started. It removes a variable from the environment, so that no
    /// child inherits the variable.
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

    /// Reads the supervisor's messages; blocks until there is one.
    package func hear() -> Message {
        // The text may contain both messages.
        let text = lifeline.read()
        return Message(wantsCopy: text.hasPrefix(Self.copy), isLast: text.hasSuffix(Self.last))
    }

    /// Returns a Boolean value indicating whether the supervisor has sent `last`; call this function only once.
    package func isLast() -> Bool {
        Descriptor.wait(for: [lifeline.number], until: 0)[0] && hear().isLast
    }

    /// Tells the supervisor whether the journal was copied.
    package func send(_ copy: JournalCopy) {
        lifeline.write(copy.text)
    }

    /// Returns the command line of a worker: this executable again, with the worker's patience in seconds.
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
