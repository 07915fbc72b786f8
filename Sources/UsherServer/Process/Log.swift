import Usher
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// The server's log: one line an event, with no secret and no whole session id in it.
package struct Log: Sendable {
    /// The severity of a line.
    package enum Level: String, Sendable {
        case info, warning, error
    }

    /// The destination of the lines; a test collects them.
    package typealias Sink = @Sendable (String) -> Void

    private let format: LogFormat
    private let milliseconds: @Sendable () -> Int64
    private let sink: Sink

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - format: The layout of a line.
    ///   - milliseconds: The time of day; milliseconds since 1970.
    ///   - sink: The destination of the lines; standard error unless told.
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
    ///   - level: The severity.
    ///   - message: The event, in words that do not vary.
    ///   - fields: The values that vary.
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

/// The layout of a log line.
package enum LogFormat: String, Sendable {
    /// For people: time, level, message, `name=value`.
    case text
    /// For collectors: one JSON object a line.
    case json
}

extension Log {
    /// Tells of coordinators that are still in memory although they have left.
    func write(_ leaks: [Leak], in session: SessionID) {
        for leak in leaks {
            write(
                .warning, "coordinator leaked",
                [
                    "session": "\(session)", "type": leak.type, "coordinator": leak.coordinator,
                    "revision": "\(leak.revision)",
                ])
        }
    }

    /// Tells what the client of a session is not told.
    func write(_ error: SessionError, in session: SessionID) {
        switch error {
        case .rejected(let rejection, _) where rejection.kind == .failed:
            write("handler failed", rejection.cause ?? rejection.reason, in: session)
        case .notRecorded(let cause): write("input not recorded", cause, in: session)
        case .notRead(let cause): write("journal not read", cause, in: session)
        case .notTried(let cause): write("input not tried", cause, in: session)
        default: break
        }
    }

    /// Tells what the client that would open a session is not told.
    func write(_ error: SessionError, app: String) {
        switch error {
        case .cannotStart(let cause): write(.error, "app could not start", ["app": app, "cause": cause])
        case .notRecorded(let cause): write(.error, "session not recorded", ["app": app, "cause": cause])
        case .notRead(let cause): write(.error, "journal not read", ["app": app, "cause": cause])
        case .notTried(let cause): write(.error, "creation not tried", ["app": app, "cause": cause])
        default: break
        }
    }

    /// Tells what no request's answer tells.
    func write(_ event: SessionEvent) {
        switch event {
        case .diverged(let session, let divergence): write("session diverged", "\(divergence)", in: session)
        case .expired(let session): write(.info, "session expired", ["session": "\(session)"])
        case .leaked(let session, let leaks): write(leaks, in: session)
        case .unavailable(let session, let cause): write("session unavailable", cause, in: session)
        case .effectFailed(let session, let name, let cause):
            write(.error, "effect failed", ["session": "\(session)", "effect": name, "cause": cause])
        case .effectRefused(let session, let cause): write("result refused", cause, in: session)
        case .effectPostponed(let session, let cause): write("result postponed", cause, in: session)
        case .guilty(let session, let input):
            write(
                .error, "input guilty",
                [
                    "session": session.map { "\($0)" } ?? "", "app": input.site.app, "screen": input.site.screen,
                    "input": input.site.event, "revision": "\(input.identity.revision)", "cause": input.crash,
                ])
        case .postponed(let cause): write(.error, "expiry postponed", ["cause": cause])
        }
    }

    private func write(_ message: String, _ cause: String, in session: SessionID) {
        write(.error, message, ["session": "\(session)", "cause": cause])
    }
}
