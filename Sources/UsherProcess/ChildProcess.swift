import CProcess
import Glibc
import Synchronization

/// A child process, which is killed if it still runs when the last reference to this object is released.
///
/// `posix_spawn` starts the child, because a fork of a process with several threads would contain only one of the
/// threads. No signal is blocked or ignored in the child, except SIGHUP under `nohup`.
package final class ChildProcess: Sendable {
    /// The process id; the system does not reuse it until this process has read how the child ended.
    package let id: Int32
    /// A descriptor that becomes readable when the process ends, for a loop that waits for several things.
    package let descriptor: Int32
    private let end = Mutex<ChildEnd?>(nil)

    /// Starts a process.
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

    /// Blocks the thread until the process has ended, and returns how it ended.
    package func wait() -> ChildEnd {
        // The result is never nil, because there is no time limit and only this object waits for the process.
        wait(until: nil) ?? .exited(status: 0)
    }

    /// Blocks the thread until the process has ended, and returns how it ended; nil if it still runs at the given time.
    ///
    /// - Parameter time: The time by the `MonotonicClock`; nil for no limit.
    package func wait(until time: Int64?) -> ChildEnd? {
        while true {
            if let end = currentEnd { return end }
            if let time, time <= MonotonicClock.now { return nil }
            _ = Descriptor.wait(for: [descriptor], until: time)
        }
    }

    /// How the process ended; nil while it runs.
    package var currentEnd: ChildEnd? {
        end.withLock { end in
            if end == nil { end = Self.wait(for: id, WNOHANG) }
            return end
        }
    }

    /// Sends the process a signal, unless this process has already read how the child ended.
    package func send(_ signal: Int32) {
        end.withLock { if $0 == nil { kill(id, signal) } }
    }

    /// Reaps all other ended children, which may be orphans that a container's first process inherits.
    package static func reapOrphans(sparing child: ChildProcess?) {
        var information = unsafe siginfo_t()
        while unsafe waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0,
            case let id = unsafe information._sifields._sigchld.si_pid, id > 0
        {
            // `waitid` returns the first ended child, and other children only after the first one was reaped.
            guard id != child?.id || child?.currentEnd != nil else { return }
            if id != child?.id { _ = wait(for: id, 0) }
        }
    }

    private static func wait(for id: pid_t, _ options: Int32) -> ChildEnd? {
        var state: Int32 = 0
        var result: pid_t = 0
        repeat { unsafe result = waitpid(id, &state, options) } while result == -1 && errno == EINTR
        // -1 means that the child no longer exists, because other code has waited for it.
        return result == id ? ChildEnd(state) : result == -1 ? .exited(status: 0) : nil
    }
}

/// How a process ended.
package enum ChildEnd: Equatable, Sendable {
    case exited(status: Int32)
    case killed(signal: Int32)

    /// Decodes the status of `waitpid` as WIFSIGNALED and WEXITSTATUS do; Swift does not import these macros.
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

package enum SignalName {
    /// Returns a name such as `SIGSEGV`.
    package static func of(_ signal: Int32) -> String {
        guard let name = unsafe sigabbrev_np(signal) else { return "signal \(signal)" }
        return unsafe "SIG\(String(cString: name))"
    }
}
