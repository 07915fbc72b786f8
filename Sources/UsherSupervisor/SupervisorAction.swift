package import UsherProcess

/// A step that a supervisor's state asks for.
package enum SupervisorAction: Equatable, Sendable {
    /// Start a worker.
    case start
    /// Send the worker a signal.
    case send(Int32)
    /// Tell the time, later.
    case wait(Duration)
    /// Say that the server listens.
    case announce
    /// Listen for a supervisor that would take over.
    case openControl
    /// Close the listening socket, so that the worker's end is the last.
    case closeSocket
    /// Hand the listening socket to the supervisor that asks for it.
    case offerSocket
    /// Tell the other supervisor that it cannot take over.
    case refuse
    /// Tell the other supervisor that it cannot take over any more, and hear it no longer.
    case dismiss
    /// Have the worker copy the journal for whoever has asked for it.
    case makeCopy
    /// Tell whoever has asked for a copy of the journal that there is none now.
    case refuseCopy
    /// Tell the other supervisor that the worker is gone, and has released the journal.
    case tellDrained
    /// Tell the supervisor before that this one's worker is ready, and hear whether it has waited.
    case confirm
    /// Write a line of the log.
    case report(SupervisorReport)
    /// End, as the worker did.
    case end(ChildEnd)
}

/// An event in a supervisor's life, for the log.
package enum SupervisorReport: Equatable, Sendable {
    /// The worker has ended by itself; the next one is started after a time, or at once.
    case died(ChildEnd, Duration?)
    /// No worker could be started; the next attempt is after a time, if there is one.
    case notStarted(SystemError, Duration?)
    /// The worker drains, for another supervisor takes over.
    case handingOver
    /// The other supervisor could not serve; this one goes on.
    case handedBack
    /// The other supervisor serves; this one ends.
    case replaced
    /// The other supervisor serves again, for this one has taken too long; this one ends.
    case tooLate
    /// No other supervisor will be able to take over.
    case notReplaceable(SystemError)
}
