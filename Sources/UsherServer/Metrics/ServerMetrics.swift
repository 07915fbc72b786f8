import MicroHTTPD
import Synchronization
import UsherHTTP
import UsherMetrics
import UsherProcess
import UsherSessions

/// `GET /metrics`: the server's metrics, for the operator.
struct MetricsEndpoint: Sendable {
    static let route = Route(.get, "/metrics")

    let metrics: ServerMetrics
    let access: Access

    func add(to router: inout Router) {
        router.on(Self.route.method, Self.route.name, for: access) { [metrics] _, _ in
            Response(headers: Self.headers, body: metrics.text)
        }
    }

    private static let headers: HeaderFields = ["Content-Type": MetricsWriter.mediaType]
}

/// The metrics of the server, in Prometheus' text format.
struct ServerMetrics: Sendable {
    let version: String
    let requests: RequestMetrics
    let registry: SessionRegistry
    let streams: EventStreams
    let readiness: Readiness
    let daemon: DaemonReference
    let log: Log
    let memory: MemoryKeeper
    let limiter: AddressLimiter

    var text: [UInt8] {
        var writer = MetricsWriter()
        writeBuild(into: &writer)
        requests.write(into: &writer)
        writeTraffic(into: &writer)
        registry.writeMetrics(into: &writer)
        writer.counter(
            "usher_log_lines_dropped_total", "Lines of the log that were dropped, for nobody took those before.",
            log.droppedLines)
        memory.write(into: &writer)
        writeRefusals(into: &writer)
        ProcessUsage().write(into: &writer)
        return writer.bytes
    }

    private func writeBuild(into writer: inout MetricsWriter) {
        writer.begin("usher_build_info", .gauge, "The build that runs; always 1.")
        writer.sample(1, ["version": version])
        writer.gauge(
            "usher_ready", "Whether the server takes new work: 1, or 0 while it drains.", readiness.isReady ? 1 : 0)
    }

    private func writeRefusals(into writer: inout MetricsWriter) {
        writer.begin("usher_refused_total", .counter, "Work that was refused because a limit was reached, by whose.")
        for work in Admission.allCases {
            writer.sample(registry.gate.refusals(of: work), ["limit": "server", "work": "\(work)"])
        }
        let traffic = daemon.daemon?.traffic
        writer.sample(traffic?.refusedBodies ?? 0, ["limit": "server", "work": "body"])
        for measure in AddressLimiter.Measure.allCases {
            writer.sample(limiter.refusals(of: measure), ["limit": "address", "work": "\(measure)"])
        }
        writer.sample(traffic?.refusedConnections ?? 0, ["limit": "address", "work": "connection"])
        writer.gauge("usher_addresses", "Client addresses that the limits know of.", limiter.addressCount)
    }

    private func writeTraffic(into writer: inout MetricsWriter) {
        let traffic = daemon.daemon?.traffic
        writer.gauge("usher_http_connections", "Connections that are open.", traffic?.connections ?? 0)
        writer.gauge("usher_http_connections_limit", "Connections that may be open.", traffic?.connectionLimit ?? 0)
        writer.counter(
            "usher_http_connections_relieved_total",
            "Connections that were closed unused, because most of those that may be open were.",
            traffic?.relievedConnections ?? 0)
        writer.counter(
            "usher_http_connections_standby_total",
            "Connections that were answered by the standby thread, because no other took them.",
            traffic?.standbyConnections ?? 0)
        writer.counter(
            "usher_descriptor_shortages_total", "How often there was no descriptor for a connection.",
            traffic?.descriptorShortages ?? 0)
        writer.gauge("usher_http_requests_in_flight", "Requests under way, streams included.", traffic?.requests ?? 0)
        writer.gauge("usher_streams", "Streams that are open.", streams.count)
        writer.counter("usher_streams_opened_total", "Streams that were opened.", streams.opened.value)
        writer.counter(
            "usher_stream_stalls_total", "How often a stream had to wait for its slow reader.", streams.stalls.value)
    }
}

extension ProcessUsage {
    /// Writes the process's use of resources, under the names of Prometheus' own clients.
    func write(into writer: inout MetricsWriter) {
        writer.begin(
            "process_cpu_seconds_total", .counter, "Time that the processors have spent on this process.")
        writer.sample(processorSeconds)
        write(residentBytes, "process_resident_memory_bytes", "Memory that is in use.", into: &writer)
        write(virtualBytes, "process_virtual_memory_bytes", "Addresses that are in use.", into: &writer)
        write(openFiles, "process_open_fds", "Files and sockets that are open.", into: &writer)
        write(fileLimit, "process_max_fds", "Files and sockets that may be open.", into: &writer)
        write(threads, "process_threads", "Threads of the system.", into: &writer)
        guard let startSeconds else { return }
        writer.begin("process_start_time_seconds", .gauge, "When the process began, since 1970 in UTC.")
        writer.sample(startSeconds)
    }

    private func write(_ value: Int?, _ name: String, _ help: String, into writer: inout MetricsWriter) {
        guard let value else { return }
        writer.begin(name, .gauge, help)
        writer.sample(value)
    }
}

/// The daemon in front of an application, once there is one.
///
/// The reference is weak, because the daemon retains the application.
package final class DaemonReference: Sendable {
    private struct Reference {
        weak var daemon: Daemon?
    }

    private let reference = Mutex(Reference())

    /// Creates an empty reference.
    package init() {}

    var daemon: Daemon? {
        get { reference.withLock { $0.daemon } }
        set { reference.withLock { $0.daemon = newValue } }
    }
}
