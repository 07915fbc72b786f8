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
            "usher_log_lines_dropped_total",
            "Log lines that were dropped because the reader of standard error was too slow.",
            log.droppedLines)
        memory.write(into: &writer)
        writeRefusals(into: &writer)
        ProcessUsage().write(into: &writer)
        return writer.bytes
    }

    private func writeBuild(into writer: inout MetricsWriter) {
        writer.begin("usher_build_info", .gauge, "The version of the build; the value is always 1.")
        writer.sample(1, ["version": version])
        writer.gauge(
            "usher_ready", "1 if the server accepts new work, or 0 while it drains.", readiness.isReady ? 1 : 0)
    }

    private func writeRefusals(into writer: inout MetricsWriter) {
        writer.begin(
            "usher_refused_total", .counter, "Work that was refused because the server or an address reached a limit.")
        for work in Admission.allCases {
            writer.sample(registry.gate.refusals(of: work), ["limit": "server", "work": "\(work)"])
        }
        let traffic = daemon.daemon?.traffic
        writer.sample(traffic?.refusedBodies ?? 0, ["limit": "server", "work": "body"])
        for measure in AddressLimiter.Measure.allCases {
            writer.sample(limiter.refusals(of: measure), ["limit": "address", "work": "\(measure)"])
        }
        writer.sample(traffic?.refusedConnections ?? 0, ["limit": "address", "work": "connection"])
        writer.gauge("usher_addresses", "Client addresses whose use is counted.", limiter.addressCount)
    }

    private func writeTraffic(into writer: inout MetricsWriter) {
        let traffic = daemon.daemon?.traffic
        writer.gauge("usher_http_connections", "Open connections.", traffic?.connections ?? 0)
        writer.gauge(
            "usher_http_connections_limit", "The most connections that can be open.", traffic?.connectionLimit ?? 0)
        writer.counter(
            "usher_http_connections_relieved_total",
            "Idle connections that were closed because most connections were in use.",
            traffic?.relievedConnections ?? 0)
        writer.counter(
            "usher_http_connections_standby_total",
            "Connections that the standby thread answered because all other threads were busy.",
            traffic?.standbyConnections ?? 0)
        writer.counter(
            "usher_descriptor_shortages_total",
            "How often a connection could not be accepted for lack of a file descriptor.",
            traffic?.descriptorShortages ?? 0)
        writer.gauge(
            "usher_http_requests_in_flight", "Requests in progress, including streams.", traffic?.requests ?? 0)
        writer.gauge("usher_streams", "Open streams.", streams.count)
        writer.counter("usher_streams_opened_total", "Streams that were opened.", streams.opened.value)
        writer.counter(
            "usher_stream_stalls_total", "How often a stream had to wait for its slow reader.", streams.stalls.value)
    }
}

extension ProcessUsage {
    /// Writes the process's use of resources, under the names of Prometheus' own clients.
    func write(into writer: inout MetricsWriter) {
        writer.begin(
            "process_cpu_seconds_total", .counter, "Processor time of this process.")
        writer.sample(processorSeconds)
        write(residentBytes, "process_resident_memory_bytes", "Resident memory.", into: &writer)
        write(virtualBytes, "process_virtual_memory_bytes", "Virtual memory.", into: &writer)
        write(openFiles, "process_open_fds", "Open files and sockets.", into: &writer)
        write(fileLimit, "process_max_fds", "The most files and sockets that can be open.", into: &writer)
        write(threads, "process_threads", "Threads of this process.", into: &writer)
        guard let startSeconds else { return }
        writer.begin("process_start_time_seconds", .gauge, "When the process started, in seconds since 1970.")
        writer.sample(startSeconds)
    }

    private func write(_ value: Int?, _ name: String, _ help: String, into writer: inout MetricsWriter) {
        guard let value else { return }
        writer.begin(name, .gauge, help)
        writer.sample(value)
    }
}

/// The daemon in front of an application, if there is one; weak, because the daemon retains the application.
package final class DaemonReference: Sendable {
    private struct Reference {
        weak var daemon: Daemon?
    }

    private let reference = Mutex(Reference())

    package init() {}

    var daemon: Daemon? {
        get { reference.withLock { $0.daemon } }
        set { reference.withLock { $0.daemon = newValue } }
    }
}
