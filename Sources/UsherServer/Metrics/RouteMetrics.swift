import UsherHTTP
import UsherMetrics

/// What is counted of the requests to one route.
final class RouteMetrics: Sendable {
    /// The method and the pattern, as they are shown.
    let labels: (method: String, route: String)
    /// By the place of their status in `StatusCodes`.
    let statuses = Counters()
    /// How long they took up to their response, in nanoseconds.
    let times = Histogram.times()

    init(_ route: Route) {
        labels = (route.method.rawValue, route.name)
    }

    /// Makes those of requests that no route has answered: their methods and paths are the clients' to choose.
    init() {
        labels = ("other", "none")
    }
}
