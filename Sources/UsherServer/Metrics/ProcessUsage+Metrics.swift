import UsherMetrics
import UsherProcess

extension ProcessUsage {
    /// Writes what the process uses, under the names that Prometheus' own clients give it.
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
