import MicroHTTPD
import UsherMetrics
import UsherProcess
import UsherSessions

/// All that the server counts.
struct ServerMetrics: Sendable {
    let requests: RequestMetrics
    let registry: SessionRegistry
    let streams: EventStreams
    let readiness: Readiness
    let daemon: DaemonReference

    /// All of it as Prometheus reads it.
    var text: [UInt8] {
        var writer = MetricsWriter()
        writeBuild(into: &writer)
        requests.write(into: &writer)
        writeTraffic(into: &writer)
        registry.writeMetrics(into: &writer)
        ProcessUsage().write(into: &writer)
        return writer.bytes
    }

    private func writeBuild(into writer: inout MetricsWriter) {
        writer.begin("usher_build_info", .gauge, "The build that runs; always 1.")
        writer.sample(1, ["version": Program.version])
        writer.begin("usher_ready", .gauge, "Whether the server takes new work: 1, or 0 while it drains.")
        writer.sample(readiness.isReady ? 1 : 0)
    }

    private func writeTraffic(into writer: inout MetricsWriter) {
        let traffic = daemon.daemon?.traffic
        writer.begin("usher_http_connections", .gauge, "Connections that are open.")
        writer.sample(traffic?.connections ?? 0)
        writer.begin("usher_http_requests_in_flight", .gauge, "Requests under way, streams included.")
        writer.sample(traffic?.requests ?? 0)
        writer.begin("usher_streams", .gauge, "Streams that are open.")
        writer.sample(streams.count)
        writer.begin("usher_streams_opened_total", .counter, "Streams that were opened.")
        writer.sample(streams.opened.value)
        writer.begin("usher_stream_stalls_total", .counter, "How often a stream had to wait for its slow reader.")
        writer.sample(streams.stalls.value)
    }
}
