import Foundation
import FoundationNetworking
import Synchronization

/// A request on its way to a backend, and what has come of the answer: bounded in time and size, without redirects.
///
/// It is the delegate of a session of its own, for only a session's delegate is asked about redirects: another host must
/// not be sent the credentials.
final class HTTPExchange: NSObject, URLSessionDataDelegate {
    /// The bounds of an answer.
    struct Limits: Sendable {
        /// From the request to the last byte of the answer.
        var deadline: Duration = .seconds(10)
        /// The bytes of its body.
        var size = 64 * 1024
    }

    /// An answer of any status.
    struct Answer: Sendable {
        var status = 0
        var body = Data()
    }

    /// Why there is no answer.
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

    /// Sends a request, and waits for the whole answer.
    ///
    /// When the task is cancelled, the request is broken off; the backend may have acted on it nevertheless.
    ///
    /// - Throws: `Failure`, or `CancellationError`.
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
        // It lets go of its delegate when its only task is done.
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: request)
        // The end of the waiting, for whatever reason, is the end of the task.
        continuation.onTermination = { _ in task.cancel() }
        task.resume()
        for try await answer in answers { return answer }
        throw CancellationError()
    }

    /// Nothing is kept between two requests.
    ///
    /// Above all no cache: a task that is cancelled while it looks there may end the process (FoundationNetworking 6.3).
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
