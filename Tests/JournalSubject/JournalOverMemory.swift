package import UsherJournal

/// A journal that passes all calls to a journal in memory, except those that a test replaces.
package protocol JournalOverMemory: Journal {
    /// The journal in memory.
    var memory: MemoryJournal { get }
}

extension JournalOverMemory {
    package var epoch: String? { nil }
    package var count: Int { memory.count }

    package func submit(_ change: JournalChange) -> PendingCommit { memory.submit(change) }

    package func record(of key: JournalKey) throws(JournalError) -> SessionRecord? { try memory.record(of: key) }

    package func head(of key: JournalKey) throws(JournalError) -> RecordHead? { memory.head(of: key) }

    package func answer(under idempotencyKey: String, of key: JournalKey) throws(JournalError) -> KeyedAnswer? {
        try memory.answer(under: idempotencyKey, of: key)
    }

    package func opening(under idempotencyKey: String) -> KeyedOpening? { memory.opening(under: idempotencyKey) }

    package func sessions(matching query: SessionQuery) -> [FoundSession] { memory.sessions(matching: query) }

    package func count(matching query: SessionQuery, limit: Int) -> Int { memory.count(matching: query, limit: limit) }

    package func idle(since time: Int64, limit: Int) -> [SessionListing] { memory.idle(since: time, limit: limit) }

    package func due(by time: Int64, after place: DueSession?, limit: Int, for build: UInt64) -> [DueSession] {
        memory.due(by: time, after: place, limit: limit, for: build)
    }

    package func residue() -> Int { memory.residue() }

    package func purge(endedBefore time: Int64, limit: Int) -> Int { memory.purge(endedBefore: time, limit: limit) }

    package func add(_ input: GuiltyInput) { memory.add(input) }

    package func guiltyInputs() -> [GuiltyInput] { memory.guiltyInputs() }

    package func forget(_ selection: GuiltyInput.Selection) { memory.forget(selection) }

    package func builds() -> [JournalBuild] { memory.builds() }

    package func note(_ build: UInt64, at time: Int64, isConfirmed: Bool) {
        memory.note(build, at: time, isConfirmed: isConfirmed)
    }

    package func holds(for build: UInt64, in keys: ClosedRange<JournalKey>, limit: Int) -> [SessionHold] {
        memory.holds(for: build, in: keys, limit: limit)
    }

    package func holdCounts(for build: UInt64) -> [String: Int] { memory.holdCounts(for: build) }

    package func change(_ change: HoldChange) { memory.change(change) }

    package func backUp() throws(JournalError) -> Backup { try memory.backUp() }

    package func close() {}
}
