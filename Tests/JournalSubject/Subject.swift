package import Programs
package import UsherJournal

/// A journal under test, with the methods that tests use.
///
/// Errors are untyped, because the macros of Swift Testing do not support typed errors.
package struct Subject: Sendable {
    package let journal: any Journal
    package let folder: TemporaryFolder

    package init(_ journal: any Journal, in folder: TemporaryFolder) {
        self.journal = journal
        self.folder = folder
    }

    /// Submits changes, and waits until all of them have succeeded or failed.
    package func keep(_ changes: AuthoredChange...) async {
        for commit in changes.map({ journal.submit($0) }) { await commit.wait() }
        // A relaxed journal collects changes until it is read.
        _ = try? await count()
    }

    package func submit(_ change: AuthoredChange) { _ = journal.submit(change) }

    package func record(of key: JournalKey) async throws -> RecordContent? {
        RecordContent(try await journal.record(of: key))
    }

    package func head(of key: JournalKey) async throws -> SessionHeader? {
        try await journal.head(of: key)?.header
    }

    package func creation(of key: JournalKey) async throws -> Entry? {
        try await journal.creation(of: key)
    }

    package func answer(under idempotencyKey: String, of key: JournalKey) async throws -> KeyedAnswer? {
        try await journal.answer(under: idempotencyKey, of: key)
    }

    package func opening(under idempotencyKey: String) async throws -> KeyedOpening? {
        try await journal.opening(under: idempotencyKey)
    }

    /// Counts the sessions after all submitted changes, because a read waits for them.
    package func count() async throws -> Int {
        _ = try await journal.opening(under: "")
        return journal.count
    }

    package func sessions(after key: JournalKey?, limit: Int) async throws -> [FoundSession] {
        try await journal.sessions(after: key, limit: limit)
    }

    package func sessions(matching query: SessionQuery) async throws -> [FoundSession] {
        try await journal.sessions(matching: query)
    }

    package func count(matching query: SessionQuery, limit: Int) async throws -> Int {
        try await journal.count(matching: query, limit: limit)
    }

    package func idle(since time: Int64, limit: Int) async throws -> [SessionListing] {
        try await journal.idle(since: time, limit: limit)
    }

    package func due(
        by time: Int64, after place: DueSession? = nil, limit: Int, for build: UInt64 = 0
    ) async throws -> [DueSession] {
        try await journal.due(by: time, after: place, limit: limit, for: build)
    }

    package func residue() async throws -> Int { try await journal.residue() }

    package func purge(endedBefore time: Int64, limit: Int) async throws -> Int {
        try await journal.purge(endedBefore: time, limit: limit)
    }

    package func add(_ input: GuiltyInput) async throws { try await journal.add(input) }

    package func guiltyInputs() async throws -> [GuiltyInput] { try await journal.guiltyInputs() }

    package func forget(_ selection: GuiltyInput.Selection) async throws { try await journal.forget(selection) }

    package func builds() async throws -> [JournalBuild] { try await journal.builds() }

    package func note(_ build: UInt64, at time: Int64, isConfirmed: Bool = false) async throws {
        try await journal.note(build, at: time, isConfirmed: isConfirmed)
    }

    package func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey> = JournalKey.all, limit: Int = .max
    ) async throws -> [SessionHold] {
        try await journal.holds(for: build, in: keys, limit: limit)
    }

    package func holdCounts(for build: UInt64) async throws -> [String: Int] {
        try await journal.holdCounts(for: build)
    }

    package func change(_ change: HoldChange) async throws { try await journal.change(change) }

    package func backUp() async throws -> Backup { try await journal.backUp() }

    package func close() async { await journal.close() }
}
