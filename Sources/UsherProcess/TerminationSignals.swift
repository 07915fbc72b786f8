import Glibc

/// The termination signals, SIGTERM and SIGINT, blocked so that one thread can wait for them.
package struct TerminationSignals: Sendable {
    /// Blocks the signals.
    ///
    /// To be made before any other thread: threads inherit the set that they block.
    package init() {
        var signals = Self.set
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits, on the calling thread, until one of them comes.
    ///
    /// Further ones are ignored from then on: who drains is bounded in time, and a thread of the runtime may have let
    /// them through again.
    ///
    /// - Returns: Its name, such as `SIGTERM`.
    package func wait() -> String {
        var signals = Self.set
        var signal: Int32 = 0
        while unsafe sigwait(&signals, &signal) != 0 {}
        Glibc.signal(SIGTERM, SIG_IGN)
        Glibc.signal(SIGINT, SIG_IGN)
        return signal == SIGTERM ? "SIGTERM" : "SIGINT"
    }

    private static var set: sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe sigaddset(&signals, SIGINT)
        return signals
    }
}
