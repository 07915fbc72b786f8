public import Foundation

extension Session {
    /// The settings of a session.
    public struct Settings: Sendable {
        /// Returns the header fields of a request.
        ///
        /// Called for each request.
        public var headers: @Sendable () -> [String: String] = { [:] }
        /// The maximum number of inputs that wait for the server.
        public var mostWaiting = 32
        /// The seconds that the response to an input waits for its effects, up to 60.
        ///
        /// 0 means no wait, and nil the server's default of 5.
        public var wait: Int?
        /// A Boolean value indicating whether the session is followed.
        ///
        /// If the session is not followed, only responses contain new states.
        public var isWatching = true
        /// Called with the reason when an opening must be retried.
        public var delayed: @Sendable (Problem) -> Void = { _ in }
        /// The transport, clock and random numbers.
        public var platform: Platform

        /// Creates the default settings.
        public init(platform: Platform = Platform()) {
            self.platform = platform
        }
    }

    /// Opens a session.
    ///
    /// The opening is retried until the server answers or the task is cancelled, and opens one session only.
    ///
    /// - Parameters:
    ///   - app: The app's name.
    ///   - server: The server's URL.
    ///   - options: The app's options.
    ///   - link: A deep link to begin with.
    ///   - client: A description of the client; nil means that the client can draw every screen.
    /// - Throws: A `Problem` or a `CancellationError`.
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

    /// Resumes a session that was opened before, here or elsewhere.
    ///
    /// - Parameters:
    ///   - id: The session's id.
    ///   - server: The server's URL.
    ///   - token: The token from the opening, if there was one.
    /// - Throws: A `Problem` or a `CancellationError`. The problem's `isGone` means that the session has ended, and
    ///   `isHeld` that the server's build cannot restore it.
    public static func resume(
        _ id: String, on server: URL, token: String? = nil, settings: Settings = Settings()
    ) async throws -> Session {
        let request = Exchange.Request(path: path(of: id))
        let found = try await persist(request, on: server, token: token, settings: settings)
        return Session(found, on: server, token: token, settings: settings)
    }

    /// Retries a request until the server has accepted or refused it.
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
