import Testing
import UsherFuture
import UsherJournal

@testable import UsherSessions

/// An answer that is no change leaves with the journal's word on it; a request that has read the journal itself needs no word
/// on what it found there, and on nothing else.
@Suite("An answer that is no change")
struct ConfirmedAnswerTests {
    private let version = RecordToken(revision: 2, mark: 7)

    private func answer(_ chain: WriteChain) -> PendingAnswer<Int> {
        PendingAnswer(.success(1), chain: chain, confirmation: VersionConfirmation(at: chain))
    }

    /// True where the answer leaves at once.
    private func leaves(_ answer: PendingAnswer<Int>, knowing version: RecordToken?) -> Bool {
        if case .ready = answer.outcome(knowing: version) { true } else { false }
    }

    @Test func `it leaves at once where the tree stands there`() {
        #expect(leaves(answer(WriteChain(at: version)), knowing: version))
    }

    @Test func `it waits where the tree has handled an input since, whose change may never be kept`() {
        let chain = WriteChain(at: version)
        let change = Commit()
        chain.expect(change)
        #expect(!leaves(answer(chain), knowing: version))
        change.finish()
        #expect(leaves(answer(chain), knowing: version))
    }

    @Test func `it waits where the tree stands at another version, or others have written`() {
        let chain = WriteChain(at: version)
        #expect(!leaves(answer(chain), knowing: nil))
        #expect(!leaves(answer(chain), knowing: RecordToken(revision: 2, mark: 8)))
        chain.fallBehind(from: version)
        #expect(!leaves(answer(chain), knowing: version))
    }

    @Test(arguments: [true, false])
    func `the journal's word on it counts, and not that the tree has caught up by then`(isConfirmed: Bool) async throws
    {
        let chain = WriteChain(at: version)
        let confirmation = VersionConfirmation(at: chain)
        let answer = PendingAnswer<Int>(.success(1), chain: chain, confirmation: confirmation)
        #expect(!answer.isDurable)
        chain.fallBehind(from: version)
        #expect(!confirmation.holds)
        chain.advance(to: RecordToken(revision: 3, mark: 9))
        #expect(chain.isSound && !confirmation.holds)
        confirmation.end(isConfirmed)
        #expect(answer.isDurable == isConfirmed)
        #expect(try await answer.outcome.value?.get() == (isConfirmed ? 1 : nil))
    }

    @Test func `there is no word on a tree that fell behind while it was looked at, also once it has caught up`() {
        let chain = WriteChain(at: version)
        chain.fallBehind(from: version)
        let confirmation = VersionConfirmation(at: chain)
        #expect(!confirmation.holds)
        chain.advance(to: RecordToken(revision: 3, mark: 9))
        #expect(!confirmation.holds)
        #expect(VersionConfirmation(at: chain).holds)
    }

    @Test func `the tree's own changes do not take the word back`() {
        let chain = WriteChain(at: version)
        let confirmation = VersionConfirmation(at: chain)
        chain.advance(to: RecordToken(revision: 3, mark: 9))
        #expect(confirmation.holds)
        chain.fail(.conflict)
        #expect(!confirmation.holds)
    }
}
