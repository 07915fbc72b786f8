package import UsherProcess

/// An action that a supervisor must perform.
package enum SupervisorAction: Equatable, Sendable {
    case start
    case send(Int32)
    /// Call `isDue` after a time.
    case wait(Duration)
    /// Print that the server listens.
    case announce
    /// Listen for a supervisor that takes over.
    case openControl
    /// Close the listening socket; when the worker ends, no process listens any more.
    case closeSocket
    /// Pass the listening socket to the supervisor that requests it.
    case offerSocket
    /// Report to the other supervisor that it cannot take over.
    case refuse
    /// Report to the other supervisor that it can no longer take over, and close its connection.
    case dismiss
    /// Have the worker copy the journal for another process.
    case makeCopy
    /// Report to the other process that it gets no copy of the journal now.
    case refuseCopy
    /// Report to the other supervisor that this supervisor's worker is gone and has released the journal.
    case tellDrained
    /// Report to the predecessor that this supervisor's worker is ready, and read whether it was still waiting.
    case confirm
    case report(SupervisorReport)
    /// End this process in the same way as the worker ended.
    case end(ChildEnd)
}

package enum SupervisorReport: Equatable, Sendable {
    /// The worker ended by itself; the next worker starts after the delay, or immediately if there is none.
    case died(ChildEnd, Duration?)
    /// No worker could be started; the next attempt follows after the delay, or never if there is no delay.
    case notStarted(SystemError, Duration?)
    /// The worker drains because another supervisor takes over.
    case handingOver
    /// The other supervisor could not serve; this supervisor continues.
    case handedBack
    /// The other supervisor serves; this supervisor ends.
    case replaced
    /// The other supervisor serves again, because this supervisor took too long; this supervisor ends.
    case tooLate
    /// No other supervisor will be able to replace this supervisor.
    case notReplaceable(SystemError)
}
