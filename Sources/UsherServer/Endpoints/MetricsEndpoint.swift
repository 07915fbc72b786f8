import UsherHTTP
import UsherMetrics

/// `GET /metrics`: what the server counts, for whoever may look inside.
struct MetricsEndpoint: Sendable {
    /// Where it is.
    static let route = Route(.get, "/metrics")

    let metrics: ServerMetrics
    let policy: AdminPolicy

    func add(to router: inout Router) {
        router.on(Self.route.method, Self.route.name) { [self] request, _ in
            try policy.check(request)
            return Response(headers: Self.headers, body: metrics.text)
        }
    }

    private static let headers: HeaderFields = [
        "Content-Type": MetricsWriter.mediaType, "Cache-Control": "no-store",
    ]
}
