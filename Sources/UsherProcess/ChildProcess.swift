import CProcess
import Glibc
import Synchronization

/// A process that this one started, and that ends at the latest with the last reference to it.
///
/// It is made by `posix_spawn`, for a fork of a process with threads is half a process. Nothing is inherited but what the
/// command names, and no signal is blocked or ignored in it, but SIGHUP where `nohup` has it so.
package final class ChildProcess: Sendable {
    /// Its number, which is its own until its end was seen.
    package let id: Int32
    /// A descriptor that can be read from once the process has ended, for loops that wait for several things.
    package let descriptor: Int32
    private let end = Mutex<ChildEnd?>(nil)

    /// Starts a process.
    ///
    /// - Parameter command: The executable, and all that the process inherits.
    /// - Throws: `SystemError`.
    package init(_ command: ChildCommand) throws(SystemError) {
        var launch = ChildLaunch(command)
        id = try launch.start(command)
        descriptor = usher_open_process(id)
        guard descriptor >= 0 else {
            let failure = SystemError("start", command.executable)
            kill(id, SIGKILL)
            _ = Self.wait(for: id, 0)
            throw failure
        }
    }

    deinit {
        send(SIGKILL)
        _ = wait()
        close(descriptor)
    }

    /// Blocks the thread until the process has ended.
    package func wait() -> ChildEnd {
        // Without a time limit there is an end, for only its owner waits for the process.
        wait(until: nil) ?? .exited(status: 0)
    }

    /// Blocks the thread until the process has ended, or until a time.
    ///
    /// - Parameter time: By the `MonotonicClock`; nil for none.
    /// - Returns: How it ended; nil if it still runs.
    package func wait(until time: Int64?) -> ChildEnd? {
        while true {
            if let end = currentEnd { return end }
            if let time, time <= MonotonicClock.now { return nil }
            _ = Descriptor.wait(for: [descriptor], until: time)
        }
    }

    /// Its end, if it has ended; nil while it runs.
    package var currentEnd: ChildEnd? {
        end.withLock { end in
            if end == nil { end = Self.wait(for: id, WNOHANG) }
            return end
        }
    }

    /// Sends the process a signal, unless it was seen to have ended.
    package func send(_ signal: Int32) {
        end.withLock { if $0 == nil { kill(id, signal) } }
    }

    /// Takes the ends of all children that nobody else waits for: of a container's first process, its orphans.
    ///
    /// - Parameter child: The one whose end is not taken.
    package static func reapOrphans(sparing child: ChildProcess?) {
        var information = unsafe siginfo_t()
        while unsafe waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0,
            case let id = unsafe information._sifields._sigchld.si_pid, id > 0
        {
            // It is the first that has ended: others are seen once its end was taken.
            guard id != child?.id || child?.currentEnd != nil else { return }
            if id != child?.id { _ = wait(for: id, 0) }
        }
    }

    private static func wait(for id: pid_t, _ options: Int32) -> ChildEnd? {
        var state: Int32 = 0
        var result: pid_t = 0
        repeat { unsafe result = waitpid(id, &state, options) } while result == -1 && errno == EINTR
        // Somebody else has waited for it where there is no such child any more.
        return result == id ? ChildEnd(state) : result == -1 ? .exited(status: 0) : nil
    }
}

/// The end of a process.
package enum ChildEnd: Equatable, Sendable {
    /// By itself.
    case exited(status: Int32)
    /// By a signal.
    case killed(signal: Int32)

    /// Reads what `waitpid` gives, as WIFSIGNALED and its like have it; Swift does not see C's macros.
    init(_ state: Int32) {
        let signal = state & 0x7f
        self = signal == 0 ? .exited(status: (state >> 8) & 0xff) : .killed(signal: signal)
    }
}

extension ChildEnd: CustomStringConvertible {
    /// The signal's name, such as `SIGSEGV`, or `exit 1`.
    package var description: String {
        switch self {
        case .exited(let status): "exit \(status)"
        case .killed(let signal): SignalName.of(signal)
        }
    }
}

/// The names of signals.
package enum SignalName {
    /// Such as `SIGSEGV`.
    package static func of(_ signal: Int32) -> String {
        guard let name = unsafe sigabbrev_np(signal) else { return "signal \(signal)" }
        return unsafe "SIG\(String(cString: name))"
    }
}
