package import UsherFuture

/// A router that finds a handler by the request's path first, then by its method (RFC 9110 §9, §15.5.5, §15.5.6).
///
/// A path that no pattern matches is a 404. A path without a handler for the method is a 405 with `Allow`. By default,
/// `HEAD` uses the handler of `GET`, and the router handles `OPTIONS`. A trailing slash is significant: `/sessions/` is
/// not `/sessions`.
package struct Router: Sendable {
    /// A handler that can respond without suspending.
    package typealias FutureHandler = @Sendable (Request, PathParameters) throws -> Future<Response>

    /// A handler that is an asynchronous function.
    package typealias AsyncHandler = @Sendable (Request, PathParameters) async throws -> Response

    // Two cases, because one common kind would cost each request with a future handler one more closure.
    private enum RequestHandler: Sendable {
        case future(FutureHandler)
        case async(AsyncHandler)
    }

    /// Called with every error that is not a `Problem`, for the log; the client gets a 500 without details.
    package var onError: (@Sendable (any Error, Request) -> Void)?

    private let parameters: @Sendable (Route) -> [String]?

    /// The routes in the order in which they were added, without duplicates.
    package private(set) var routes: [Route] = []

    private var tree = RouteTree<RequestHandler>()

    /// Creates a router without routes.
    ///
    /// - Parameter parameters: Returns the names of the parameters that a route's query may have; a query with other
    ///   parameters gets a 400. If the closure returns nil, the query may have any parameters.
    package init(parameters: @escaping @Sendable (Route) -> [String]? = { _ in nil }) {
        self.parameters = parameters
    }

    /// Adds an asynchronous handler.
    ///
    /// - Parameters:
    ///   - method: The method to handle.
    ///   - pattern: A path such as `/sessions/{id}/events`, in which `{id}` matches one segment that is not empty.
    ///   - name: The route's name in `routes`; if it is nil, the pattern is the name.
    ///   - handler: The handler. A thrown `Problem` becomes the response.
    package mutating func on(
        _ method: Method, _ pattern: String, as name: String? = nil, _ handler: @escaping AsyncHandler
    ) {
        insert(Route(method, name ?? pattern), pattern, .async(handler))
    }

    /// Adds a handler that can respond without suspending; a thrown `Problem` becomes the response.
    package mutating func on(_ method: Method, _ pattern: String, reply handler: @escaping FutureHandler) {
        insert(Route(method, pattern), pattern, .future(handler))
    }

    /// Returns the response to a request; a thrown error becomes a response.
    package func respond(to request: Request) async -> Response {
        var number: Int?
        return await reply(to: request, by: &number).value
    }

    /// Returns the response to a request, now or later; a thrown error becomes a response.
    ///
    /// Sets `number` to the index in `routes` of the route that handles the request, if there is one.
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

    // The result is an index, because a copy of an endpoint would retain each of the endpoint's parts.
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
        .notFound, "There is nothing at this path; see the documentation for the paths.")

    private static let failed = Problem(
        .internalServerError,
        "The server failed to handle this request, because of an error of its own; try again later.")

    private static func notAllowed(_ methods: [Method]) -> Problem {
        let allow = allow(methods)
        return Problem(.methodNotAllowed, "This path allows \(allow).", headers: ["Allow": allow])
    }

    private static func options(_ methods: [Method]) -> Response {
        Response(status: .noContent, headers: ["Allow": allow(methods)])
    }

    // Includes the methods that the router itself handles.
    private static func allow(_ methods: [Method]) -> String {
        var all = Set(methods).union([.options])
        if all.contains(.get) { all.insert(.head) }
        return all.map(\.rawValue).sorted().joined(separator: ", ")
    }
}

package struct Route: Hashable, Sendable {
    package let method: Method
    /// The pattern, such as `/sessions/{id}`, or a name that several patterns share.
    package let name: String

    package init(_ method: Method, _ name: String) {
        self.method = method
        self.name = name
    }
}
