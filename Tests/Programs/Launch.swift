internal import Glibc
internal import Synchronization

/// The files and signals of a process that is about to be started.
@safe
struct Launch: ~Copyable {
    private var actions = unsafe posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()

    /// Creates a launch in which no signal is blocked or ignored, whatever the tests do with their signals.
    init() {
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    }

    deinit {
        var (actions, attributes) = unsafe (actions, attributes)
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
    }

    /// Opens a file, as standard input for reading, otherwise for appending.
    mutating func open(_ path: String, as descriptor: Int32) {
        let mode = descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_APPEND | O_CREAT
        unsafe posix_spawn_file_actions_addopen(&actions, descriptor, path, mode, 0o600)
    }

    /// Passes on a file of this process.
    mutating func copy(_ source: Int32, as descriptor: Int32) {
        unsafe posix_spawn_file_actions_adddup2(&actions, source, descriptor)
    }

    /// Starts a program with only these files, because all others that this process has open are closed.
    mutating func start(_ command: [String], environment: [String: String]) throws(ProgramError) -> pid_t {
        let arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var id: pid_t = 0
        let failure = ProgramPipe.making.withLock { _ in
            unsafe posix_spawnp(&id, command[0], &actions, &attributes, arguments, variables)
        }
        guard failure == 0 else { throw ProgramError(program: command[0], errorNumber: failure) }
        return id
    }
}
