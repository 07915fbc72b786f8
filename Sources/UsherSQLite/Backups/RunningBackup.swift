import CSQLite
import UsherJournal

/// A backup in progress, which copies some pages at a time between commits.
///
/// The copy includes commits that are made during the backup, because they use the same connection.
@safe
final class RunningBackup {
    typealias Completion = @Sendable (Result<Backup, JournalError>) -> Void

    private let file: BackupFile
    private let target: Database
    private let handle: OpaquePointer
    private let end: Completion

    /// The number of pages in a step: a quarter of a megabyte, for which a commit may have to wait.
    private static let pagesPerStep: Int32 = 64

    init(of source: Database, to path: String, _ end: @escaping Completion) throws(JournalError) {
        file = try BackupFile(path)
        do throws(SQLiteFailure) {
            target = try Database(opening: file.partialPath)
            // Safe, because an incomplete copy is deleted, and a complete copy is synchronized at the end.
            try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            unsafe handle = try Self.begin(from: source, to: target)
        } catch {
            file.remove()
            throw .unavailable("the backup \(path) cannot be made: \(error.message)")
        }
        self.end = end
    }

    private static func begin(from source: Database, to target: Database) throws(SQLiteFailure) -> OpaquePointer {
        let begun = unsafe source.withHandle { from in
            unsafe target.withHandle { to in unsafe sqlite3_backup_init(to, "main", from, "main") }
        }
        guard let begun = unsafe begun else { throw target.failure }
        return unsafe begun
    }

    /// Copies some pages, and returns `true` if the backup has ended, with success or failure.
    func step() -> Bool {
        let code = unsafe sqlite3_backup_step(handle, Self.pagesPerStep)
        switch code & 0xFF {
        case SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED: return false
        case SQLITE_DONE: finish()
        default: giveUp(.unavailable("the backup \(file.path) was not made: \(SQLiteFailure(code: code).message)"))
        }
        return true
    }

    func giveUp(_ error: JournalError) {
        unsafe sqlite3_backup_finish(handle)
        target.close()
        file.remove()
        end(.failure(error))
    }

    private func finish() {
        unsafe sqlite3_backup_finish(handle)
        target.close()
        do throws(JournalError) { end(.success(try file.publish())) } catch {
            file.remove()
            end(.failure(error))
        }
    }
}
