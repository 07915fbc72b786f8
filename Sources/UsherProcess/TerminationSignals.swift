import Glibc

/// The termination signals, SIGTERM and SIGINT, blocked so that one thread can wait for them.
package struct TerminationSignals: Sendable {
    private let queue: SignalQueue

    /// Blocks the signals.
    ///
    /// To be made before any other thread: threads inherit the set that they block.
    package init() {
        queue = SignalQueue([SIGTERM, SIGINT])
    }

    /// Waits, on the calling thread, until one of them comes.
    ///
    /// Further ones are ignored from then on: who drains is bounded in time, and a thread of the runtime may have let
    /// them through again.
    ///
    /// - Parameter lifeline: A descriptor whose end is waited for, too.
    /// - Returns: The signal's name, such as `SIGTERM`; nil at the lifeline's end.
    package func wait(orEndOf lifeline: Descriptor? = nil) -> String? {
        let descriptors = [queue.descriptor, lifeline?.number ?? -1]
        var signal: Int32?
        var hasEnded = false
        while signal == nil, !hasEnded {
            hasEnded = Descriptor.wait(for: descriptors)[1]
            signal = queue.next()
        }
        SignalQueue.ignore(SIGTERM)
        SignalQueue.ignore(SIGINT)
        return signal.map { SignalName.of($0) }
    }
}
