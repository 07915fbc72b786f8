package import UsherFuture

/// Which handler answers which request: by path first, then by method (RFC 9110 §9, §15.5.5, §15.5.6).
///
/// A path that no pattern matches is a 404; a known path without the method, a 405 with `Allow`. `HEAD` is answered by
/// the handler of `GET`, and `OPTIONS` by the router, unless a handler is there for them. A trailing slash counts:
/// `/sessions/` is not `/sessions`.
package struct Router: Sendable {
    /// What answers a request; a `Problem` that it throws is the answer too.
    package typealias Handler = @Sendable (Request, PathParameters) throws -> Future<Response>

    /// What answers a request and may have to wait; a `Problem` that it throws is the answer too.
    package typealias WaitingHandler = @Sendable (Request, PathParameters) async throws -> Response

    private enum Answerer: Sendable {
        case knowing(Handler)
        case waiting(WaitingHandler)
    }

    /// Told of every error that is not a `Problem`, for the log: the client is told nothing of it.
    package var onError: (@Sendable (any Error, Request) -> Void)?

    /// The routes in the order in which they were added, those of one method and name once.
    package private(set) var routes: [Route] = []

    private var tree = RouteTree<Answerer>()

    /// A router without routes: every path is a 404.
    package init() {}

    /// Adds a handler that may have to wait.
    ///
    /// - Parameters:
    ///   - method: The method that it answers.
    ///   - pattern: A path such as `/sessions/{id}/events`, where `{id}` matches one segment that is not empty.
    ///   - name: What it is called among the `routes`; its pattern unless told.
    ///   - handler: What answers; a `Problem` that it throws is the answer too.
    package mutating func on(
        _ method: Method, _ pattern: String, as name: String? = nil, _ handler: @escaping WaitingHandler
    ) {
        insert(Route(method, name ?? pattern), pattern, .waiting(handler))
    }

    /// Adds a handler that knows by itself whether it has to wait.
    ///
    /// - Parameters:
    ///   - method: The method that it answers.
    ///   - pattern: A path such as `/sessions/{id}/events`, where `{id}` matches one segment that is not empty.
    ///   - handler: What answers.
    package mutating func on(_ method: Method, _ pattern: String, reply handler: @escaping Handler) {
        insert(Route(method, pattern), pattern, .knowing(handler))
    }

    private mutating func insert(_ route: Route, _ pattern: String, _ handler: Answerer) {
        let number = routes.firstIndex(of: route) ?? routes.count
        if number == routes.count { routes.append(route) }
        tree.insert(.init(method: route.method, pattern: PathPattern(pattern), number: number, handler: handler))
    }

    /// The answer to a request, waited for, whatever its handler throws.
    package func respond(to request: Request) async -> Response {
        await reply(to: request).value
    }

    /// What is made of a request, whatever its handler throws.
    package func reply(to request: Request) -> Future<Response> {
        var number: Int?
        return reply(to: request, by: &number)
    }

    /// What is made of a request, whatever its handler throws.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - number: Is set to where the one is among the `routes` that answers, and left as it is if none does.
    package func reply(to request: Request, by number: inout Int?) -> Future<Response> {
        guard !request.isAsterisk else { return .ready(Self.options(tree.methods)) }
        let routes = tree.routes(for: request.target)
        if let route = Self.route(request.method, in: routes) {
            number = route.number
            return reply(to: request, with: route)
        }
        guard !routes.isEmpty else { return .ready(Self.notFound.response) }
        let isAsking = request.method == .options
        return .ready(isAsking ? Self.options(routes.map(\.method)) : Self.notAllowed(routes).response)
    }

    private func reply(to request: Request, with route: RouteTree<Answerer>.Route) -> Future<Response> {
        let parameters = PathParameters(path: request.target, pattern: route.pattern)
        switch route.handler {
        case .knowing(let handler):
            do { return try handler(request, parameters) } catch { return .ready(answer(to: error, of: request)) }
        case .waiting(let handler):
            return .async {
                do { return try await handler(request, parameters) } catch { return answer(to: error, of: request) }
            }
        }
    }

    private func answer(to error: any Error, of request: Request) -> Response {
        if let problem = error as? Problem { return problem.response }
        onError?(error, request)
        return Self.failed.response
    }

    private static func route(_ method: Method, in routes: [RouteTree<Answerer>.Route]) -> RouteTree<Answerer>.Route? {
        routes.first { $0.method == method } ?? (method == .head ? routes.first { $0.method == .get } : nil)
    }
}

extension Router {
    private static let notFound = Problem(
        .notFound, "There is nothing at this path; check it against the documentation.")

    private static let failed = Problem(
        .internalServerError, "The server failed at this request; it was not the request's fault, try again later.")

    private static func notAllowed(_ routes: [RouteTree<Answerer>.Route]) -> Problem {
        let allow = allow(routes.map(\.method))
        return Problem(.methodNotAllowed, "This path takes \(allow).", headers: ["Allow": allow])
    }

    private static func options(_ methods: [Method]) -> Response {
        Response(status: .noContent, headers: ["Allow": allow(methods)])
    }

    // What the router answers by itself is allowed as well.
    private static func allow(_ methods: [Method]) -> String {
        var all = Set(methods).union([.options])
        if all.contains(.get) { all.insert(.head) }
        return all.map(\.rawValue).sorted().joined(separator: ", ")
    }
}
