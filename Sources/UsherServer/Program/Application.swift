package import Usher
package import UsherFuture
package import UsherHTTP
package import UsherJournal
package import UsherProcess
package import UsherSessions

/// The server without its socket: the endpoints behind the checks of host and origin, and the registry of sessions.
package struct Application: Sendable {
    private let router: Router
    private let hosts: HostPolicy
    private let origins: OriginPolicy
    private let registry: SessionRegistry
    private let requests: RequestMetrics

    /// Puts the endpoints together.
    ///
    /// - Parameters:
    ///   - apps: The apps that sessions can be opened on.
    ///   - options: The bounds of the sessions, and the hosts, origins and token of requests.
    ///   - journal: The sessions' journal.
    ///   - trials: The inputs that are refused, and what makes trials.
    ///   - page: The page at `/`.
    ///   - readiness: The readiness of the server for new work.
    ///   - streams: The open streams.
    ///   - daemon: The daemon in front, whose traffic the metrics show.
    ///   - flight: The record that says whose author's code runs.
    ///   - log: Takes leaks and failures.
    package init(
        apps: [any App.Type], options: ServeOptions, journal: any Journal = MemoryJournal(),
        trials: TrialSettings = TrialSettings(), page: StaticFiles = StaticFiles(), readiness: Readiness = Readiness(),
        streams: EventStreams = EventStreams(), daemon: DaemonReference = DaemonReference(),
        flight: FlightRecord? = nil, log: Log
    ) {
        let policies = options.policies
        hosts = policies.hosts
        origins = policies.origins
        registry = SessionRegistry(
            apps: apps, configuration: options.bounds, journal: journal, clock: SystemClock(), flight: flight,
            trials: trials, reclaim: { HeapMemory.trim() }, observe: { log.write($0) })
        var router = Router()
        router.onError = { error, request in
            log.write(.error, "request failed", ["method": request.method.rawValue, "cause": "\(error)"])
        }
        HealthEndpoints(readiness: readiness).add(to: &router)
        AppEndpoints(registry: registry).add(to: &router)
        SessionEndpoints(registry: registry, log: log).add(to: &router)
        StreamEndpoints(registry: registry, streams: streams, log: log).add(to: &router)
        AdminEndpoints(registry: registry, policy: policies.admin, log: log).add(to: &router)
        HistoryEndpoints(registry: registry, policy: policies.admin, log: log).add(to: &router)
        page.add(to: &router)
        requests = RequestMetrics(router.routes + [MetricsEndpoint.route])
        let metrics = ServerMetrics(
            version: Program.version, requests: requests, registry: registry, streams: streams, readiness: readiness,
            daemon: daemon, log: log)
        MetricsEndpoint(metrics: metrics, policy: policies.admin).add(to: &router)
        self.router = router
    }

    /// Answers a request, waiting for what the answer needs.
    package func respond(to request: Request) async -> Response {
        await reply(to: request).value
    }

    /// Answers a request.
    package func reply(to request: Request) -> Future<Response> {
        let start = MonotonicClock.now
        var route: Int?
        do throws(Problem) {
            try hosts.check(request)
            let origin = try origins.check(request)
            var reply = router.reply(to: request, by: &route)
            if let origin { reply = open(reply, to: origin, request) }
            return requests.counting(reply, of: route, since: start)
        } catch {
            return requests.counting(.ready(error.response), of: route, since: start)
        }
    }

    /// Counts the answer to a request that was refused before it came here.
    package func count(refused response: Response) {
        requests.countRefusal(response)
    }

    /// The periodic work on sessions: due timers and effects, hibernation, expiry.
    package func sweep() async {
        await registry.sweep()
    }

    /// The number of watchers of sessions: streams, and answers that wait for a revision.
    package var watcherCount: Int { registry.watcherCount }

    /// Lets no answer wait any more for effects or for the next revision, for the server is about to go.
    package func endWaits() {
        registry.endWaits()
    }

    /// Lets a page from an allowed origin read the answer.
    private func open(_ reply: Future<Response>, to origin: String, _ request: Request) -> Future<Response> {
        reply.map { [origins] answer in
            var response = answer
            origins.answerPreflight(request, &response)
            origins.open(&response, to: origin)
            return response
        }
    }
}
