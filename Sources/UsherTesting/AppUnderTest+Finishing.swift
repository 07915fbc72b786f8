public import Testing

extension AppUnderTest {
    /// Ends the test's session, once: all inputs handled again must lead to the same states, and nothing may stay in
    /// memory.
    ///
    /// Without this call it happens when the object goes, with issues at the line that opened the session.
    ///
    /// - Parameter sourceLocation: Where an issue is recorded.
    public func finishTest(sourceLocation: SourceLocation = #_sourceLocation) {
        guard !isFinished else { return }
        isFinished = true
        do {
            if let divergence = try driver.replay() { record(divergence, sourceLocation) }
            for leak in try driver.end() {
                record("the session has ended, but \(leak) is still in memory", at: sourceLocation)
            }
        } catch {
            record("the session could not be ended: \(error)", at: sourceLocation)
        }
    }

    private func record(_ divergence: Divergence, _ sourceLocation: SourceLocation) {
        let difference = Difference(
            labels: ("at first", "replayed"), expected: divergence.first, found: divergence.second)
        Issue.record(
            """
            when the session was replayed, \(divergence.input) led elsewhere: take time and randomness from the \
            coordinator (`now`, `random`), and keep nothing in globals
            \(difference)
            """, sourceLocation: sourceLocation)
    }
}
