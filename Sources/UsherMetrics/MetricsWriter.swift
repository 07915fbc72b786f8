/// Writes metrics in the Prometheus text format, version 0.0.4: call `begin`, and then write the metric's samples.
package struct MetricsWriter {
    /// The labels of a sample, in the order in which they are written.
    package typealias Labels = KeyValuePairs<String, String>

    /// The media type of the text.
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var bytes: [UInt8] = []
    private var name = ""

    package init() {
        bytes.reserveCapacity(16 * 1024)
    }

    /// Starts a metric, whose name includes the unit; the name of a counter ends in `_total`.
    package mutating func begin(_ name: String, _ kind: MetricKind, _ help: String) {
        self.name = name
        write("# HELP \(name) ")
        writeEscaped(help, quotes: false)
        write("\n# TYPE \(name) \(kind.rawValue)\n")
    }

    /// Writes a counter that has one sample.
    package mutating func counter(_ name: String, _ help: String, _ value: Int) {
        begin(name, .counter, help)
        sample(value)
    }

    /// Writes a gauge that has one sample.
    package mutating func gauge(_ name: String, _ help: String, _ value: Int) {
        begin(name, .gauge, help)
        sample(value)
    }

    /// Writes a histogram without labels.
    package mutating func histogram(_ name: String, _ help: String, _ distribution: Distribution) {
        begin(name, .histogram, help)
        samples(distribution)
    }

    /// Writes a sample of the current metric.
    package mutating func sample(_ value: Int, _ labels: Labels = [:]) {
        write(name, labels, "\(value)")
    }

    package mutating func sample(_ value: Double, _ labels: Labels = [:]) {
        write(name, labels, Self.text(value))
    }

    /// Writes the samples of a histogram, which must be the current metric.
    package mutating func samples(_ distribution: Distribution, _ labels: Labels = [:]) {
        var count = 0
        for (index, bound) in distribution.bounds.enumerated() {
            count += distribution.counts[index]
            write("\(name)_bucket", labels, le: Self.text(bound, of: distribution), "\(count)")
        }
        // All three values come from one snapshot, so that they are consistent.
        write("\(name)_bucket", labels, le: "+Inf", "\(distribution.count)")
        write("\(name)_sum", labels, Self.text(distribution.sum, of: distribution))
        write("\(name)_count", labels, "\(distribution.count)")
    }

    // MARK: Text

    private mutating func write(_ name: String, _ labels: Labels, le bound: String? = nil, _ value: String) {
        write(name)
        var separator = "{"
        for (label, value) in labels {
            write("\(separator)\(label)=\"")
            writeEscaped(value, quotes: true)
            write("\"")
            separator = ","
        }
        if let bound {
            write("\(separator)le=\"\(bound)\"")
            separator = ","
        }
        write(separator == "," ? "} \(value)\n" : " \(value)\n")
    }

    private mutating func write(_ text: String) {
        bytes += text.utf8
    }

    /// Escapes backslashes and line feeds, and quotation marks if `quotes` is true, as for label values.
    private mutating func writeEscaped(_ text: String, quotes: Bool) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): write("\\\\")
            case UInt8(ascii: "\n"): write("\\n")
            case UInt8(ascii: "\"") where quotes: write("\\\"")
            default: bytes.append(byte)
            }
        }
    }

    private static func text(_ value: Int, of distribution: Distribution) -> String {
        guard distribution.scale != 1 else { return "\(value)" }
        return text(Double(value) / Double(distribution.scale))
    }

    private static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return "\(value)"
    }
}

package enum MetricKind: String, Sendable {
    /// A number that only grows.
    case counter
    /// A number that can increase and decrease.
    case gauge
    /// The numbers of values in ranges of size.
    case histogram
}
