import Synchronization

/// Answers that wait for something a client need not wait for: they can all be told to come now.
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
    ///   - wait: The waiting; it returns soon after `end` was called, whoever calls that.
    ///   - end: Ends the waiting: when a task is cancelled, because the client has gone, or when the server is.
    func run(_ wait: () async -> Void, endingBy end: @escaping @Sendable () -> Void) async {
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
