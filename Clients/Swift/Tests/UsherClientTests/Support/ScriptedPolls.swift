import Synchronization

@testable import UsherClient

/// The long polls of a client that gets no stream: a test says what becomes of each that waits for another revision.
final class ScriptedPolls: Sendable {
    /// A poll that waits.
    final class Poll: Sendable {
        let request: ScriptedTransport.Request
        private let continuation = Mutex<CheckedContinuation<TransportResponse, any Error>?>(nil)

        fileprivate init(_ request: ScriptedTransport.Request) {
            self.request = request
        }

        /// Answers it, once.
        func answer(_ answer: Result<TransportResponse, any Error>) {
            continuation.withLock { continuation in
                continuation?.resume(with: answer)
                continuation = nil
            }
        }

        fileprivate func wait(_ isWaiting: () -> Void) async throws -> TransportResponse {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { waiting in
                    continuation.withLock { $0 = waiting }
                    isWaiting()
                    if Task.isCancelled { answer(.failure(CancellationError())) }
                }
            } onCancel: {
                answer(.failure(CancellationError()))
            }
        }
    }

    private let (polls, feed) = AsyncStream<Poll>.makeStream()
    private let newest = Mutex(JSON.null)

    /// The state that the server has: who asks for another gets it at once.
    var state: JSON {
        get { newest.withLock { $0 } }
        set { newest.withLock { $0 = newValue } }
    }

    /// Answers a request, when the test does where it waits.
    func take(_ request: ScriptedTransport.Request) async throws -> TransportResponse {
        guard isCurrent(request) else { return .json(state) }
        let poll = Poll(request)
        return try await poll.wait { feed.yield(poll) }
    }

    /// The next poll that waits for another revision than the newest.
    func next() async -> Poll? {
        for await poll in polls {
            if isCurrent(poll.request) { return poll }
            // Since it began the client has sent an input itself.
            poll.answer(.success(.json(state)))
        }
        return nil
    }

    private func isCurrent(_ request: ScriptedTransport.Request) -> Bool {
        request.headers["If-None-Match"] == "\"\(state["revision"]?.int ?? 0)\""
    }
}
