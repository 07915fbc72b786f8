import UsherFuture
import UsherHTTP
import UsherMetrics
import UsherProcess

/// What is counted of all requests.
final class RequestMetrics: Sendable {
    /// By route, in the order of the router's; at the end what no route has answered.
    private let routes: [RouteMetrics]
    private let codes = StatusCodes()

    /// Makes the metrics of a router's routes.
    init(_ routes: [Route]) {
        self.routes = routes.map { RouteMetrics($0) } + [RouteMetrics()]
    }

    /// Counts a response, now or when it comes.
    func counting(_ reply: Future<Response>, of route: Int?, since start: Int64) -> Future<Response> {
        switch reply {
        case .ready(let response):
            count(response, of: route, since: start)
            return reply
        case .async, .callback:
            return reply.map { response in
                self.count(response, of: route, since: start)
                return response
            }
        }
    }

    /// Counts a response.
    ///
    /// - Parameters:
    ///   - route: Where among the routes the one is that has answered; nil where none has.
    ///   - start: When the request came, by the `MonotonicClock`.
    func count(_ response: Response, of route: Int?, since start: Int64) {
        let metrics = routes[min(route ?? .max, routes.count - 1)]
        metrics.statuses.add(at: codes.place(of: response.status))
        metrics.times.record(Int(MonotonicClock.now - start))
    }

    /// Counts a request that was refused before anybody looked for its route.
    func countRefusal(_ response: Response) {
        routes[routes.count - 1].statuses.add(at: codes.place(of: response.status))
    }

    func write(into writer: inout MetricsWriter) {
        writer.begin("usher_http_requests_total", .counter, "Requests that were answered, by the answer's status.")
        for route in routes {
            for (place, code) in codes.names.enumerated() {
                let count = route.statuses[place]
                guard count > 0 || codes.isShownEarly(code) else { continue }
                writer.sample(count, ["method": route.labels.method, "route": route.labels.route, "code": code])
            }
        }
        writer.begin(
            "usher_http_request_duration_seconds", .histogram,
            "How long requests took up to their answer, the effects that it waited for included.")
        for route in routes {
            let times = route.times.distribution
            guard times.count > 0 else { continue }
            writer.samples(times, ["method": route.labels.method, "route": route.labels.route])
        }
    }
}
