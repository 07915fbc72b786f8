import JournalSubject
import Testing
import UsherJournal

@testable import UsherPostgres

@Suite("Texts of rings")
struct RingTextTests {
    @Test func `rings go into as few texts as they fit in, and come out again`() {
        let rings = Dictionary(uniqueKeysWithValues: (1...500).map { (Author(UInt64($0)).key, $0) })
        let texts = RingText.texts(from: -5, rings)
        #expect(texts.count == 3 && texts.allSatisfy { $0.count <= RingText.limit })
        let read = texts.flatMap { RingText.read($0, except: 5) }
        #expect(read.allSatisfy { rings[$0.key] == $0.revision })
        #expect(read.count == 500)
        #expect(RingText.texts(from: 1, [:]).isEmpty)
    }

    @Test(arguments: [UInt64.min, 1, 0x0123_4567_89ab_cdef, .max], [0, 7, Int.max])
    func `every key and every revision comes out as it went in`(word: UInt64, revision: Int) {
        let key = JournalKey(high: word, low: ~word)
        let texts = RingText.texts(from: 1, [key: revision])
        #expect(texts.flatMap { RingText.read($0, except: 2) } == [JournalRing(key, at: revision)])
    }

    @Test func `all digits of keys are written, as servers of the build before read them too`() {
        let texts = RingText.texts(from: -5, [JournalKey(high: 1, low: 0xab): 30])
        let text = texts.map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(text == "fffffffffffffffb;0000000000000001,00000000000000ab,30")
        #expect(text.split { ";,".contains($0) }.prefix(3).map { UInt64($0, radix: 16) } == [.max - 4, 1, 0xab])
    }

    @Test func `a server does not hear itself`() {
        let texts = RingText.texts(from: -5, [JournalKey(high: 1, low: 2): 3])
        #expect(RingText.read(texts[0], except: -5).isEmpty)
    }

    @Test func `numbers without leading zeros are read, for older servers write them so`() {
        let rings = RingText.read(Array("fffffffffffffffb;1,ab,3;0,2,10".utf8), except: 1)
        #expect(
            rings == [
                JournalRing(JournalKey(high: 1, low: 0xab), at: 3), JournalRing(JournalKey(high: 0, low: 2), at: 10),
            ])
    }

    @Test(arguments: [
        "", "hello", "1;2", "1;2,3", "1;2,3,x", "1;x,3,4", ";1,2,3", "1;1,2,3;", "1;1,2,a", "1;1,2,-3",
        "1;10000000000000000,2,3", "1;1,2,9223372036854775808", "1;1,2,99999999999999999999",
    ])
    func `what no server has written is no ring`(text: String) {
        #expect(RingText.read(Array(text.utf8), except: 2).isEmpty)
    }
}
