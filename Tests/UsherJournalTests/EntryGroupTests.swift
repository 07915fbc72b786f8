import Testing
import UsherJournal

@Suite("Groups of journal entries")
struct EntryGroupTests {
    private static let keys = [
        JournalKey(high: 1, low: 2), JournalKey(high: .max, low: 0), JournalKey(high: 1, low: 2),
    ]
    private static let entries: [[UInt8]] = [[1], [], Array(repeating: 7, count: 300)]

    private static func group() -> (sessions: [UInt8], entries: [UInt8]) {
        var group = EntryGroup()
        for (key, entry) in zip(keys, entries) { group.append(entry, of: key) }
        return group.take()
    }

    @Test func `a group returns the entries that were written, and is empty after its entries were taken`() throws {
        var group = EntryGroup()
        for (key, entry) in zip(Self.keys, Self.entries) { group.append(entry, of: key) }
        #expect(group.count == 3)
        let (sessions, entries) = group.take()
        let read = try EntryGroup.read(sessions: sessions, entries: entries)
        #expect(read.map(\.key) == Self.keys)
        #expect(read.map(\.entry) == Self.entries)
        #expect(group.count == 0)
    }

    @Test func `a changed byte among the sessions of a group, or a wrong length of its entries, is detected`() {
        let (sessions, entries) = Self.group()
        for index in sessions.indices {
            var changed = sessions
            changed[index] ^= 1
            #expect(throws: EntryError.self) { _ = try EntryGroup.read(sessions: changed, entries: entries) }
        }
        #expect(throws: EntryError.truncated) {
            _ = try EntryGroup.read(sessions: sessions, entries: entries.dropLast())
        }
        #expect(throws: EntryError.malformed) {
            _ = try EntryGroup.read(sessions: sessions, entries: entries + [0])
        }
    }

    @Test func `a run of several entries is the same after writing and reading it; a single entry is not a run`()
        throws
    {
        let run = EntryRun.bytes(Self.entries[...])
        #expect(EntryRun.isRun(run))
        #expect(try EntryRun.entries(of: run) == Self.entries)
        let single = EntryRun.bytes(Self.entries[2...])
        #expect(!EntryRun.isRun(single))
        #expect(try EntryRun.entries(of: single) == [single])
    }

    @Test func `a truncated run of entries is detected`() {
        let run = EntryRun.bytes([[3, 3], [4, 4]])
        for count in [2, 3, 5, 6] {
            #expect(throws: EntryError.truncated) { _ = try EntryRun.entries(of: Array(run.prefix(count))) }
        }
    }

    @Test(arguments: EntryTests.entries)
    func `the outline of an entry has its revision, time and secrets`(entry: Entry) {
        let outline = EntryOutline(entry.bytes(of: EntryTests.key))
        #expect(outline.revision == entry.revision)
        #expect(outline.time == entry.time)
        #expect(outline.holdsSecrets == !entry.secrets.isEmpty)
    }
}
