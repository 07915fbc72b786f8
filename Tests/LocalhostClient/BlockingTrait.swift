public import Testing

/// Runs tests that block on threads of their own: those that all tasks share are needed by the effects of other tests.
public struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    /// Suites hand it on to their tests.
    public var isRecursive: Bool { true }

    /// Runs a test there.
    @concurrent public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await BlockingThreads.run { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    /// Runs on threads of its own, where it may block.
    public static var blocking: BlockingTrait { BlockingTrait() }
}
