/// Which handler answers which request: by path first, then by method (RFC 9110 §9, §15.5.5, §15.5.6).
///
/// A path that no pattern matches is a 404; a known path without the method, a 405 with `Allow`. `HEAD` is answered by
/// the handler of `GET`, and `OPTIONS` by the router, unless a handler is there for them. A trailing slash counts:
/// `/sessions/` is not `/sessions`.
public struct Router: Sendable {
    /// What answers a request; a `Problem` that it throws is the answer too.
    public typealias Handler = @Sendable (Request, PathParameters) async throws -> Response

    /// Told of every error that is not a `Problem`, for the log: the client is told nothing of it.
    public var onError: (@Sendable (any Error, Request) -> Void)?

    private var tree = RouteTree<Handler>()

    /// A router without routes: every path is a 404.
    public init() {}

    /// Adds a handler.
    ///
    /// - Parameter pattern: a path such as `/sessions/{id}/events`, where `{id}` matches one segment that is not empty.
    public mutating func on(_ method: Method, _ pattern: String, _ handler: @escaping Handler) {
        tree.insert(.init(method: method, pattern: PathPattern(pattern), handler: handler))
    }

    /// The answer to a request, whatever its handler throws.
    public func respond(to request: Request) async -> Response {
        guard !request.isAsterisk else { return Self.options(tree.methods) }
        let routes = tree.routes(for: request.target)
        if let route = Self.route(request.method, in: routes) { return await answer(request, with: route) }
        guard !routes.isEmpty else { return Self.notFound.response }
        return request.method == .options ? Self.options(routes.map(\.method)) : Self.notAllowed(routes).response
    }

    private func answer(_ request: Request, with route: RouteTree<Handler>.Route) async -> Response {
        do {
            return try await route.handler(request, PathParameters(path: request.target, pattern: route.pattern))
        } catch let problem as Problem {
            return problem.response
        } catch {
            onError?(error, request)
            return Self.failed.response
        }
    }

    private static func route(_ method: Method, in routes: [RouteTree<Handler>.Route]) -> RouteTree<Handler>.Route? {
        routes.first { $0.method == method } ?? (method == .head ? routes.first { $0.method == .get } : nil)
    }
}

extension Router {
    private static let notFound = Problem(
        .notFound, "There is nothing at this path; check it against the documentation.")

    private static let failed = Problem(
        .internalServerError, "The server failed at this request; it was not the request's fault, try again later.")

    private static func notAllowed(_ routes: [RouteTree<Handler>.Route]) -> Problem {
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
