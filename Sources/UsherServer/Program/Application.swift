import MicroHTTPD
package import Usher
import UsherContract
package import UsherFuture
package import UsherHTTP
package import UsherJournal
package import UsherProcess
package import UsherSessions

/// The server without its sockets: the checks of host and origin, the endpoints, and the registry of sessions.
///
/// A class, because each request would copy a structure out of its handler's closure, and retain all references.
package final class Application: Sendable {
    private let router: Router
    private let hosts: HostPolicy
    private let origins: OriginPolicy
    private let registry: SessionRegistry
    private let requests: RequestMetrics
    private let contract: ContractEndpoints
    /// The index of the first of the routes that only the operator may use.
    private let firstInside: Int
    /// The routes of the operator's own listener, which the public port does not serve; nil without such a listener.
    private let operatorRouter: Router?
    let memory: MemoryKeeper

    /// Creates the application, with the limits, hosts, origins and secrets in the options.
    package init(
        apps: [any App.Type], options: ServeOptions, journal: any Journal = MemoryJournal(),
        crashes: CrashSettings = CrashSettings(), page: StaticFiles = StaticFiles(), readiness: Readiness = Readiness(),
        streams: EventStreams = EventStreams(), daemon: DaemonReference = DaemonReference(),
        flight: FlightRecord? = nil, environment: ServerEnvironment = ServerEnvironment(), log: Log
    ) {
        hosts = options.hosts
        origins = options.origins
        registry = SessionRegistry(
            apps: apps, configuration: options.bounds, journal: journal, clock: environment.clock,
            random: environment.random, tokens: options.tokens, crashes: crashes, flight: flight,
            threads: environment.threads,
            reclaim: environment.giveBack, observe: { log.write($0) })
        memory = MemoryKeeper(
            of: options.memoryBudget, registry: registry, log: log, traffic: { daemon.daemon?.traffic },
            shed: streams.shed, read: environment.usedMemory ?? options.readMemory)
        let limiter = AddressLimiter(options.addressLimits, behind: options.proxies, log: log)
        let access = options.access(limiter, log)
        let listing = AppEndpoints(registry: registry, access: options.appsArePublic ? nil : access)
        // A route that the contract does not name is a file of the page, which accepts any query.
        var outside = Router { ContractOperation.of($0.method, $0.name)?.queryNames }
        outside.onError = { error, request in
            log.write(.error, "request failed", ["method": request.method.rawValue, "cause": "\(error)"])
        }
        HealthEndpoints(readiness: readiness).add(to: &outside)
        let routes = { [registry] (door: SessionDoor, router: inout Router) in
            SessionEndpoints(registry: registry, door: door, limiter: limiter, log: log).add(to: &router)
            TokenEndpoints(registry: registry, door: door, log: log).add(to: &router)
            StreamEndpoints(registry: registry, streams: streams, door: door, limiter: limiter, log: log)
                .add(to: &router)
        }
        let isApart = options.adminListener != nil
        let backend = options.backend(or: isApart ? nil : access, limiter)
        routes(options.door(backend), &outside)
        BackendEndpoints(registry: registry, door: backend, log: log).add(to: &outside)
        contract = ContractEndpoints(apps: apps, version: Program.version, openings: options.openings)
        contract.add(to: &outside, for: options.appsArePublic ? .everybody : isApart ? .nobody : .operators(access))
        page.add(to: &outside)
        firstInside = outside.routes.count
        if options.appsArePublic { listing.add(to: &outside) }
        var inside = outside
        if isApart {
            var openings = options.openings
            openings.inside = true
            ContractEndpoints(apps: apps, version: Program.version, openings: openings)
                .add(to: &inside, for: .everybody)
            BackendEndpoints(registry: registry, door: options.backend(or: access, limiter), log: log).add(to: &inside)
        }
        if !options.appsArePublic { listing.add(to: &inside) }
        routes(.operators(access), &inside)
        let maps = AppMaps(apps, in: environment.probes ?? AppMaps.children)
        AdminEndpoints(registry: registry, access: access, maps: maps, log: log).add(to: &inside)
        LoginEndpoints(access: access).add(to: &inside)
        requests = RequestMetrics(inside.routes + [MetricsEndpoint.route])
        let metrics = ServerMetrics(
            version: Program.version, requests: requests, registry: registry, streams: streams, readiness: readiness,
            daemon: daemon, log: log, memory: memory, limiter: limiter)
        MetricsEndpoint(metrics: metrics, access: access).add(to: &inside)
        router = isApart ? outside : inside
        operatorRouter = isApart ? inside : nil
    }

    /// Creates the application for the operator's own listener, with the same sessions and all routes.
    ///
    /// No other origin may use the listener, even if the public port allows the origin.
    private init(_ front: Application, at router: Router, _ hosts: HostPolicy) {
        memory = front.memory
        self.router = router
        self.hosts = hosts
        origins = OriginPolicy()
        registry = front.registry
        requests = front.requests
        contract = front.contract
        firstInside = front.firstInside
        operatorRouter = nil
    }

    /// Returns the application for the operator's own listener.
    package func behind(_ listener: AdminListener, of options: ServeOptions) -> Application? {
        operatorRouter.map { Application(self, at: $0, listener.hosts(allowing: options.allowedHosts)) }
    }

    /// Examines the inputs that were handled when the previous process died; call this before serving requests.
    package func recover(from marks: [FlightMark]) async { await registry.recover(from: marks) }

    /// Responds to a request, and waits for the response.
    package func respond(to request: Request) async -> Response {
        await reply(to: request).value
    }

    package func reply(to request: Request) -> Future<Response> {
        let start = MonotonicClock.now
        var route: Int?
        do throws(Problem) {
            try hosts.check(request)
            let origin = try origins.check(request)
            var reply = router.reply(to: request, by: &route)
            if let origin { reply = open(reply, to: origin, request) }
            if showsInside(route, request) { reply = reply.map(Self.sealed) }
            requests.count(&reply, of: route, since: start)
            return reply
        } catch {
            var refusal = Future.ready(opened(Self.sealed(error.response), to: request.headers))
            requests.count(&refusal, of: route, since: start)
            return refusal
        }
    }

    /// Counts the response to a request that was refused before it reached the application.
    ///
    /// - Returns: The response, with the fields that let a page of an allowed origin read it.
    package func refuse(_ response: Response, _ fields: HeaderFields) -> Response {
        requests.countRefusal(response)
        return opened(response, to: fields)
    }

    /// Creates the contract's document before the first request; throws `JSONError` if an app's options do not encode.
    package func writeContract() throws {
        try contract.write()
    }

    /// Runs due timers and effects, removes idle sessions from memory, and expires sessions; called periodically.
    package func sweep() async {
        await registry.sweep()
    }

    /// Does the work that is due each second because other servers share the journal.
    package func meetPeers() async {
        await registry.meetPeers()
    }

    /// All routes, including the operator's.
    package var routes: [Route] { (operatorRouter ?? router).routes }

    /// The number of watchers of sessions: streams, and responses that wait for a revision.
    package var watcherCount: Int { registry.watcherCount }

    /// Ends all waits for effects and revisions, because the server stops.
    package func endWaits() {
        registry.endWaits()
    }

    /// Adds the fields that let a page of an allowed origin read a response.
    private func open(_ reply: Future<Response>, to origin: String, _ request: Request) -> Future<Response> {
        reply.map { [origins] answer in
            var response = answer
            origins.answerPreflight(request, &response)
            origins.open(&response, to: origin)
            return response
        }
    }

    /// Adds the fields that let a page of an allowed origin read a refusal.
    private func opened(_ refusal: Response, to fields: HeaderFields) -> Response {
        guard let origin = origins.allowed(in: fields) else { return refusal }
        var response = refusal
        origins.open(&response, to: origin)
        return response
    }

    /// Returns a Boolean value that indicates whether a request is for the operator, even if no route matched.
    private func showsInside(_ route: Int?, _ request: Request) -> Bool {
        if let route { return route >= firstInside }
        let first = request.target.bytes[request.target.segment(at: 0)]
        return Self.insidePaths.contains { first.elementsEqual($0.utf8) }
    }

    private static let insidePaths = ["admin", "metrics", "apps", "login", "logout"]

    /// Adds the fields that prevent caching and content sniffing of a response.
    private static func sealed(_ answer: Response) -> Response {
        var response = answer
        if !response.headers.contains("Cache-Control") {
            response.headers.set(name: "Cache-Control", value: "no-store")
        }
        response.headers.set(name: "X-Content-Type-Options", value: "nosniff")
        return response
    }
}
