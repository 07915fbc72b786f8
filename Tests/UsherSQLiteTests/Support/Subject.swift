import UsherJournal

/// A journal that is being tested, with the verbs that tests are written in.
///
/// Its errors have no type: the macros of Swift Testing do not get along with typed ones.
struct Subject: Sendable {
    let journal: any Journal
    let folder: Folder

    init(_ journal: any Journal, in folder: Folder) {
        self.journal = journal
        self.folder = folder
    }

    init(_ storage: Storage) throws {
        folder = try Folder()
        journal = try storage.journal(in: folder)
    }

    /// Submits changes and waits until all of them count, or do not.
    func keep(_ changes: JournalChange...) async {
        var commit: Commit?
        for change in changes { commit = journal.submit(change) ?? commit }
        await commit?.wait()
        // A relaxed journal gathers changes until it is asked something.
        _ = try? await count()
    }

    func submit(_ change: JournalChange) { _ = journal.submit(change) }

    func record(of key: JournalKey) async throws -> Snapshot? { Snapshot(try await journal.record(of: key)) }

    func head(of key: JournalKey) async throws -> SessionHeader? { try await journal.head(of: key) }

    func answer(under idempotencyKey: String, of key: JournalKey) async throws -> KeyedAnswer? {
        try await journal.answer(under: idempotencyKey, of: key)
    }

    func opening(under idempotencyKey: String) async throws -> KeyedOpening? {
        try await journal.opening(under: idempotencyKey)
    }

    /// Counts what was submitted by now: a read waits for it.
    func count() async throws -> Int {
        _ = try await journal.opening(under: "")
        return journal.count
    }

    func sessions(after key: JournalKey?, limit: Int) async throws -> [SessionListing] {
        try await journal.sessions(after: key, limit: limit)
    }

    func idle(since time: Int64, limit: Int) async throws -> [SessionListing] {
        try await journal.idle(since: time, limit: limit)
    }

    func purge(endedBefore time: Int64, limit: Int) async throws -> Int {
        try await journal.purge(endedBefore: time, limit: limit)
    }

    func backUp() async throws -> Backup { try await journal.backUp() }
}
