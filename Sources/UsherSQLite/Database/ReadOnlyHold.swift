import Glibc

/// A shared lock on a journal's file that needs no right to write, for a process that only looks at it.
///
/// SQLite's own locks would be those of a reader that shares the index of the log, which is a file to be made. This one
/// is on the same bytes: a server that has the file keeps it away, and no server opens the file meanwhile.
struct ReadOnlyHold: ~Copyable {
    private let descriptor: Int32

    /// The bytes of a file that SQLite locks to read (os.h, `SHARED_FIRST` and `SHARED_SIZE`).
    private static let sharedBytes = (first: 0x4000_0002, count: 510)

    /// Locks a file.
    ///
    /// - Throws: `SQLiteFailure`, the refusal `inUse` where a server has it.
    init(_ path: String) throws(SQLiteFailure) {
        if let number = NewFile.obstacle(to: path, writing: false) {
            throw SQLiteFailure(.other(path: path, reason: NewFile.reason(number)))
        }
        let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw SQLiteFailure(.other(path: path, reason: NewFile.reason(errno))) }
        var range = flock()
        range.l_type = Int16(F_RDLCK)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = off_t(Self.sharedBytes.first)
        range.l_len = off_t(Self.sharedBytes.count)
        // Of the open file, not of the process: closing it lets go of no other lock on a system that has them.
        guard unsafe fcntl(opened, Self.setLock, &range) == 0 else {
            let number = errno
            // It stays open: to close it would release SQLite's locks, if it is this process that has the file.
            if number == EAGAIN || number == EACCES { throw SQLiteFailure(.inUse(path: path)) }
            close(opened)
            throw SQLiteFailure(.other(path: path, reason: NewFile.reason(number)))
        }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// `F_OFD_SETLK`, which the headers show to GNU sources alone.
    private static let setLock: Int32 = 37
}
