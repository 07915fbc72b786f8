import Glibc

/// SIGTERM and SIGINT as something to wait for, instead of something that strikes.
package struct TerminationSignals: Sendable {
    /// Keeps the signals from ending the process.
    ///
    /// To be made before any other thread: threads inherit what they block.
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
