import Usher

/// Work that takes as long as it is told.
struct Rest: Effect {
    let milliseconds: Int

    func run(_ context: EffectContext<NoServices>) async throws -> NoOutput {
        try await Task.sleep(for: .milliseconds(min(milliseconds, 60_000)))
        return NoOutput()
    }
}
