import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The transport over Foundation's URLSession.
public final class URLSessionTransport: Transport {
    /// The one that sessions use when nothing else is said: they share its connections.
    public static let shared = URLSessionTransport()

    private let receiver = URLSessionReceiver()
    private let session: URLSession

    /// A transport with connections of its own.
    ///
    /// - Parameter configuration: The proxy, the protocols and the like. Nothing is kept between two requests, whatever it
    ///   says: no cache, no cookies, no credentials.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        // A task that is cancelled while it looks into a cache may end the process (FoundationNetworking 6.3).
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        // Each session that is followed has a stream, which lasts.
        configuration.httpMaximumConnectionsPerHost = 64
        // A day: each request is given its time by who sends it.
        configuration.timeoutIntervalForRequest = 86_400
        session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request; a redirect is an answer like others.
    ///
    /// - Throws: An error of URLSession, or a `Problem` of the client's own, `unsendable`, where the address is not one of http
    ///   or https.
    public func begin(_ request: TransportRequest) async throws -> TransportResponse {
        guard let url = URL(string: request.url), ["http", "https"].contains(url.scheme?.lowercased()) else {
            // URLSession would throw the same as at a server that does not answer, and it would be tried again.
            throw Problem.own("unsendable", "\(request.url) is no address of http or https")
        }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        message.httpBody = request.body
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        #if canImport(FoundationNetworking)
            // On a connection that is dead already, FoundationNetworking 6.3 sends the request again without its body, and
            // the server waits for that: so none is used twice.
            message.setValue("close", forHTTPHeaderField: "Connection")
        #endif
        for try await response in receiver.begin(session.dataTask(with: message)) { return response }
        throw CancellationError()
    }
}

/// The delegate of a session, which hands each task's answer to who waits for it.
///
/// A session's delegate and not each task's: only that is asked about redirects, and another host must not be sent the
/// token.
private final class URLSessionReceiver: NSObject, URLSessionDataDelegate {
    private typealias Head = AsyncThrowingStream<TransportResponse, any Error>

    private struct Reception {
        let head: Head.Continuation
        var body: TransportResponse.Body.Continuation?
    }

    /// By the tasks' identifiers; locked, for URLSession calls from a queue of its own.
    private let receptions = Mutex<[Int: Reception]>([:])

    /// Begins a task; its answer comes as the only element.
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
        // One without a body may not have told of its head.
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
        // From here on it is the body's end that ends the task: who has the head lets go of its stream.
        head.onTermination = nil
        head.yield(TransportResponse(status: response.statusCode, headers: headers, body: body))
        head.finish()
    }
}
