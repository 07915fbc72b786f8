import Synchronization

@testable import UsherClient

/// The long polls of a client that gets no stream.
///
/// A test decides the answer to each poll that waits for a new revision.
final class ScriptedPolls: Sendable {
    /// A poll that waits.
    final class Poll: Sendable {
        let request: ScriptedTransport.Request
        private let continuation = Mutex<CheckedContinuation<TransportResponse, any Error>?>(nil)

        fileprivate init(_ request: ScriptedTransport.Request) {
            self.request = request
        }

        /// Answers the poll.
        ///
        /// A poll can be answered only once.
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

    /// The state that the server has.
    ///
    /// A poll that knows an older revision gets this state at once.
    var state: JSON {
        get { newest.withLock { $0 } }
        set { newest.withLock { $0 = newValue } }
    }

    /// Answers a request.
    ///
    /// If the request waits for a new revision, the test answers it.
    func take(_ request: ScriptedTransport.Request) async throws -> TransportResponse {
        guard isCurrent(request) else { return .json(state) }
        let poll = Poll(request)
        return try await poll.wait { feed.yield(poll) }
    }

    /// Returns the next poll that waits for a revision after the newest.
    func next() async -> Poll? {
        for await poll in polls {
            if isCurrent(poll.request) { return poll }
            // In the meantime, the client has sent an input itself.
            poll.answer(.success(.json(state)))
        }
        return nil
    }

    private func isCurrent(_ request: ScriptedTransport.Request) -> Bool {
        request.headers["If-None-Match"] == "\"\(state["revision"]?.int ?? 0)\""
    }
}
