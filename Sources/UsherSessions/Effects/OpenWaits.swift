import Synchronization
import Usher

/// Answers that wait for something a client need not wait for, for a time: they can all be told to come now.
final class OpenWaits: Sendable {
    private struct Contents {
        var isClosed = false
        var nextToken = 0
        var ends: [Int: @Sendable () -> Void] = [:]
    }

    private let contents = Mutex(Contents())

    /// Waits, unless nothing may wait any more.
    ///
    /// - Parameters:
    ///   - duration: How long to wait at most.
    ///   - clock: The clock.
    ///   - wait: The waiting; it returns soon after `end` was called, whoever calls that.
    ///   - end: Ends the waiting: when the time is up, when the task is cancelled because the client has gone, or when the
    ///     server is about to go.
    func run(
        within duration: Duration, by clock: any Clock, _ wait: () async -> Void,
        endingBy end: @escaping @Sendable () -> Void
    ) async {
        let due = clock.now().advanced(by: duration)
        let timeOut = Task.detached {
            do { try await clock.sleep(until: due) } catch { return }
            end()
        }
        await run(wait, endingBy: end)
        timeOut.cancel()
    }

    private func run(_ wait: () async -> Void, endingBy end: @escaping @Sendable () -> Void) async {
        let token = contents.withLock { contents -> Int? in
            guard !contents.isClosed else { return nil }
            contents.nextToken += 1
            contents.ends[contents.nextToken] = end
            return contents.nextToken
        }
        if token == nil { end() }
        await withTaskCancellationHandler {
            await wait()
        } onCancel: {
            end()
        }
        if let token { _ = contents.withLock { $0.ends.removeValue(forKey: token) } }
    }

    /// Ends all, now and from now on.
    func close() {
        let ends = contents.withLock { contents in
            contents.isClosed = true
            return Array(contents.ends.values)
        }
        for end in ends { end() }
    }
}
