package import UsherProcess

/// An action that a supervisor's state returns.
package enum SupervisorAction: Equatable, Sendable {
    /// Start a worker.
    case start
    /// Send the worker a signal.
    case send(Int32)
    /// Call `isDue` after a time.
    case wait(Duration)
    /// Print that the server listens.
    case announce
    /// Listen for a supervisor that takes over.
    case openControl
    /// Close the listening socket; when the worker ends, nobody listens any more.
    case closeSocket
    /// Pass the listening socket to the supervisor that requests it.
    case offerSocket
    /// Tell the other supervisor that it cannot take over.
    case refuse
    /// Tell the other supervisor that it can no longer take over, and drop its connection.
    case dismiss
    /// Have the worker copy the journal for another process.
    case makeCopy
    /// Tell the other process that it gets no copy of the journal now.
    case refuseCopy
    /// Tell the other supervisor that the worker is gone and has released the journal.
    case tellDrained
    /// Tell the predecessor that this supervisor's worker is ready, and read whether it has waited.
    case confirm
    /// Write a line of the log.
    case report(SupervisorReport)
    /// End this process as the worker ended.
    case end(ChildEnd)
}

/// An event for the log.
package enum SupervisorReport: Equatable, Sendable {
    /// The worker ended by itself; the next one starts after the delay, or immediately.
    case died(ChildEnd, Duration?)
    /// No worker could be started; the next attempt is after the delay, if there is one.
    case notStarted(SystemError, Duration?)
    /// The worker drains because another supervisor takes over.
    case handingOver
    /// The other supervisor could not serve; this one continues.
    case handedBack
    /// The other supervisor serves; this one ends.
    case replaced
    /// The other supervisor serves again because this one took too long; this one ends.
    case tooLate
    /// No other supervisor will be able to take over.
    case notReplaceable(SystemError)
}
