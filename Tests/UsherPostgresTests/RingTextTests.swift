import JournalSubject
import Testing
import UsherJournal

@testable import UsherPostgres

@Suite("Texts of rings")
struct RingTextTests {
    @Test func `rings go into as few texts as they fit in, and come out again`() {
        let rings = Dictionary(uniqueKeysWithValues: (1...500).map { (Author(UInt64($0)).key, $0) })
        let texts = RingText.texts(from: -5, rings)
        #expect(texts.count == 2 && texts.allSatisfy { $0.utf8.count <= RingText.limit })
        let read = texts.compactMap(RingText.read)
        #expect(read.allSatisfy { $0.node == -5 })
        #expect(read.flatMap(\.rings).allSatisfy { rings[$0.key] == $0.revision })
        #expect(read.flatMap(\.rings).count == 500)
        #expect(RingText.texts(from: 1, [:]).isEmpty)
    }

    @Test(arguments: ["", "hello", "1;2", "1;2,3", "1;2,3,x", "1;x,3,4", ";1,2,3"])
    func `what no server has written is no ring`(text: String) {
        #expect(RingText.read(text) == nil)
    }
}
