import UsherHTTP

/// `GET /healthz`: the process answers.
///
/// `GET /readyz`: it also takes new work.
struct HealthEndpoints {
    let readiness: Readiness

    func add(to router: inout Router) {
        router.on(.get, "/healthz") { _, _ in .text("ok\n") }
        router.on(.get, "/readyz") { [readiness] _, _ in
            guard readiness.isReady else {
                throw Problem(.serviceUnavailable, "the server is shutting down", headers: ["Retry-After": "5"])
            }
            return .text("ready\n")
        }
    }
}
