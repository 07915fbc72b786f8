import Glibc

/// A shared lock on a journal's file, for a process that only reads the file and may lack the permission to write.
///
/// SQLite's own read locks are in the log's index, a file that would have to be created. This lock is on those bytes of
/// the journal's file that SQLite also locks. While a server has the file open, this lock fails. While the lock is
/// held, no server can open the file.
struct ReadOnlyHold: ~Copyable {
    private let descriptor: Int32

    /// The bytes of a file that SQLite locks in order to read (os.h, `SHARED_FIRST` and `SHARED_SIZE`).
    private static let sharedBytes = (first: 0x4000_0002, count: 510)

    /// Locks a file; throws `SQLiteFailure` with the refusal `inUse` if a server has the file open.
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
        // The lock belongs to the open file instead of the process, so closing another descriptor does not release it.
        guard unsafe fcntl(opened, Self.setLock, &range) == 0 else {
            let number = errno
            // Does not close the file: if this process has the journal open, closing would release SQLite's locks.
            if number == EAGAIN || number == EACCES { throw SQLiteFailure(.inUse(path: path)) }
            close(opened)
            throw SQLiteFailure(.other(path: path, reason: NewFile.reason(number)))
        }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// `F_OFD_SETLK`, which the headers define only for GNU sources.
    private static let setLock: Int32 = 37
}
