import UsherJSON
import UsherProcess

/// The server's log: one line an event, with no secret and no whole session id in it.
package struct Log: Sendable {
    /// How much a line matters.
    package enum Level: String, Sendable {
        case info, warning, error
    }

    /// Where the lines go; a test collects them.
    package typealias Sink = @Sendable (String) -> Void

    private let format: LogFormat
    private let milliseconds: @Sendable () -> Int64
    private let sink: Sink

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - format: How a line looks.
    ///   - milliseconds: The time of day; milliseconds since 1970.
    ///   - sink: Where the lines go; standard error unless told.
    package init(
        _ format: LogFormat, milliseconds: @escaping @Sendable () -> Int64 = { WallTime.milliseconds() },
        sink: @escaping Sink = { StandardStream.error.write(line: $0) }
    ) {
        self.format = format
        self.milliseconds = milliseconds
        self.sink = sink
    }

    /// Writes a line.
    ///
    /// - Parameters:
    ///   - level: How much it matters.
    ///   - message: What happened, in words that do not vary.
    ///   - fields: What varies.
    package func write(_ level: Level, _ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        let time = WallTime.text(milliseconds())
        switch format {
        case .text: sink(Self.text(time, level, message, fields))
        case .json: sink(Self.json(time, level, message, fields))
        }
    }

    private static func text(
        _ time: String, _ level: Level, _ message: String, _ fields: KeyValuePairs<String, String>
    ) -> String {
        fields.reduce(into: "\(time) \(level.rawValue) \(message)") { line, field in
            var value = JSONWriter()
            value.string(field.value)
            line += " \(field.key)=\(String(decoding: value.bytes, as: UTF8.self))"
        }
    }

    private static func json(
        _ time: String, _ level: Level, _ message: String, _ fields: KeyValuePairs<String, String>
    ) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in [("time", time), ("level", level.rawValue), ("message", message)] {
            writer.key(name)
            writer.string(value)
        }
        for (name, value) in fields {
            writer.key(name)
            writer.string(value)
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
