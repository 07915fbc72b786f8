import Testing
import UsherJournal

@Suite("The memory journal")
struct MemoryJournalTests {
    @Test func `a journal in memory keeps only the newest ended sessions, up to a limit`() async throws {
        // The limit is for all 64 shards; these keys are all in the first shard.
        let journal = MemoryJournal(endedLimit: 128)
        for number in UInt64(1)...3 {
            let key = JournalKey(high: 0, low: number)
            let answer = KeyedAnswer(key: "k\(number)", fingerprint: nil, revision: 1, body: [])
            var head = SessionHeader(app: "notes", created: 0, revision: 1, time: 0, bytes: 0)
            let creation = JournalChange(.create(head, entries: [[1]], opening: answer), of: key)
            #expect(journal.submit(creation).result == .success(nil))
            head.ending = SessionHeader.End(reason: "finished", time: Int64(number))
            #expect(journal.submit(JournalChange(.end(head, answer: nil), of: key)).result == .success(nil))
        }
        #expect(journal.head(of: JournalKey(high: 0, low: 1)) == nil)
        #expect(journal.opening(under: "k1") == nil)
        #expect(journal.head(of: JournalKey(high: 0, low: 2))?.header.ending?.time == 2)
        #expect(journal.opening(under: "k3") != nil)
    }

    @Test func `a journal in memory removes the oldest ended sessions early if they leave much residue`() async throws {
        // The limit is for all 64 shards; these keys are all in the first shard.
        let journal = MemoryJournal(residueLimit: 64 * 10_000)
        for number in UInt64(1)...5 {
            let key = JournalKey(high: 0, low: number)
            let body = [UInt8](repeating: 1, count: 4_000)
            let answer = KeyedAnswer(key: "k\(number)", fingerprint: nil, revision: 1, body: body)
            var head = SessionHeader(app: "notes", created: 0, revision: 1, time: 0, bytes: 0)
            _ = journal.submit(JournalChange(.create(head, entries: [[1]], opening: answer), of: key))
            head.ending = SessionHeader.End(reason: "finished", time: Int64(number))
            _ = journal.submit(JournalChange(.end(head, answer: nil), of: key))
        }
        #expect((1...5).filter { journal.opening(under: "k\($0)") != nil } == [4, 5])
        #expect((8_000...10_000).contains(journal.residue()))
    }

    @Test func `operations that a journal in memory does not support fail with an explanation`() {
        #expect(throws: JournalError.self) { try MemoryJournal().backUp() }
        #expect(MemoryJournal().epoch == nil)
    }
}
