/// The contents of a journal, which one of the journal's threads reads and changes.
///
/// When a function returns, its changes are durable. Sessions' records are not changed here, because their changes are
/// committed in groups.
package protocol JournalContents {
    /// See `Journal.record(of:)`.
    func record(of key: JournalKey) throws(JournalError) -> SessionRecord?

    /// See `Journal.head(of:)`.
    func head(of key: JournalKey) throws(JournalError) -> RecordHead?

    /// See `Journal.creation(of:)`.
    func creation(of key: JournalKey) throws(JournalError) -> Entry?

    /// See `Journal.answer(under:of:)`.
    func answer(under idempotencyKey: String, of key: JournalKey) throws(JournalError) -> KeyedAnswer?

    /// See `Journal.opening(under:)`.
    func opening(under idempotencyKey: String) throws(JournalError) -> KeyedOpening?

    /// See `Journal.sessions(matching:)`.
    func sessions(matching query: SessionQuery) throws(JournalError) -> [FoundSession]

    /// See `Journal.count(matching:limit:)`.
    func count(matching query: SessionQuery, limit: Int) throws(JournalError) -> Int

    /// See `Journal.idle(since:limit:)`.
    func idle(since time: Int64, limit: Int) throws(JournalError) -> [SessionListing]

    /// See `Journal.due(by:after:limit:for:)`.
    func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) throws(JournalError) -> [DueSession]

    /// See `Journal.residue()`.
    var residue: Int { get throws(JournalError) }

    /// See `Journal.purge(endedBefore:limit:)`.
    func purge(endedBefore time: Int64, limit: Int) throws(JournalError) -> Int

    /// See `Journal.add(_:)`.
    func add(_ input: GuiltyInput) throws(JournalError)

    /// See `Journal.guiltyInputs()`.
    func guiltyInputs() throws(JournalError) -> [GuiltyInput]

    /// See `Journal.forget(_:)`.
    func forget(_ selection: GuiltyInput.Selection) throws(JournalError)

    /// See `Journal.builds()`.
    func builds() throws(JournalError) -> [JournalBuild]

    /// See `Journal.note(_:at:isConfirmed:)`.
    func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) throws(JournalError)

    /// See `Journal.holds(for:in:limit:)`.
    func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) throws(JournalError) -> [SessionHold]

    /// See `Journal.holdCounts(for:)`.
    func holdCounts(for build: UInt64) throws(JournalError) -> [String: Int]

    /// See `Journal.change(_:)`.
    func change(_ change: HoldChange) throws(JournalError)
}

/// A journal that reads and changes its contents on its own threads.
package protocol ThreadedJournal: Journal {
    /// The error with which all changes fail if the journal was opened read-only; otherwise nil.
    var refusal: JournalError? { get }

    /// Uses the contents on a thread of the journal.
    ///
    /// - Parameters:
    ///   - key: The session to read; nil for none. Changes of this session that were submitted before are complete when
    ///     `body` runs.
    ///   - body: Reads or changes the contents.
    /// - Throws: `JournalError`.
    func use<Answer: Sendable>(
        of key: JournalKey?, _ body: @escaping @Sendable (any JournalContents) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer
}

extension ThreadedJournal {
    private func read<Answer: Sendable>(
        _ body: @escaping @Sendable (any JournalContents) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        try await use(of: nil, body)
    }

    private func write<Answer: Sendable>(
        _ body: @escaping @Sendable (any JournalContents) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
        if let refusal { throw refusal }
        return try await use(of: nil, body)
    }

    /// Returns the record of a session.
    package func record(of key: JournalKey) async throws(JournalError) -> SessionRecord? {
        try await use(of: key) { contents throws(JournalError) in try contents.record(of: key) }
    }

    /// Returns the header of a session.
    package func head(of key: JournalKey) async throws(JournalError) -> RecordHead? {
        try await use(of: key) { contents throws(JournalError) in try contents.head(of: key) }
    }

    /// Returns the first entry of a session.
    package func creation(of key: JournalKey) async throws(JournalError) -> Entry? {
        try await use(of: key) { contents throws(JournalError) in try contents.creation(of: key) }
    }

    /// Returns the response that a session stores for an idempotency key.
    package func answer(under idempotencyKey: String, of key: JournalKey) async throws(JournalError) -> KeyedAnswer? {
        try await use(of: key) { contents throws(JournalError) in try contents.answer(under: idempotencyKey, of: key) }
    }

    /// Returns the session that was opened with an idempotency key.
    package func opening(under idempotencyKey: String) async throws(JournalError) -> KeyedOpening? {
        try await read { contents throws(JournalError) in try contents.opening(under: idempotencyKey) }
    }

    /// Returns a page of the sessions that match a query.
    package func sessions(matching query: SessionQuery) async throws(JournalError) -> [FoundSession] {
        try await read { contents throws(JournalError) in try contents.sessions(matching: query) }
    }

    /// Returns the number of sessions that match a query, up to a limit.
    package func count(matching query: SessionQuery, limit: Int) async throws(JournalError) -> Int {
        try await read { contents throws(JournalError) in try contents.count(matching: query, limit: limit) }
    }

    /// Returns sessions whose last recorded use is not after a time.
    package func idle(since time: Int64, limit: Int) async throws(JournalError) -> [SessionListing] {
        try await read { contents throws(JournalError) in try contents.idle(since: time, limit: limit) }
    }

    /// Returns sessions with a timer or an effect that is due.
    package func due(
        by time: Int64, after place: DueSession?, limit: Int, for build: UInt64
    ) async throws(JournalError) -> [DueSession] {
        try await read { contents throws(JournalError) in
            try contents.due(by: time, after: place, limit: limit, for: build)
        }
    }

    /// Returns the approximate number of bytes that ended sessions still use.
    package func residue() async throws(JournalError) -> Int {
        try await read { contents throws(JournalError) in try contents.residue }
    }

    /// Deletes all traces of sessions that ended before a time.
    package func purge(endedBefore time: Int64, limit: Int) async throws(JournalError) -> Int {
        try await write { contents throws(JournalError) in try contents.purge(endedBefore: time, limit: limit) }
    }

    /// Adds a guilty input, durably even if the journal is relaxed.
    package func add(_ input: GuiltyInput) async throws(JournalError) {
        try await write { contents throws(JournalError) in try contents.add(input) }
    }

    /// Returns the guilty inputs, oldest first.
    package func guiltyInputs() async throws(JournalError) -> [GuiltyInput] {
        try await read { contents throws(JournalError) in try contents.guiltyInputs() }
    }

    /// Deletes guilty inputs, including damaged rows.
    package func forget(_ selection: GuiltyInput.Selection) async throws(JournalError) {
        try await write { contents throws(JournalError) in try contents.forget(selection) }
    }

    /// Returns the builds whose servers use or have used the journal.
    package func builds() async throws(JournalError) -> [JournalBuild] {
        try await read { contents throws(JournalError) in try contents.builds() }
    }

    /// Records that a server of a build is running.
    package func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) async throws(JournalError) {
        try await write { contents throws(JournalError) in
            try contents.note(build, at: time, isConfirmed: isConfirmed)
        }
    }

    /// Returns a build's valid verdicts.
    package func holds(
        for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int
    ) async throws(JournalError) -> [SessionHold] {
        try await read { contents throws(JournalError) in try contents.holds(for: build, in: keys, limit: limit) }
    }

    /// Returns the number of a build's valid verdicts, by the kind of the verdict's reason.
    package func holdCounts(for build: UInt64) async throws(JournalError) -> [String: Int] {
        try await read { contents throws(JournalError) in try contents.holdCounts(for: build) }
    }

    /// Changes the verdicts, durably even if the journal is relaxed.
    package func change(_ change: HoldChange) async throws(JournalError) {
        try await write { contents throws(JournalError) in try contents.change(change) }
    }
}

extension JournalError {
    /// The error of all changes to a journal that was opened read-only.
    package static let readOnly = JournalError.unsupported("the journal was opened read-only")
}
