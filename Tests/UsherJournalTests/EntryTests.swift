import Testing
import UsherJournal

@Suite("Journal entries")
struct EntryTests {
    @Test(arguments: [
        Entry(.creation, revision: 1, time: 0, screen: 1, coordinator: 1, digest: 0, payload: []),
        Entry(
            .input, revision: 2, time: 1_795_181_309_042, screen: 4, coordinator: 3, digest: .max, payload: [1, 2, 3]),
        Entry(
            .input, revision: .max, time: -1, screen: .max, coordinator: 128, digest: 127,
            payload: Array(repeating: 255, count: 70_000)),
    ])
    func `what is written is read`(entry: Entry) throws {
        #expect(try Entry(entry.bytes) == entry)
    }

    @Test func `an entry costs some 25 bytes beside its payload`() {
        #expect(entry.bytes.count - entry.payload.count <= 26)
    }

    @Test func `any flipped bit is noticed`() {
        let bytes = entry.bytes
        for position in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[position] ^= 1 << bit
                #expect(throws: EntryError.self, "bit \(bit) of byte \(position)") { try Entry(changed) }
            }
        }
    }

    @Test func `any missing end is noticed`() {
        let bytes = entry.bytes
        for count in 0..<bytes.count {
            #expect(throws: EntryError.self) { try Entry(Array(bytes.prefix(count))) }
        }
    }

    @Test func `an entry of a newer build is named as such`() {
        var bytes = entry.bytes
        bytes[0] = 9
        #expect(throws: EntryError.version(9)) { try Entry(bytes) }
    }

    @Test func `the format is what it was: a journal outlives its build`() throws {
        let entry = Entry(
            .input, revision: 2, time: 1_000, screen: 2, coordinator: 3, digest: 0x0102, payload: [0x7B, 0x7D])
        #expect(
            entry.bytes == [
                1, 2, 2, 0xE8, 0x07, 2, 3, 0x02, 0x01, 0, 0, 0, 0, 0, 0, 2, 0x7B, 0x7D, 0x5B, 0x26, 0x29, 0x32,
            ])
    }

    private let entry = Entry(
        .input, revision: 300, time: 1_795_181_309_042, screen: 4, coordinator: 3, digest: 42, payload: Array("{}".utf8)
    )
}
