package import Usher
package import UsherFuture
package import UsherHTTP
package import UsherJournal
import UsherProcess
import UsherSessions

/// The whole server but for the socket: a request in, a response out.
package struct Application: Sendable {
    private let router: Router
    private let hosts: HostPolicy
    private let origins: OriginPolicy
    private let registry: SessionRegistry
    private let requests: RequestMetrics

    /// Puts the endpoints together.
    ///
    /// - Parameters:
    ///   - apps: What sessions can be opened on.
    ///   - options: How large the server may grow, and who may do what.
    ///   - journal: Where inputs are kept.
    ///   - page: What is served at `/`.
    ///   - readiness: Whether the server takes new work.
    ///   - streams: Those that are open.
    ///   - daemon: What is in front of it, to tell of its traffic.
    ///   - log: Where leaks and failures are told.
    package init(
        apps: [any App.Type], options: ServeOptions, journal: any Journal = MemoryJournal(),
        page: StaticFiles = StaticFiles(), readiness: Readiness = Readiness(), streams: EventStreams = EventStreams(),
        daemon: DaemonReference = DaemonReference(), log: Log
    ) {
        let policies = options.policies
        hosts = policies.hosts
        origins = policies.origins
        registry = SessionRegistry(
            apps: apps, configuration: options.bounds, journal: journal, clock: SystemClock(),
            reclaim: { HeapMemory.trim() }, observe: { log.write($0) })
        var router = Router()
        router.onError = { error, request in
            log.write(.error, "request failed", ["method": request.method.rawValue, "cause": "\(error)"])
        }
        HealthEndpoints(readiness: readiness).add(to: &router)
        AppEndpoints(registry: registry).add(to: &router)
        SessionEndpoints(registry: registry, log: log).add(to: &router)
        StreamEndpoints(registry: registry, streams: streams, log: log).add(to: &router)
        AdminEndpoints(registry: registry, policy: policies.admin, log: log).add(to: &router)
        page.add(to: &router)
        requests = RequestMetrics(router.routes + [MetricsEndpoint.route])
        let metrics = ServerMetrics(
            requests: requests, registry: registry, streams: streams, readiness: readiness, daemon: daemon)
        MetricsEndpoint(metrics: metrics, policy: policies.admin).add(to: &router)
        self.router = router
    }

    /// Does what time asks for; to be called now and then.
    package func sweep() async {
        await registry.sweep()
    }

    /// How many watch a session: streams, and answers that wait for a revision.
    package var watcherCount: Int { registry.watcherCount }

    /// Lets no answer wait any more for effects or for the next revision, for the server is about to go.
    package func endWaits() {
        registry.endWaits()
    }

    /// Answers a request, waiting for what the answer needs.
    package func respond(to request: Request) async -> Response {
        await reply(to: request).value
    }

    /// Answers a request.
    package func reply(to request: Request) -> Future<Response> {
        let start = MonotonicClock.now
        var route: Int?
        return requests.counting(reply(to: request, by: &route), of: route, since: start)
    }

    /// Counts a request that was refused on its way to this.
    package func count(refused response: Response) {
        requests.countRefusal(response)
    }

    private func reply(to request: Request, by route: inout Int?) -> Future<Response> {
        do throws(Problem) {
            try hosts.check(request)
            guard let origin = try origins.check(request) else { return router.reply(to: request, by: &route) }
            return router.reply(to: request, by: &route).map { [origins] answer in
                var response = answer
                origins.answerPreflight(request, &response)
                origins.open(&response, to: origin)
                return response
            }
        } catch {
            return .ready(error.response)
        }
    }
}
