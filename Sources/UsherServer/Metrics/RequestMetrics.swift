import UsherFuture
import UsherHTTP
import UsherMetrics
import UsherProcess

/// The counts and durations of all requests, by route and status.
final class RequestMetrics: Sendable {
    /// The metrics by route, in the router's order; the last element counts requests without a route.
    private let routes: [RouteMetrics]
    private let codes = StatusCodes()

    init(_ routes: [Route]) {
        // The method and path of requests without a route are not used as labels, because clients choose them.
        self.routes = routes.map { RouteMetrics($0.method.rawValue, $0.name) } + [RouteMetrics("other", "none")]
    }

    /// Counts a response; a pending response is replaced by a future that counts the response when it is ready.
    ///
    /// `route` is nil if no route matched. `start` is the time of the request's arrival, by the `MonotonicClock`.
    func count(_ reply: inout Future<Response>, of route: Int?, since start: Int64) {
        if let status = reply.status { return count(status, of: route, since: start) }
        reply = reply.map { response in
            self.count(response.status, of: route, since: start)
            return response
        }
    }

    private func count(_ status: Status, of route: Int?, since start: Int64) {
        routes[min(route ?? .max, routes.count - 1)]
            .count(at: codes.place(of: status), nanoseconds: Int(MonotonicClock.now - start))
    }

    /// Counts a request that was refused before routing.
    func countRefusal(_ response: Response) {
        routes[routes.count - 1].statuses.add(at: codes.place(of: response.status))
    }

    func write(into writer: inout MetricsWriter) {
        writer.begin("usher_http_requests_total", .counter, "Answered requests, by status.")
        for route in routes {
            for (place, code) in codes.names.enumerated() {
                let count = route.statuses[place]
                guard count > 0 || codes.isShownEarly(code) else { continue }
                writer.sample(count, ["method": route.labels.method, "route": route.labels.route, "code": code])
            }
        }
        writer.begin(
            "usher_http_request_duration_seconds", .histogram,
            "Duration of requests, including the effects that the answer waited for.")
        for route in routes {
            let times = route.times.distribution
            guard times.count > 0 else { continue }
            writer.samples(times, ["method": route.labels.method, "route": route.labels.route])
        }
    }
}

extension Future<Response> {
    /// The status if the response is ready; otherwise nil.
    @inline(never)  // If inlined, the getter would copy the whole response.
    fileprivate var status: Status? {
        if case .ready(let response) = self { response.status } else { nil }
    }
}

/// The counts and durations of the requests to one route.
final class RouteMetrics: Sendable {
    /// The method and the pattern, as labels.
    let labels: (method: String, route: String)
    /// The counts; `StatusCodes` has the index of each status.
    let statuses = Counters()
    /// The times until the response, in nanoseconds.
    let times = Histogram.times()

    init(_ method: String, _ route: String) {
        labels = (method, route)
    }

    /// Counts a response; `place` is the index of its status in `StatusCodes`.
    func count(at place: Int, nanoseconds: Int) {
        statuses.add(at: place)
        times.record(nanoseconds)
    }
}

/// The status codes that are counted separately: a class, because so large a structure would be copied at each use.
final class StatusCodes: Sendable {
    // An inline array, because all threads would compete for the reference count of a normal array.
    private let codes: InlineArray<29, Int> = [
        200, 201, 202, 204, 303, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 414, 415, 417, 421,
        422, 429, 431, 500, 501, 503, 504, 505,
    ]

    /// The codes as labels; the last label stands for all other codes.
    var names: [String] { codes.indices.map { "\(codes[$0])" } + ["other"] }

    /// Returns the index of a status's counter.
    func place(of status: Status) -> Int { codes.indices.first { codes[$0] == status.code } ?? codes.count }

    /// Returns `true` for codes that are written before they occur, so that the first failure shows as an increase.
    func isShownEarly(_ name: String) -> Bool { ["500", "503", "504"].contains(name) }
}
