import JournalSubject
import Testing
import UsherJournal

@testable import UsherPostgres

@Suite("Texts of notifications")
struct RingTextTests {
    @Test func `several notifications share as few texts as possible, and can be read from the texts`() {
        let rings = Dictionary(uniqueKeysWithValues: (1...500).map { (Author(UInt64($0)).key, $0) })
        let texts = RingText.texts(from: -5, rings)
        #expect(texts.count == 4)
        let read = texts.flatMap { RingText.read($0, except: 5) }
        #expect(read.allSatisfy { rings[$0.key] == $0.revision })
        #expect(read.count == 500)
        #expect(RingText.texts(from: 1, [:]).isEmpty)
    }

    @Test func `the longest text fits into a notification of PostgreSQL`() {
        let keys = (0..<RingText.limit).map { JournalKey(high: .max, low: .max - UInt64($0)) }
        let texts = RingText.texts(from: .min, Dictionary(uniqueKeysWithValues: keys.map { ($0, .max) }))
        #expect(texts.count == 1 && texts[0].utf8.count < 8_000)
        #expect(Set(RingText.read(texts[0], except: 2).map(\.key)) == Set(keys))
    }

    @Test(arguments: [UInt64.min, 1, 0x0123_4567_89ab_cdef, .max], [0, 7, Int.max])
    func `every key and revision is the same after writing and reading it`(word: UInt64, revision: Int) {
        let key = JournalKey(high: word, low: ~word)
        let texts = RingText.texts(from: 1, [key: revision])
        #expect(texts.flatMap { RingText.read($0, except: 2) } == [JournalRing(key, at: revision)])
    }

    @Test func `a server ignores its own notifications`() {
        let texts = RingText.texts(from: -5, [JournalKey(high: 1, low: 2): 3])
        #expect(RingText.read(texts[0], except: -5).isEmpty)
    }

    @Test(arguments: [
        "", "hello", "1 2", "1 2 3", "1 2 3 x", "1 x 3 4", "x 1 2 3", "1 1 2 3 4", "1 1 2 a", "1 1 -2 3",
        "1 99999999999999999999 2 3", "1 1 2 9223372036854775808",
    ])
    func `a malformed text is ignored and contains no notification`(text: String) {
        #expect(RingText.read(text, except: 2).isEmpty)
    }
}
