package import UsherJournal

extension SQLiteJournal {
    /// Forgets sessions altogether that ended before a time.
    package func purge(endedBefore time: Int64, limit: Int) async throws(JournalError) -> Int {
        guard purpose == .serving else { throw Self.unchangeable }
        return try await desk.ask { worker, continuation in
            continuation.resume(
                returning: Result { () throws(JournalError) in
                    try worker.store.transaction { () throws(JournalError) in
                        try worker.store.purge(endedBefore: time, limit: limit)
                    }
                })
        }
    }

    /// Makes a copy in `backups` beside the journal's file, named with the time; commits go on meanwhile.
    package func backUp() async throws(JournalError) -> Backup {
        let path = BackupName.path(of: path, at: now())
        return try await desk.ask { worker, continuation in
            worker.backUp(to: path) { continuation.resume(returning: $0) }
        }
    }
}
