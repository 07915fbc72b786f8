import Glibc
import UsherJournal
import UsherProcess

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
        // A crash may have left an earlier one.
        unsafe unlink(partialPath)
        if let number = NewFile.make(partialPath) { throw failure("make \(partialPath)", number) }
    }

    func remove() {
        unsafe unlink(partialPath)
    }

    /// Gives the file its name, once all of it is on the disk.
    func publish() throws(JournalError) -> Backup {
        try disownLog()
        let size = try synchronize(partialPath)
        guard NewFile.isMissing(path) else { throw failure("name \(path)", EEXIST) }
        guard unsafe rename(partialPath, path) == 0 else { throw failure("name \(path)", errno) }
        _ = try synchronize(NewFile.directory(of: path))
        return Backup(path: path, size: size)
    }

    /// Notes that no write-ahead log is the copy's, so that one which is left in the place that it is put into is not
    /// taken for its own.
    private func disownLog() throws(JournalError) {
        let descriptor = unsafe open(partialPath, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open \(partialPath)", errno) }
        defer { close(descriptor) }
        let versions = FileVersions.withoutLog
        guard unsafe pwrite(descriptor, versions, versions.count, off_t(FileVersions.offset)) == versions.count else {
            throw failure("write \(partialPath)", errno)
        }
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

/// The names of backups.
enum BackupName {
    /// The path of a journal's backup: beside it in `backups`, with the time before the extension.
    ///
    /// - Parameters:
    ///   - journal: The journal's path.
    ///   - time: Milliseconds since 1970.
    static func path(of journal: String, at time: Int64) -> String {
        let directory = NewFile.directory(of: journal)
        let name = journal.split(separator: "/").last ?? "journal"
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        // In UTC, as a file's name can hold it, such as `20261120T163647.042Z`.
        let moment = WallTime.text(max(0, time)).filter { $0 != "-" && $0 != ":" }
        return "\(directory)/backups/\(name[..<dot])-\(moment)\(name[dot...])"
    }
}
