import CProcess
import Glibc

/// A command line, with everything that its process inherits.
package struct ChildCommand: Sendable {
    /// The path of the executable; by default, this process's own executable, even if its file has been replaced.
    package var executable = "/proc/self/exe"
    /// The arguments; the first is the program's name.
    package var arguments: [String]
    /// The environment variables; by default this process's.
    package var environment = ProcessEnvironment.variables
    /// The descriptors of this process that the child inherits, each with its number in the child; all others are
    /// closed, except the standard streams.
    package var descriptors: [Int32: Int32] = [:]

    /// Creates a command, whose first argument is the program's name.
    package init(_ arguments: [String]) {
        self.arguments = arguments
    }
}

/// A process about to be started: its descriptors and signals in the system's form.
@safe
struct ChildLaunch: ~Copyable {
    private var actions = unsafe posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
    /// Copies of the descriptors, numbered above all target numbers, so that no `dup2` overwrites a descriptor that is
    /// still needed.
    private var copies: [Int32] = []
    /// The error number if a descriptor could not be copied; `start` then throws the error.
    private var failure: Int32 = 0

    init(_ command: ChildCommand) {
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        setSignals()
        let last = max(STDERR_FILENO, command.descriptors.keys.max() ?? 0)
        for (number, descriptor) in command.descriptors {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, last + 1)
            guard copy >= 0 else {
                failure = errno
                return
            }
            copies.append(copy)
            unsafe posix_spawn_file_actions_adddup2(&actions, copy, number)
        }
        for number in 0...last where number > STDERR_FILENO && command.descriptors[number] == nil {
            unsafe posix_spawn_file_actions_addclose(&actions, number)
        }
        unsafe usher_close_from(&actions, last + 1)
    }

    deinit {
        for copy in copies { close(copy) }
        var (actions, attributes) = unsafe (actions, attributes)
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
    }

    mutating func start(_ command: ChildCommand) throws(SystemError) -> pid_t {
        guard failure == 0 else { throw SystemError("start", command.executable, failure) }
        let arguments = unsafe command.arguments.map { unsafe strdup($0) } + [nil]
        let variables = unsafe command.environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var id: pid_t = 0
        let failure = unsafe posix_spawn(&id, command.executable, &actions, &attributes, arguments, variables)
        guard failure == 0 else { throw SystemError("start", command.executable, failure) }
        return id
    }

    private mutating func setSignals() {
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        if SignalQueue.ignoresHangUp { unsafe sigdelset(&signals, SIGHUP) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    }
}
