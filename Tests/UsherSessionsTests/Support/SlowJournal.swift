import JournalSubject
import Synchronization
import UsherJournal

/// A journal in memory whose reads take their time, so that others come meanwhile; it counts them.
final class SlowJournal: JournalOverMemory {
    let reads = Atomic(0)
    let headReads = Atomic(0)
    let memory = MemoryJournal()

    func record(of key: JournalKey) async throws(JournalError) -> SessionRecord? {
        reads.add(1, ordering: .relaxed)
        for _ in 0..<1_000 { await Task.yield() }
        return try memory.record(of: key)
    }

    func head(of key: JournalKey) throws(JournalError) -> RecordHead? {
        headReads.add(1, ordering: .relaxed)
        return memory.head(of: key)
    }
}
