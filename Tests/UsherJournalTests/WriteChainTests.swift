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

    @Test func `a broken chain knows which revisions have not happened`() {
        let tail = WriteChain()
        #expect(!tail.hasLost(7))
        tail.fail(.conflict)
        #expect(!tail.hasLost(7), "what failed has brought none")
        tail.fail(.conflict, losing: 6)
        tail.fail(.conflict, losing: 8)
        #expect([5, 6, 7, 8].map { tail.hasLost($0) } == [false, true, true, true])
    }

    @Test func `a change that builds on one that has failed is left out, and its revision with it`() {
        let journal = MemoryJournal()
        let (key, tail) = (JournalKey(high: 1, low: 2), WriteChain())
        let header = { SessionHeader(app: "a", created: 0, revision: $0, time: 0, bytes: 0) }
        _ = journal.submit(JournalChange(.erase(revision: 9), of: key, at: tail))
        #expect(tail.isBroken && !tail.hasLost(1), "there is no such session")
        _ = journal.submit(JournalChange(.append(header(2), entry: [], answer: nil), of: key, at: tail))
        #expect(tail.hasLost(2) && !tail.hasLost(1))
    }

    @Test func `a chain falls behind from the version that it stands at alone, until it has caught up`() {
        let first = RecordToken(revision: 4, mark: 1)
        let second = first.followed(to: 5, by: 2)
        let tail = WriteChain(at: first)
        tail.fallBehind(from: second)
        #expect(!tail.isBehind && tail.token == first)
        tail.fallBehind(from: first)
        #expect(tail.isBehind && !tail.isBroken && tail.failure == nil)
        tail.advance(to: second)
        #expect(!tail.isBehind && tail.token == second)
        // What was found out of the version before, its own change has overtaken.
        tail.fallBehind(from: first)
        #expect(!tail.isBehind)
    }

    @Test func `a broken chain is neither behind nor sound again`() {
        let token = RecordToken(revision: 4, mark: 1)
        let tail = WriteChain(at: token)
        tail.fallBehind(from: token)
        tail.fail(.conflict)
        tail.fallBehind(from: token)
        #expect(tail.isBroken && !tail.isBehind)
        tail.advance(to: token.followed(to: 5, by: 2))
        #expect(tail.isBroken && tail.failure == .conflict)
    }

    @Test func `an answer alone has another mark than the entry that it comes upon`() {
        let entry = RecordToken(revision: 4, mark: 1)
        let answer = entry.followed(to: 4, by: 2)
        #expect(answer == RecordToken(revision: 4, mark: 2, entryMark: 1))
        #expect(answer.followed(to: 5, by: 3) == RecordToken(revision: 5, mark: 3))
    }

    @Test func `the order of keys is the order of their bits`() {
        let keys = [(0, UInt64.max), (1, 0), (1, 1), (.max, 0)].map { JournalKey(high: $0.0, low: $0.1) }
        #expect(keys.shuffled().sorted() == keys)
    }
}
