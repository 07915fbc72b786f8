import CProcess
import Glibc

/// Signals that are blocked, and read from a descriptor one by one.
package final class SignalQueue: Sendable {
    /// A descriptor that is readable when a signal has come.
    package let descriptor: Int32

    /// Creates a queue, and blocks its signals for the calling thread and for all threads that this thread starts
    /// afterwards.
    package init(_ signals: [Int32]) {
        Self.block(signals)
        var set = Self.set(of: signals)
        descriptor = unsafe usher_open_signals(&set, O_CLOEXEC | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Returns the next signal that has come; nil if no signal has come.
    package func next() -> Int32? {
        var information = [UInt32](repeating: 0, count: 32)  // A signalfd_siginfo; the signal's number is first.
        let size = 128
        guard unsafe read(descriptor, &information, size) == size else { return nil }
        return Int32(truncatingIfNeeded: information[0])
    }

    /// `SIGXFSZ`: a file would become larger than the process's limit.
    package static let fileTooLarge = SIGXFSZ

    /// Ignores a signal from now on.
    package static func ignore(_ signal: Int32) {
        Glibc.signal(signal, SIG_IGN)
    }

    /// A Boolean value indicating whether SIGHUP is ignored, as under `nohup`.
    package static var ignoresHangUp: Bool {
        var action = sigaction()
        guard unsafe sigaction(SIGHUP, nil, &action) == 0 else { return false }
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Blocks signals for the calling thread and for all threads that this thread starts afterwards.
    package static func block(_ signals: [Int32]) {
        var set = set(of: signals)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// A Boolean value indicating whether a blocked SIGTERM or SIGINT has arrived and was not read yet.
    package static var isToldToEnd: Bool {
        var pending = sigset_t()
        unsafe sigpending(&pending)
        return [SIGTERM, SIGINT].contains { unsafe sigismember(&pending, $0) == 1 }
    }

    static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        return set
    }
}

/// The termination signals SIGTERM and SIGINT, blocked so that one thread can wait for them.
package struct TerminationSignals: Sendable {
    private let queue: SignalQueue

    /// Blocks the signals; create the object before any other thread starts, because threads inherit the blocked
    /// signals.
    package init() {
        queue = SignalQueue([SIGTERM, SIGINT])
    }

    /// Blocks the calling thread until one of the signals arrives, and returns the signal's name, such as `SIGTERM`.
    ///
    /// Further signals are ignored from then on, because draining has a time limit, and because a thread of the runtime
    /// may have unblocked these signals.
    ///
    /// - Parameters:
    ///   - lifeline: A descriptor whose end also ends the wait, with the result nil.
    ///   - read: Called when the lifeline has bytes, which the closure must read.
    package func wait(orEndOf lifeline: Descriptor? = nil, reading read: () -> Void = {}) -> String? {
        let descriptors = [queue.descriptor, lifeline?.number ?? -1]
        var signal: Int32?
        var hasEnded = false
        while signal == nil, !hasEnded {
            if Descriptor.wait(for: descriptors)[1] {
                hasEnded = lifeline?.hasEnded ?? false
                if !hasEnded { read() }
            }
            signal = queue.next()
        }
        SignalQueue.ignore(SIGTERM)
        SignalQueue.ignore(SIGINT)
        return signal.map { SignalName.of($0) }
    }
}
