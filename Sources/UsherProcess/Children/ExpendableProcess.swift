import CProcess
import Glibc

/// A child process that may be killed at any time; isolated runs use it.
package enum ExpendableProcess {
    /// Makes this process expendable, and returns a stream to the original standard output, which the parent reads.
    ///
    /// From now on, the process dies with its parent thread, has a low priority, is the OOM killer's first choice, and
    /// dumps no core. Everything that the app writes to standard output is discarded.
    package static func become() -> AnswerStream {
        usher_die_with_parent()
        _ = nice(5)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        let descriptor = unsafe open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        if descriptor >= 0 {
            _ = unsafe Glibc.write(descriptor, "1000", 4)
            close(descriptor)
        }
        return AnswerStream()
    }

    /// Ends the process without running the exit handlers.
    package static func exit(_ status: Int32) -> Never { _exit(status) }
}

/// The stream for an expendable process's answers: a copy of its original standard output.
package struct AnswerStream: Sendable {
    let descriptor: Int32

    fileprivate init() {
        descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        dup2(nowhere, STDOUT_FILENO)
        close(nowhere)
    }

    /// Writes a line immediately; `line` has no line feed.
    package func write(line: String) {
        StandardStream.write(line: line, to: descriptor)
    }
}
