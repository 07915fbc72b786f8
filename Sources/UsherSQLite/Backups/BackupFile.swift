import Glibc
import UsherJournal
import UsherProcess

/// The file of a backup, which has a temporary name until it is complete.
struct BackupFile {
    let path: String
    /// The path of an unfinished backup: the same for all backups, because only one backup runs at a time.
    ///
    /// A backup deletes an unfinished file that an earlier process has left.
    var partialPath: String { NewFile.directory(of: path) + "/unfinished.partial" }

    init(_ path: String) throws(JournalError) {
        self.path = path
        let directory = NewFile.directory(of: path)
        guard unsafe mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw failure("make \(directory)", errno) }
        // Deletes an unfinished file, which a crash may have left.
        unsafe unlink(partialPath)
        if let number = NewFile.make(partialPath) { throw failure("make \(partialPath)", number) }
    }

    func remove() {
        unsafe unlink(partialPath)
    }

    /// Makes the complete file durable, and then renames it.
    func publish() throws(JournalError) -> Backup {
        try disownLog()
        let size = try synchronize(partialPath)
        guard NewFile.isMissing(path) else { throw failure("name \(path)", EEXIST) }
        guard unsafe rename(partialPath, path) == 0 else { throw failure("name \(path)", errno) }
        _ = try synchronize(NewFile.directory(of: path))
        return Backup(path: path, size: size)
    }

    /// Marks the copy as a database without a write-ahead log; otherwise, SQLite would apply the log of another journal
    /// if the copy is restored beside such a log.
    private func disownLog() throws(JournalError) {
        let descriptor = unsafe open(partialPath, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open \(partialPath)", errno) }
        defer { close(descriptor) }
        let versions = FileVersions.withoutLog
        guard unsafe pwrite(descriptor, versions, versions.count, off_t(FileVersions.offset)) == versions.count else {
            throw failure("write \(partialPath)", errno)
        }
    }

    /// Makes a file or directory durable, and returns its size in bytes.
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

enum BackupName {
    /// Returns the path of a backup: in the directory `backups` beside the journal, with the time before the extension.
    ///
    /// `time` is in milliseconds since 1970.
    static func path(of journal: String, at time: Int64) -> String {
        let directory = NewFile.directory(of: journal)
        let name = journal.split(separator: "/").last ?? "journal"
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        // In UTC, without characters that some file systems forbid in names: for example, `20261120T163647.042Z`.
        let moment = WallTime.text(max(0, time)).filter { $0 != "-" && $0 != ":" }
        return "\(directory)/backups/\(name[..<dot])-\(moment)\(name[dot...])"
    }
}
