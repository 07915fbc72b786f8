internal import Glibc
internal import UsherJournal

/// The file that a backup is written to: under a name of its own until it is whole.
struct BackupFile {
    let path: String
    /// The same for all: one is made at a time, and what a crash has left is overwritten by the next.
    var partialPath: String { NewFile.directory(of: path) + "/unfinished.partial" }

    /// Makes the file, and the directory that it is in.
    init(_ path: String) throws(JournalError) {
        self.path = path
        let directory = NewFile.directory(of: path)
        guard unsafe mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw failure("make \(directory)", errno) }
        // What a crash has left of an earlier one.
        unsafe unlink(partialPath)
        if let number = NewFile.make(partialPath) { throw failure("make \(partialPath)", number) }
    }

    func remove() {
        unsafe unlink(partialPath)
    }

    /// Gives the file its name, once all of it is on the disk.
    func publish() throws(JournalError) -> Backup {
        let size = try synchronize(partialPath)
        guard NewFile.isMissing(path) else { throw failure("name \(path)", EEXIST) }
        guard unsafe rename(partialPath, path) == 0 else { throw failure("name \(path)", errno) }
        _ = try synchronize(NewFile.directory(of: path))
        return Backup(path: path, size: size)
    }

    /// - Returns: The size in bytes.
    private func synchronize(_ path: String) throws(JournalError) -> Int {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open \(path)", errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fsync(descriptor) == 0, unsafe fstat(descriptor, &status) == 0 else {
            throw failure("write \(path)", errno)
        }
        return Int(status.st_size)
    }

    private func failure(_ action: String, _ number: Int32) -> JournalError {
        .unavailable("the backup was not made: cannot \(action): \(NewFile.reason(number))")
    }
}
