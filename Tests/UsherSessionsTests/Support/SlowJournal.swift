import Synchronization
import UsherJournal

/// A journal in memory whose reads take their time, so that others come meanwhile; it counts them.
final class SlowJournal: Journal {
    let reads = Atomic(0)
    let headReads = Atomic(0)
    private let memory = MemoryJournal()

    var epoch: String? { nil }
    var count: Int { memory.count }

    func submit(_ change: JournalChange) -> Commit? { memory.submit(change) }

    func record(of key: JournalKey) async throws(JournalError) -> SessionRecord? {
        reads.add(1, ordering: .relaxed)
        for _ in 0..<1_000 { await Task.yield() }
        return try memory.record(of: key)
    }

    func head(of key: JournalKey) throws(JournalError) -> RecordHead? {
        headReads.add(1, ordering: .relaxed)
        return memory.head(of: key)
    }

    func answer(under idempotencyKey: String, of key: JournalKey) throws(JournalError) -> KeyedAnswer? {
        try memory.answer(under: idempotencyKey, of: key)
    }

    func opening(under idempotencyKey: String) -> KeyedOpening? { memory.opening(under: idempotencyKey) }

    func sessions(after key: JournalKey?, limit: Int) -> [SessionListing] { memory.sessions(after: key, limit: limit) }

    func idle(since time: Int64, limit: Int) -> [SessionListing] { memory.idle(since: time, limit: limit) }

    func due(by time: Int64, limit: Int) -> [SessionListing] { memory.due(by: time, limit: limit) }

    func residue() -> Int { memory.residue() }

    func purge(endedBefore time: Int64, limit: Int) -> Int { memory.purge(endedBefore: time, limit: limit) }

    func add(_ input: GuiltyInput) { memory.add(input) }

    func guiltyInputs() -> [GuiltyInput] { memory.guiltyInputs() }

    func forget(_ selection: GuiltyInput.Selection) { memory.forget(selection) }

    func backUp() throws(JournalError) -> Backup { try memory.backUp() }

    func close() {}
}
