/// A writer of metrics in Prometheus' text format, version 0.0.4.
///
/// Each metric begins with `begin`; its samples follow.
package struct MetricsWriter {
    /// A sample's labels, in the order in which they are shown.
    package typealias Labels = KeyValuePairs<String, String>

    /// The media type of the text.
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// The text so far.
    package private(set) var bytes: [UInt8] = []
    private var name = ""

    /// Makes an empty writer.
    package init() {
        bytes.reserveCapacity(16 * 1024)
    }

    /// Begins a metric.
    ///
    /// - Parameters:
    ///   - name: Its name, with its unit; a counter's ends in `_total`.
    ///   - kind: Its type.
    ///   - help: Its description, for people.
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

    /// Writes a sample of the metric that was begun.
    package mutating func sample(_ value: Int, _ labels: Labels = [:]) {
        write(name, labels, "\(value)")
    }

    /// Writes a sample of the metric that was begun.
    package mutating func sample(_ value: Double, _ labels: Labels = [:]) {
        write(name, labels, Self.text(value))
    }

    /// Writes the samples of a histogram that was begun.
    package mutating func samples(_ distribution: Distribution, _ labels: Labels = [:]) {
        var count = 0
        for (index, bound) in distribution.bounds.enumerated() {
            count += distribution.counts[index]
            write("\(name)_bucket", labels, le: Self.text(bound, of: distribution), "\(count)")
        }
        // All three from one distribution: what is counted meanwhile is in none of them.
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

    /// A backslash and a line feed would end what they stand in, and so would a quotation mark in a label's value.
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

/// The type of a metric, which says what can be done with its values.
package enum MetricKind: String, Sendable {
    /// A number that only grows; what counts is how fast.
    case counter
    /// A number that goes up and down.
    case gauge
    /// Counts of values by their size.
    case histogram
}
