import UsherJournal

@testable import UsherSQLite

extension Store {
    /// Opens a journal's file on the calling thread.
    convenience init(in folder: Folder, _ name: String = "journal.db", _ limits: RecentLimits = RecentLimits()) throws {
        try self.init(.journal(at: folder(name), for: .serving, pageSize: 4096), limits)
    }

    /// How many rows a table has.
    func count(_ table: String) throws -> Int64 { try connection.integer("SELECT count(*) FROM \(table)") }

    /// Files what is in the table of recent entries, about so many in each transaction.
    ///
    /// - Parameter deleting: Whether to go on until the table is empty.
    func fileRecent(_ entries: Int = 10, deleting: Bool = true) throws {
        recent.turn()
        while let old = recent.old, deleting || !old.isFiled {
            try transaction { () throws(JournalError) in _ = try fileSome(deleting ? entries : 1) }
        }
    }
}
