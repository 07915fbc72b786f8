import Foundation

/// A session that this client follows: what a user does goes to the server once, and what is there is told to views.
///
/// `close()` lets go of it, and so does the last reference to it.
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

    /// The token that opens the session's doors, where the server gave one: a secret, to be kept with the id.
    ///
    /// One that was rotated is set here, and goes with each request that comes to nothing without it. A session that was
    /// denied meanwhile is followed again; its sequences have ended, and are asked for anew.
    public var token: String? {
        get { exchange.token }
        set {
            exchange.token = newValue
            feed.resume { follow() }
        }
    }

    /// The newest state that is known.
    public var state: SessionState { feed.state }
    /// The connection, by which the client hears of what others do.
    public var connection: Connection { feed.connection }
    /// The visible screen; none where nothing is shown.
    public var visible: Screen? { state.stack.last }
    /// The number of inputs that the server has not answered.
    public var waiting: Int { outbox.count }
    /// The reason why the session is over, where it did not say so in a last state.
    public var ending: Problem? { feed.ending }

    /// All that is new, in order, from what is there now to the end of the session: operations, states, the connection.
    ///
    /// It keeps what is not read yet. Each use is a sequence of its own.
    public var updates: AsyncStream<SessionUpdate> {
        let (stream, continuation) = AsyncStream<SessionUpdate>.makeStream()
        let end = feed.observe { update in
            continuation.yield(update)
            if case .connection(.ended) = update { continuation.finish() }
        } finish: {
            continuation.finish()
        }
        // One that is finished is so under the feed's lock, and hears nothing more.
        continuation.onTermination = { if case .cancelled = $0 { end() } }
        return stream
    }

    /// The states, from the one that is there now to the last: who is slow gets the newest alone.
    public var states: AsyncStream<SessionState> {
        let (stream, continuation) = AsyncStream<SessionState>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let end = feed.observe { update in
            if case .state(let state, _) = update { continuation.yield(state) }
            if case .connection(.ended) = update { continuation.finish() }
        } finish: {
            continuation.finish()
        }
        // One that is finished is so under the feed's lock, and hears nothing more.
        continuation.onTermination = { if case .cancelled = $0 { end() } }
        return stream
    }

    /// Has a function follow, which is called with each piece of news as it happens, in a place where it must not wait, nor
    /// use the session.
    func observe(_ tell: @escaping @Sendable (SessionUpdate) -> Void) { feed.observe(tell) }

    /// Puts an input into the queue, at once and behind those before it.
    ///
    /// An event or a `back` that names no screen is about the screen that is visible now. The server then refuses a second
    /// tap, or a tap that waited while others went on, instead of doing it to another screen.
    @discardableResult
    public func enqueue(_ input: Input) -> Delivery { outbox.add(input.naming(visible)) }

    /// Tries at once what waits for its next attempt: the network is back.
    public func retryNow() {
        outbox.wake()
        watcherBackoff.wake()
    }

    /// Has the session be followed, or not while nobody looks: an app in the background holds no connection.
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

    /// Ends the session on the server, and then here.
    ///
    /// - Throws: A `Problem`, or a `CancellationError`.
    public func end() async throws {
        do {
            try await exchange.ask(Exchange.Request(method: "DELETE", path: path))
            feed.end(.own("ended", "the session was ended here"))
        } catch let problem as Problem where problem.isGone {
            feed.end(problem)
        }
    }

    /// Lets go of the session, which stays on the server.
    ///
    /// Inputs that wait are refused.
    public func close() {
        feed.close()
        outbox.close()
    }

    /// One attempt at an input; whatever the answer tells of the session is taken.
    private static func deliver(
        _ request: Exchange.Request, by exchange: Exchange, telling feed: SessionFeed
    ) async throws -> SessionState {
        do {
            let answer = try await exchange.askForState(request)
            feed.take(answer)
            return answer.state
        } catch let problem as Problem {
            if let current = problem.snapshot { feed.take(current) }
            // One who may not send may still read: the watcher finds out.
            if problem.isGone || problem.isHeld { feed.end(problem) }
            throw problem
        }
    }

    /// The path of a session; an id is text that came from elsewhere.
    static func path(of id: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")
        return "sessions/\(id.addingPercentEncoding(withAllowedCharacters: plain) ?? "")"
    }
}
