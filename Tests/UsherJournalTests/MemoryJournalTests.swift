import Testing
import UsherJournal

@Suite("The journal in memory")
struct MemoryJournalTests {
    private let journal = MemoryJournal()
    private let key = JournalKey(high: 1, low: 2)

    @Test func `entries come back in order, each session's for itself`() throws {
        try journal.append([1], revision: 1, to: key)
        try journal.append([2], revision: 2, to: key)
        try journal.append([3], revision: 1, to: JournalKey(high: .max, low: 2))
        #expect(journal.entries(of: key) == [[1], [2]])
    }

    @Test(arguments: [0, 1, 3, -1])
    func `an entry that is not the next one is refused`(revision: Int) throws {
        try journal.append([1], revision: 1, to: key)
        #expect(throws: JournalError.conflict(expected: 2, found: revision)) {
            try journal.append([2], revision: revision, to: key)
        }
        #expect(journal.entries(of: key) == [[1]])
    }

    @Test func `a session that is forgotten leaves nothing, and can begin anew`() throws {
        try journal.append([1], revision: 1, to: key)
        journal.remove(key)
        #expect(journal.entries(of: key) == [])
        try journal.append([1], revision: 1, to: key)
    }
}
