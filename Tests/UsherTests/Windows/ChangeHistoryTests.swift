import Testing

@testable import Usher

@Suite("The changes of several inputs")
struct ChangeHistoryTests {
    @Test func `the changes of several inputs start from the state before the first input, unless some are missing`() {
        var history = ChangeHistory(ChangeLog(), to: 3)
        #expect(history.baseRevision(of: 3) == 2)
        history.append(ChangeHistory(ChangeLog(), to: 4))
        #expect(history.baseRevision(of: 4) == 2)
        // The state has changed without a recorded change.
        #expect(history.baseRevision(of: 5) == nil)
        for revision in 6...7 { history.append(ChangeHistory(ChangeLog(), to: revision)) }
        #expect(history.baseRevision(of: 7) == nil)
    }
}
