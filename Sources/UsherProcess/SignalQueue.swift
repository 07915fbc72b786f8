import CProcess
import Glibc

/// Signals that are blocked, and read from a descriptor one by one as they come.
package final class SignalQueue: Sendable {
    /// A descriptor that can be read from when a signal has come.
    package let descriptor: Int32

    /// Blocks signals for the calling thread, and for all that it starts from now on.
    package init(_ signals: [Int32]) {
        Self.block(signals)
        var set = Self.set(of: signals)
        descriptor = unsafe usher_open_signals(&set, O_CLOEXEC | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Takes the next signal that has come; nil where there is none.
    package func next() -> Int32? {
        var information = [UInt32](repeating: 0, count: 32)  // As large as a signalfd_siginfo, whose first field it is.
        let size = 128
        guard unsafe read(descriptor, &information, size) == size else { return nil }
        return Int32(truncatingIfNeeded: information[0])
    }

    /// `SIGXFSZ`: a file would grow beyond what the process may write.
    package static let fileTooLarge = SIGXFSZ

    /// Has a signal ignored from now on.
    package static func ignore(_ signal: Int32) {
        Glibc.signal(signal, SIG_IGN)
    }

    /// True where whoever started this process has it outlive its terminal, as `nohup` does: SIGHUP is ignored.
    package static var ignoresHangUp: Bool {
        var action = sigaction()
        guard unsafe sigaction(SIGHUP, nil, &action) == 0 else { return false }
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Blocks signals for the calling thread, and for all that it starts from now on.
    package static func block(_ signals: [Int32]) {
        var set = set(of: signals)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// True where this process was told to end by a signal that is blocked, and that nobody has taken.
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
    /// - Parameters:
    ///   - lifeline: A descriptor whose end is waited for, too.
    ///   - read: Called when the lifeline can be read from, which it has to do.
    /// - Returns: The signal's name, such as `SIGTERM`; nil at the lifeline's end.
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
