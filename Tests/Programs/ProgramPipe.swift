internal import Glibc
internal import Synchronization

/// A pipe from a program to this process, whose writing end closes here once the program has it.
struct ProgramPipe: ~Copyable {
    /// Locked while a pipe is created or a program is started.
    ///
    /// A program that is started in between would keep the pipe open.
    static let making = Mutex(())

    let reading: ReadingEnd
    let writing: Int32

    init() throws(ProgramError) {
        var ends: [Int32] = [-1, -1]
        let failure = Self.making.withLock { _ in
            guard unsafe pipe(&ends) == 0 else { return errno }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return 0
        }
        guard failure == 0 else { throw ProgramError(program: "pipe", errorNumber: failure) }
        reading = ReadingEnd(ends[0])
        writing = ends[1]
    }

    deinit { close(writing) }
}
