import Usher
import UsherHTTP
import UsherJSON
import UsherSessions

/// `/admin`: what an operator sees and does.
struct AdminEndpoints: SessionAsking {
    let registry: SessionRegistry
    let policy: AdminPolicy
    let log: Log

    private typealias Handler = @Sendable (Request, PathParameters) async throws -> Response

    func add(to router: inout Router) {
        on(.get, "/admin/sessions", &router) { request, _ in try await list(request) }
        on(.get, "/admin/sessions/{id}/tree", &router) { _, parameters in try await tree(parameters) }
        on(.get, "/admin/sessions/{id}/journal", &router) { request, parameters in
            try await entries(request, parameters)
        }
        on(.get, "/admin/sessions/{id}/at/{revision}", &router) { _, parameters in try await pastState(parameters) }
        on(.get, "/admin/sessions/{id}/at/{revision}/tree", &router) { _, parameters in
            try await pastTree(parameters)
        }
        on(.post, "/admin/sessions/{id}/fork", &router) { request, parameters in
            try await fork(request, parameters)
        }
        on(.post, "/admin/sessions/{id}/messages", &router) { request, parameters in
            try await tell(request, parameters)
        }
        on(.post, "/admin/backup", &router) { _, _ in try await backUp() }
    }

    /// Whoever may not look inside does not learn what is there either.
    private func on(
        _ method: UsherHTTP.Method, _ path: String, _ router: inout Router, _ handler: @escaping Handler
    ) {
        router.on(method, path) { [policy] request, parameters in
            try policy.check(request)
            return try await handler(request, parameters)
        }
    }
}
