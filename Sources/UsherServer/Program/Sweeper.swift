/// Looks after idle sessions now and then, until it is stopped.
final class Sweeper: Sendable {
    private let task: Task<Void, Never>

    /// Begins to sweep.
    ///
    /// - Parameters:
    ///   - interval: How long it rests in between.
    ///   - sweep: What it does.
    init(every interval: Duration, _ sweep: @escaping @Sendable () async -> Void) {
        task = Task.detached(priority: .background) {
            // At once, for work may have been left by the process before.
            repeat { await sweep() } while (try? await Task.sleep(for: interval)) != nil
        }
    }

    /// Sweeps no more; waits for the end of a sweep that is under way.
    func stop() async {
        task.cancel()
        await task.value
    }
}
