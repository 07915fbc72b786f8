/// How a log line looks.
package enum LogFormat: String, CaseIterable, Sendable {
    /// For people: time, level, message, `name=value`.
    case text
    /// For collectors: one JSON object a line.
    case json
}
