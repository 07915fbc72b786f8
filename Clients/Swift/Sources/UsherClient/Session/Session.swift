import Foundation

/// A session that this client follows: it sends each input once and reports changes to views.
///
/// `close()` stops the client's use of the session, and so does releasing the last reference.
public final class Session: Sendable {
    /// The session's id.
    public let id: String
    private let path: String
    private let exchange: Exchange
    private let feed: SessionFeed
    private let outbox: Outbox
    private let watcherBackoff: Backoff
    private let isWatching: Bool

    init(_ opened: Snapshot, on server: URL, token: String?, settings: Settings) {
        id = opened.state.session
        let path = Self.path(of: id)
        let exchange = Exchange(to: server, on: settings.platform, headers: settings.headers, token: token)
        let feed = SessionFeed(opened)
        self.path = path
        self.exchange = exchange
        self.feed = feed
        let wait = settings.wait
        outbox = Outbox(on: settings.platform, bound: settings.mostWaiting, tell: { feed.tell($0) }) { input, key in
            var request = Exchange.Request(method: "POST", path: "\(path)/events", body: input.body)
            request.headers["Idempotency-Key"] = key
            if let wait { request.prefer(wait: wait) }
            return try await Self.deliver(request, by: exchange, telling: feed)
        }
        watcherBackoff = Backoff(settings.platform)
        isWatching = settings.isWatching
        setHidden(false)
    }

    deinit { close() }

    /// The session's token, if the server issued one.
    ///
    /// Keep the token secret, as well as the id.
    ///
    /// After a rotation, set the new token: requests that were denied are sent again with it. If the session was
    /// denied, it is followed again; the sequences of updates have ended, so create new ones.
    public var token: String? {
        get { exchange.token }
        set {
            exchange.token = newValue
            feed.resume { follow() }
        }
    }

    /// The newest known state.
    public var state: SessionState { feed.state }
    /// The connection through which the client follows changes made elsewhere.
    public var connection: Connection { feed.connection }
    /// The visible screen; nil if there is none.
    public var visible: Screen? { state.stack.last }
    /// The number of inputs that the server has not answered.
    public var waiting: Int { outbox.count }
    /// The reason for the session's end, if the last state does not contain it.
    public var ending: Problem? { feed.ending }

    /// All updates in order, from the current state to the end of the session.
    ///
    /// The sequence buffers updates that are not read yet. Each access returns a new sequence.
    public var updates: AsyncStream<SessionUpdate> {
        let (stream, continuation) = AsyncStream<SessionUpdate>.makeStream()
        let end = feed.observe { update in
            continuation.yield(update)
            if case .connection(.ended) = update { continuation.finish() }
        } finish: {
            continuation.finish()
        }
        // A continuation that was finished under the feed's lock gets no more updates.
        continuation.onTermination = { if case .cancelled = $0 { end() } }
        return stream
    }

    /// The states, from the current state to the last; a slow reader receives only the newest state.
    public var states: AsyncStream<SessionState> {
        let (stream, continuation) = AsyncStream<SessionState>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let end = feed.observe { update in
            if case .state(let state, _) = update { continuation.yield(state) }
            if case .connection(.ended) = update { continuation.finish() }
        } finish: {
            continuation.finish()
        }
        // A continuation that was finished under the feed's lock gets no more updates.
        continuation.onTermination = { if case .cancelled = $0 { end() } }
        return stream
    }

    /// Adds an observer, which is called with each update under a lock: the observer must neither wait nor use the
    /// session.
    func observe(_ tell: @escaping @Sendable (SessionUpdate) -> Void) { feed.observe(tell) }

    /// Adds an input to the end of the queue.
    ///
    /// An event or a `back` without a screen goes to the screen that is visible now. So the server refuses a double
    /// tap, or a tap that waited while the display changed, instead of applying it to another screen.
    @discardableResult
    public func enqueue(_ input: Input) -> Delivery { outbox.add(input.naming(visible)) }

    /// Makes the next attempt of waiting requests at once, for example when the network is back.
    public func retryNow() {
        outbox.wake()
        watcherBackoff.wake()
    }

    /// Pauses or continues following the session: an app in the background keeps no connection.
    public func setHidden(_ isHidden: Bool) {
        if !isWatching { return }
        feed.watch(isHidden: isHidden) { follow() }
    }

    private func follow() -> Task<Void, Never> {
        Task { [path, exchange, feed, watcherBackoff] in
            var watcher = Watcher(path: path, exchange: exchange, backoff: watcherBackoff) { feed.hear($0) }
            await watcher.run()
        }
    }

    /// Ends the session on the server and here.
    ///
    /// - Throws: A `Problem` or a `CancellationError`.
    public func end() async throws {
        do {
            try await exchange.ask(Exchange.Request(method: "DELETE", path: path))
            feed.end(.own("ended", "this client ended the session"))
        } catch let problem as Problem where problem.isGone {
            feed.end(problem)
        }
    }

    /// Stops using the session, which stays on the server.
    ///
    /// Waiting inputs are refused.
    public func close() {
        feed.close()
        outbox.close()
    }

    /// Makes one attempt to send an input, and uses any state in the response.
    private static func deliver(
        _ request: Exchange.Request, by exchange: Exchange, telling feed: SessionFeed
    ) async throws -> SessionState {
        do {
            let answer = try await exchange.askForState(request)
            feed.take(answer)
            return answer.state
        } catch let problem as Problem {
            if let current = problem.snapshot { feed.take(current) }
            // A client that may not send inputs may still read the session; the watcher finds out whether it may.
            if problem.isGone || problem.isHeld { feed.end(problem) }
            throw problem
        }
    }

    /// Returns the path of a session, with the id escaped because it is external text.
    static func path(of id: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")
        return "sessions/\(id.addingPercentEncoding(withAllowedCharacters: plain) ?? "")"
    }
}
