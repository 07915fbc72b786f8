import Foundation
import FoundationNetworking
import Synchronization

/// A request to a backend with its response, limited in time and size, and without redirects.
///
/// It is the delegate of its own URL session, because only a session's delegate is asked about redirects, and another
/// host must not get the credentials.
final class HTTPExchange: NSObject, URLSessionDataDelegate {
    /// The limits of a response.
    struct Limits: Sendable {
        /// The time from the request to the last byte of the response.
        var deadline: Duration = .seconds(10)
        /// The maximum number of bytes of the body.
        var size = 64 * 1024
    }

    /// A response of any status.
    struct Answer: Sendable {
        var status = 0
        var body = Data()
    }

    /// The reason why there is no response.
    enum Failure: Error {
        case timedOut, tooLarge, unreachable
    }

    private let limit: Int
    private let received = Mutex(Answer())
    private let answers: AsyncThrowingStream<Answer, any Error>
    private let continuation: AsyncThrowingStream<Answer, any Error>.Continuation

    private init(limit: Int) {
        self.limit = limit
        (answers, continuation) = AsyncThrowingStream.makeStream()
    }

    /// Sends a request, and waits for the whole response.
    ///
    /// If the task is cancelled, the request is aborted, but the backend may have acted on the request.
    ///
    /// - Throws: `Failure` or `CancellationError`.
    static func send(_ request: URLRequest, within limits: Limits) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await HTTPExchange(limit: limits.size).answer(to: request) }
            group.addTask {
                try await Task.sleep(for: limits.deadline)
                throw Failure.timedOut
            }
            for try await answer in group { return answer }
            throw CancellationError()
        }
    }

    private func answer(to request: URLRequest) async throws -> Answer {
        let session = URLSession(configuration: Self.configuration, delegate: self, delegateQueue: nil)
        // The session releases its delegate when its only task is done.
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: request)
        // When the wait ends, for whatever reason, the task ends, too.
        continuation.onTermination = { _ in task.cancel() }
        task.resume()
        for try await answer in answers { return answer }
        throw CancellationError()
    }

    /// A configuration that stores nothing between requests.
    ///
    /// A cache is not used: cancelling a task during a cache lookup may crash the process (FoundationNetworking 6.3).
    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        return configuration
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = received.withLock { answer in
            guard data.count <= limit - answer.body.count else { return true }
            answer.body += data
            return false
        }
        if isTooLarge { continuation.finish(throwing: Failure.tooLarge) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard error == nil, let response = task.response as? HTTPURLResponse else {
            let isCancelled = (error as? URLError)?.code == .cancelled
            return continuation.finish(throwing: isCancelled ? CancellationError() : Failure.unreachable)
        }
        var answer = received.withLock { $0 }
        answer.status = response.statusCode
        continuation.yield(answer)
        continuation.finish()
    }
}
