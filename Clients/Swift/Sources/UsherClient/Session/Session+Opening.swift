public import Foundation

extension Session {
    /// The settings of a session.
    public struct Settings: Sendable {
        /// The fields of each request, asked for each time.
        public var headers: @Sendable () -> [String: String] = { [:] }
        /// The bound of the queue of inputs that wait for the server.
        public var mostWaiting = 32
        /// Seconds that the answer to an input waits for the effects which that began, up to 60; 0 is none, nil the server's
        /// usual 5.
        public var wait: Int?
        /// False: no stream, and only answers tell of states.
        public var isWatching = true
        /// Told why an opening has to be tried again.
        public var delayed: @Sendable (Problem) -> Void = { _ in }
        /// Transport, time and chance.
        public var platform: Platform

        /// The usual settings, on a platform.
        public init(platform: Platform = Platform()) {
            self.platform = platform
        }
    }

    /// Opens a session.
    ///
    /// It is tried until the server answers, or the task is cancelled, and opens one, however often it is tried.
    ///
    /// - Parameters:
    ///   - app: The app's name.
    ///   - server: The server's address.
    ///   - options: The app's options.
    ///   - link: A deep link to begin with.
    ///   - client: The client as it tells of itself; one that says nothing is taken to draw everything.
    /// - Throws: A `Problem`, or a `CancellationError`.
    public static func open(
        _ app: String, on server: URL, options: JSON? = nil, link: [JSON]? = nil, client: ClientDescription? = nil,
        settings: Settings = Settings()
    ) async throws -> Session {
        var body: [String: JSON] = ["app": .string(app)]
        body["options"] = options
        body["open"] = link.map(JSON.array)
        body["client"] = try client.map { try JSON(encoding: $0) }
        let headers = ["Idempotency-Key": settings.platform.key()]
        let request = Exchange.Request(method: "POST", path: "sessions", body: .object(body), headers: headers)
        let opened = try await persist(request, on: server, token: nil, settings: settings)
        return Session(opened, on: server, token: opened.token, settings: settings)
    }

    /// Goes on with a session that was opened before, here or elsewhere.
    ///
    /// - Parameters:
    ///   - id: The session's id.
    ///   - server: The server's address.
    ///   - token: The token that the opening was answered with, where there was one.
    /// - Throws: A `Problem`, of which `isGone` tells that the session is over, and `isHeld` that the server's build cannot
    ///   restore it; or a `CancellationError`.
    public static func resume(
        _ id: String, on server: URL, token: String? = nil, settings: Settings = Settings()
    ) async throws -> Session {
        let request = Exchange.Request(path: path(of: id))
        let found = try await persist(request, on: server, token: token, settings: settings)
        return Session(found, on: server, token: token, settings: settings)
    }

    /// Tries until an answer decides.
    private static func persist(
        _ request: Exchange.Request, on server: URL, token: String?, settings: Settings
    ) async throws -> Snapshot {
        let exchange = Exchange(to: server, on: settings.platform, headers: settings.headers, token: token)
        let backoff = Backoff(settings.platform)
        while true {
            do {
                return try await exchange.askForState(request)
            } catch let problem as Problem {
                if !problem.isTransient { throw problem }
                settings.delayed(problem)
                await backoff.wait(atLeast: problem.retryAfter)
                try Task.checkCancellation()
            }
        }
    }
}
