import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A transport that uses Foundation's URLSession.
public final class URLSessionTransport: Transport {
    /// The default transport, whose connections all sessions share.
    public static let shared = URLSessionTransport()

    private let receiver = URLSessionReceiver()
    private let session: URLSession

    /// Creates a transport with its own connections.
    ///
    /// - Parameter configuration: Settings such as the proxy. Caches, cookies and credentials are always disabled.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        // Cancelling a task during a cache lookup may crash the process (FoundationNetworking 6.3).
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        // Each session that is followed keeps a stream open.
        configuration.httpMaximumConnectionsPerHost = 64
        // A day, because each request has its own time limit.
        configuration.timeoutIntervalForRequest = 86_400
        session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request; a redirect is returned like any other response.
    ///
    /// - Throws: An error of URLSession, or a `Problem` of type `unsendable` if the URL is not http or https.
    public func begin(_ request: TransportRequest) async throws -> TransportResponse {
        guard let url = URL(string: request.url), ["http", "https"].contains(url.scheme?.lowercased()) else {
            // URLSession would throw the same error as for an unreachable server, and the request would be retried.
            throw Problem.own("unsendable", "\(request.url) is not an http or https URL")
        }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        message.httpBody = request.body
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        #if canImport(FoundationNetworking)
            // Reuse no connection: FoundationNetworking 6.3 retries on a dead connection without the body, and the
            // server waits for the body.
            message.setValue("close", forHTTPHeaderField: "Connection")
        #endif
        for try await response in receiver.begin(session.dataTask(with: message)) { return response }
        throw CancellationError()
    }
}

/// The delegate of a URL session, which passes each task's response to its caller.
///
/// The delegate belongs to the URL session, because only such a delegate is asked about redirects, and another host
/// must not get the token.
private final class URLSessionReceiver: NSObject, URLSessionDataDelegate {
    private typealias Head = AsyncThrowingStream<TransportResponse, any Error>

    private struct Reception {
        let head: Head.Continuation
        var body: TransportResponse.Body.Continuation?
    }

    /// The running receptions by task identifier; locked, because URLSession calls from its own queue.
    private let receptions = Mutex<[Int: Reception]>([:])

    /// Begins a task and returns a stream with its response as the only element.
    func begin(_ task: URLSessionDataTask) -> AsyncThrowingStream<TransportResponse, any Error> {
        let (stream, continuation) = Head.makeStream()
        receptions.withLock { $0[task.taskIdentifier] = Reception(head: continuation) }
        continuation.onTermination = { reason in
            if case .cancelled = reason { task.cancel() }
        }
        task.resume()
        return stream
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        answer(dataTask, with: response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        receptions.withLock { $0[dataTask.taskIdentifier]?.body }?.yield(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // A response without a body may not have reported its head yet.
        if error == nil, let response = task.response { answer(task, with: response) }
        let reception = receptions.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        reception?.head.finish(throwing: error ?? URLError(.badServerResponse))
        reception?.body?.finish(throwing: error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    private func answer(_ task: URLSessionTask, with response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        let (body, continuation) = TransportResponse.Body.makeStream()
        let head: Head.Continuation? = receptions.withLock { receptions in
            guard let reception = receptions[task.taskIdentifier], reception.body == nil else { return nil }
            receptions[task.taskIdentifier]?.body = continuation
            return reception.head
        }
        guard let head else { return }
        continuation.onTermination = { reason in
            if case .cancelled = reason { task.cancel() }
        }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
        // From now on the end of the body ends the task, because the caller releases the head's stream.
        head.onTermination = nil
        head.yield(TransportResponse(status: response.statusCode, headers: headers, body: body))
        head.finish()
    }
}
