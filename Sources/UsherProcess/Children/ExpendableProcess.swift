import CProcess
import Glibc

/// A process that its parent can lose: isolated runs end it, and nothing else is to suffer for it.
package enum ExpendableProcess {
    /// Makes this process one.
    ///
    /// It ends with its parent's thread, comes last for the processor and first for whoever looks for memory, and writes no
    /// core. Standard output goes nowhere from then on, whatever an app prints.
    ///
    /// - Returns: The way to whoever reads standard output.
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

    /// Ends the process without what others have registered for its exit.
    package static func exit(_ status: Int32) -> Never { _exit(status) }
}

/// The answers of an expendable process: a copy of what its standard output was.
package struct AnswerStream: Sendable {
    let descriptor: Int32

    fileprivate init() {
        descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        dup2(nowhere, STDOUT_FILENO)
        close(nowhere)
    }

    /// Writes a line at once.
    ///
    /// - Parameter line: Text without its line feed.
    package func write(line: String) {
        StandardStream.write(line: line, to: descriptor)
    }
}
