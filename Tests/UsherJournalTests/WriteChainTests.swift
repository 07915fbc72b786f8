import Testing
import UsherJournal

@Suite("Chains of changes")
struct WriteChainTests {
    @Test func `a chain breaks once, for the first reason`() {
        let tail = WriteChain()
        #expect(!tail.isBroken)
        #expect(tail.failure == nil)
        tail.fail(.conflict)
        tail.fail(.unsupported("later"))
        #expect(tail.isBroken)
        #expect(tail.failure == .conflict)
    }

    @Test func `the order of keys is the order of their bits`() {
        let keys = [(0, UInt64.max), (1, 0), (1, 1), (.max, 0)].map { JournalKey(high: $0.0, low: $0.1) }
        #expect(keys.shuffled().sorted() == keys)
    }
}
