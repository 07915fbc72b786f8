import Testing
import UsherJournal

@Suite("Journal entries")
struct EntryTests {
    static let key = JournalKey(high: 1, low: 2)
    static let entries = [
        Entry(.creation, revision: 1, time: 0, before: ids(1, 1), after: ids(1, 1), digest: 0, payload: []),
        Entry(
            .input, revision: 2, time: 1_795_181_309_042, before: ids(4, 3), after: ids(6, 3), digest: .max,
            visible: "login 5", payload: [1, 2, 3]),
        Entry(
            .divergence, revision: .max, time: -1, before: ids(0, 128), after: ids(.max, .max), digest: 127,
            payload: Array(repeating: 255, count: 70_000)),
        Entry(
            .inputKeepingLink, revision: 3, time: 1, before: ids(1, 1), after: ids(1, 1), digest: 1,
            payload: Array("{\"a\":\"x\",\"b\":\"y\"}".utf8), secrets: [5..<8, 13..<16]),
        Entry(
            .inputDroppingLink, revision: 4, time: 1, before: ids(1, 1), after: ids(1, 1), digest: 1,
            payload: Array("null".utf8), secrets: [0..<4], isErased: true),
    ]

    static func ids(_ screen: Int, _ coordinator: Int) -> Entry.FreeIdentifiers {
        Entry.FreeIdentifiers(screen: screen, coordinator: coordinator)
    }

    @Test(arguments: entries)
    func `an entry is the same after writing and reading it`(entry: Entry) throws {
        #expect(try Entry(entry.bytes(of: Self.key), of: Self.key) == entry)
    }

    @Test(arguments: entries)
    func `the bytes of an entry show whether the entry has secrets`(entry: Entry) {
        #expect(Entry.holdsSecrets(entry.bytes(of: Self.key)) == !entry.secrets.isEmpty)
    }

    @Test func `the search for secrets in arbitrary bytes never traps`() {
        for count in 0..<40 {
            for byte in [UInt8(0), 0x7F, 0x80, 0xFF] {
                _ = Entry.holdsSecrets(Array(repeating: byte, count: count))
            }
        }
    }

    @Test func `an entry needs at most 30 bytes in addition to its payload and screen`() {
        let entry = Self.entries[1]
        #expect(entry.bytes(of: Self.key).count - entry.payload.count - entry.visible.utf8.count <= 30)
    }

    @Test func `an entry of a newer format causes an error that says so`() {
        var bytes = Self.entries[1].bytes(of: Self.key)
        bytes[0] = 9
        #expect(throws: EntryError.version(9)) { try Entry(bytes, of: Self.key) }
    }

    @Test func `the format of entries has not changed, because journals outlive builds`() {
        let entry = Entry(
            .input, revision: 2, time: 1_000, before: Self.ids(2, 3), after: Self.ids(4, 3), digest: 0x0102,
            visible: "a", payload: [0x7B, 0x7D], secrets: [0..<2])
        #expect(
            entry.bytes(of: Self.key).dropLast(4) == [
                1, 2, 2, 0xE8, 0x07, 2, 3, 2, 0, 0x02, 0x01, 0, 0, 0, 0, 0, 0, 1, 0x61, 2, 0x7B, 0x7D, 0, 1, 0, 2,
            ])
    }

    @Test func `an entry's secrets are masked in output and can be erased permanently`() {
        let entry = Self.entries[3]
        #expect(entry.maskedPayload == Array("{\"a\":\"…\",\"b\":\"…\"}".utf8))
        #expect(entry.erased.payload == Array("{\"a\":null,\"b\":null}".utf8))
        #expect(entry.erased.isErased)
        #expect(
            entry.erased.secrets.map { Array(entry.erased.payload[$0]) } == [Array("null".utf8), Array("null".utf8)])
        #expect(entry.erased.erased == entry.erased)
    }

    @Test func `erasing an entry without secrets changes nothing`() {
        #expect(Self.entries[1].erased == Self.entries[1])
        #expect(Self.entries[1].maskedPayload == Self.entries[1].payload)
    }
}
