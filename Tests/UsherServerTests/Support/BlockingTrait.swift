import LocalhostClient
import Testing

/// Runs tests that block on threads of their own: those that all tasks share are needed by the effects of other tests.
struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await BlockingThreads.run { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    /// Runs on threads of its own, where it may block.
    static var blocking: BlockingTrait { BlockingTrait() }
}
