package import UsherFuture

/// A router: finds the handler of a request by its path first, then by its method (RFC 9110 §9, §15.5.5, §15.5.6).
///
/// A path that no pattern matches is a 404; a known path without the method, a 405 with `Allow`. `HEAD` is answered by
/// the handler of `GET`, and `OPTIONS` by the router, unless a handler is there for them. A trailing slash counts:
/// `/sessions/` is not `/sessions`.
package struct Router: Sendable {
    /// A handler that says by itself if its response has to be waited for.
    package typealias FutureHandler = @Sendable (Request, PathParameters) throws -> Future<Response>

    /// A handler that may have to wait.
    package typealias AsyncHandler = @Sendable (Request, PathParameters) async throws -> Response

    // An asynchronous handler would cost a request to the others a closure more if both were stored as one.
    private enum RequestHandler: Sendable {
        case future(FutureHandler)
        case async(AsyncHandler)
    }

    /// Is called with every error that is not a `Problem`, for the log: the client learns nothing of it.
    package var onError: (@Sendable (any Error, Request) -> Void)?

    /// Returns the names of the parameters that a route's query may have; nil if it may have any.
    private let parameters: @Sendable (Route) -> [String]?

    /// The routes in the order in which they were added, those of one method and name once.
    package private(set) var routes: [Route] = []

    private var tree = RouteTree<RequestHandler>()

    /// Creates a router without routes: every path is a 404.
    ///
    /// - Parameter parameters: Returns the names of the parameters that a route's query may have: a request with others is
    ///   a 400. Any query is accepted if it is nil.
    package init(parameters: @escaping @Sendable (Route) -> [String]? = { _ in nil }) {
        self.parameters = parameters
    }

    /// Adds a handler that may have to wait.
    ///
    /// - Parameters:
    ///   - method: The method that it answers.
    ///   - pattern: A path such as `/sessions/{id}/events`, where `{id}` matches one segment that is not empty.
    ///   - name: Its name among the `routes`; its pattern unless told.
    ///   - handler: The handler; a `Problem` that it throws is the answer too.
    package mutating func on(
        _ method: Method, _ pattern: String, as name: String? = nil, _ handler: @escaping AsyncHandler
    ) {
        insert(Route(method, name ?? pattern), pattern, .async(handler))
    }

    /// Adds a handler that says by itself if its response has to be waited for.
    ///
    /// - Parameters:
    ///   - method: The method that it answers.
    ///   - pattern: A path such as `/sessions/{id}/events`, where `{id}` matches one segment that is not empty.
    ///   - handler: The handler; a `Problem` that it throws is the answer too.
    package mutating func on(_ method: Method, _ pattern: String, reply handler: @escaping FutureHandler) {
        insert(Route(method, pattern), pattern, .future(handler))
    }

    /// The answer to a request, waited for, whatever its handler throws.
    package func respond(to request: Request) async -> Response {
        var number: Int?
        return await reply(to: request, by: &number).value
    }

    /// The answer to a request, now or later, whatever its handler throws.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - number: Is set to the place of the route that answers among the `routes`, and left as it is if none does.
    package func reply(to request: Request, by number: inout Int?) -> Future<Response> {
        let endpoints = tree.endpoints(for: request.target)
        guard !request.isAsterisk, let index = Self.index(of: request.method, among: endpoints) else {
            return .ready(ownAnswer(to: request, endpoints))
        }
        number = endpoints[index].number
        if request.query != nil, let names = endpoints[index].queryNames {
            do throws(Problem) { try request.checkQuery(for: names) } catch { return .ready(error.response) }
        }
        let parameters = PathParameters(request.target, endpoints[index].pattern)
        switch endpoints[index].handler {
        case .future(let handler):
            do { return try handler(request, parameters) } catch { return .ready(answer(to: error, of: request)) }
        case .async(let handler):
            return .async {
                do { return try await handler(request, parameters) } catch { return answer(to: error, of: request) }
            }
        }
    }

    private mutating func insert(_ route: Route, _ pattern: String, _ handler: RequestHandler) {
        let number = routes.firstIndex(of: route) ?? routes.count
        if number == routes.count { routes.append(route) }
        tree.insert(
            .init(
                method: route.method, pattern: PathPattern(pattern), queryNames: parameters(route), number: number,
                handler: handler))
    }

    // Its index: a copy of an endpoint would be counted in each of its parts.
    private static func index(of method: Method, among endpoints: [RouteTree<RequestHandler>.Endpoint]) -> Int? {
        endpoints.firstIndex { $0.method == method }
            ?? (method == .head ? endpoints.firstIndex { $0.method == .get } : nil)
    }

    private func ownAnswer(to request: Request, _ endpoints: [RouteTree<RequestHandler>.Endpoint]) -> Response {
        guard !request.isAsterisk else { return Self.options(tree.methods) }
        guard !endpoints.isEmpty else { return Self.notFound.response }
        let methods = endpoints.map(\.method)
        return request.method == .options ? Self.options(methods) : Self.notAllowed(methods).response
    }

    private func answer(to error: any Error, of request: Request) -> Response {
        if let problem = error as? Problem { return problem.response }
        onError?(error, request)
        return Self.failed.response
    }
}

extension Router {
    private static let notFound = Problem(
        .notFound, "There is nothing at this path; check it against the documentation.")

    private static let failed = Problem(
        .internalServerError, "The server failed at this request; it was not the request's fault, try again later.")

    private static func notAllowed(_ methods: [Method]) -> Problem {
        let allow = allow(methods)
        return Problem(.methodNotAllowed, "This path takes \(allow).", headers: ["Allow": allow])
    }

    private static func options(_ methods: [Method]) -> Response {
        Response(status: .noContent, headers: ["Allow": allow(methods)])
    }

    // The methods that the router answers by itself are allowed as well.
    private static func allow(_ methods: [Method]) -> String {
        var all = Set(methods).union([.options])
        if all.contains(.get) { all.insert(.head) }
        return all.map(\.rawValue).sorted().joined(separator: ", ")
    }
}

/// One of a router's routes, as it was added.
package struct Route: Hashable, Sendable {
    /// The method that it answers.
    package let method: Method
    /// Its pattern, such as `/sessions/{id}`, or the name that it shares with others.
    package let name: String

    /// Makes a route.
    ///
    /// - Parameters:
    ///   - method: The method that it answers.
    ///   - name: Its pattern, or the name that it shares with others.
    package init(_ method: Method, _ name: String) {
        self.method = method
        self.name = name
    }
}
