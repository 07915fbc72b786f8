import Usher
import UsherBytes
import UsherJSON
import UsherJournal
import UsherProcess
import UsherSessions

/// The server's log: one line per event, without secrets and without full session ids.
package struct Log: Sendable {
    package enum Level: String, Sendable {
        case info, warning, error
    }

    /// The destination of the lines; a test collects them.
    package typealias Sink = @Sendable (String) -> Void

    private let format: LogFormat
    private let milliseconds: @Sendable () -> Int64
    private let sink: Sink
    /// The queue of lines for standard error; nil if lines are written immediately.
    private let queue: LogQueue?

    /// Creates a log that queues its lines, so that a blocked stream does not block the server.
    ///
    /// - Parameters:
    ///   - format: The layout of a line.
    ///   - limit: The maximum size of the queue, in bytes.
    ///   - write: Writes a line, and may block; by default to standard error.
    package init(
        _ format: LogFormat, limit: Int = 1 << 20,
        through write: @escaping Sink = { StandardStream.error.write(line: $0) }
    ) {
        let now: @Sendable () -> Int64 = { WallTime.milliseconds() }
        let notice: @Sendable (Int) -> String = { count in
            Self.line(format, now(), .warning, "log lines dropped", ["count": "\(count)"])
        }
        self.format = format
        milliseconds = now
        queue = LogQueue(limit: limit, notice: notice, write: write)
        sink = write
    }

    /// Creates a log that writes each line immediately.
    ///
    /// - Parameters:
    ///   - format: The layout of a line.
    ///   - milliseconds: Returns the time of day, in milliseconds since 1970.
    ///   - sink: The destination of the lines.
    package init(
        _ format: LogFormat, milliseconds: @escaping @Sendable () -> Int64 = { WallTime.milliseconds() },
        sink: @escaping Sink
    ) {
        self.format = format
        self.milliseconds = milliseconds
        self.sink = sink
        queue = nil
    }

    /// The number of lines that were dropped because the queue was full.
    package var droppedLines: Int { queue?.droppedLines ?? 0 }

    /// Blocks the calling thread until all lines are written, but no longer than a duration; call this before an exit.
    ///
    /// - Returns: `true` if all lines are written; otherwise, an exit loses the remaining lines.
    @discardableResult
    package func flush(within duration: Duration = .seconds(2)) -> Bool {
        queue?.flush(within: duration) ?? true
    }

    /// Writes a line: a message, which is always in the same words, and the values of this event.
    package func write(_ level: Level, _ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
        let line = Self.line(format, milliseconds(), level, message, fields)
        if let queue { queue.add(line) } else { sink(line) }
    }

    private static func line(
        _ format: LogFormat, _ milliseconds: Int64, _ level: Level, _ message: String,
        _ fields: KeyValuePairs<String, String>
    ) -> String {
        let time = WallTime.text(milliseconds)
        let line =
            switch format {
            case .text: text(time, level, message, fields)
            case .json: json(time, level, message, fields)
            }
        // JSON escapes only some control characters, and the fields may contain an app's texts.
        return line.escapingControls()
    }

    private static func text(
        _ time: String, _ level: Level, _ message: String, _ fields: KeyValuePairs<String, String>
    ) -> String {
        fields.reduce(into: "\(time) \(level.rawValue) \(message)") { line, field in
            line += " \(field.key)=\(JSONWriter.text { $0.string(field.value) })"
        }
    }

    private static func json(
        _ time: String, _ level: Level, _ message: String, _ fields: KeyValuePairs<String, String>
    ) -> String {
        JSONWriter.text { writer in
            writer.object { writer in
                writer.member("time", time)
                writer.member("level", level.rawValue)
                writer.member("message", message)
                for (name, value) in fields { writer.member(name, value) }
            }
        }
    }
}

package enum LogFormat: String, Sendable {
    /// For people: the time, the level, the message, and fields as `name=value`.
    case text
    /// For collectors: one JSON object per line.
    case json
}

extension Log {
    /// Logs coordinators that are still in memory after the input that removed them.
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

    /// Logs details that the client of a session must not see.
    func write(_ error: SessionError, in session: SessionID) { write(error, "input", "session", "\(session)") }

    func write(_ error: SessionError, app: String) { write(error, "session", "app", app) }

    private func write(_ error: SessionError, _ work: String, _ field: String, _ value: String) {
        let message: String
        let cause: String
        switch error {
        case .rejected(let rejection, _) where rejection.kind == .failed:
            (message, cause) = ("handler failed", rejection.cause ?? rejection.reason)
        case .cannotStart(let reason): (message, cause) = ("app could not start", reason)
        case .notRecorded(let reason): (message, cause) = ("\(work) not recorded", reason)
        case .outcomeUnknown(let reason): (message, cause) = ("outcome unknown", reason)
        case .notRead(let reason): (message, cause) = ("journal not read", reason)
        case .notTried(let reason): (message, cause) = ("\(work) not tried", reason)
        default: return
        }
        write(.error, message, [field: value, "cause": cause])
    }

    /// Logs an event that belongs to no request.
    func write(_ event: SessionEvent) {
        switch event {
        case .diverged(let session, let divergence): write("session diverged", "\(divergence)", in: session)
        case .endedByDivergence(let session, let reason): write("session ended", reason.cause, in: session)
        case .expired(let session): write(.info, "session expired", ["session": "\(session)"])
        case .leaked(let session, let leaks): write(leaks, in: session)
        case .held(let session, let reason):
            write(
                .error, "session held",
                ["session": "\(session)", "reason": reason.kind.rawValue, "cause": reason.cause])
        case .effectFailed(let session, let name, let cause):
            write(.error, "effect failed", ["session": "\(session)", "effect": name, "cause": cause])
        case .effectRefused(let session, let cause): write("result refused", cause, in: session)
        case .effectPostponed(let session, let cause): write("result postponed", cause, in: session)
        case .guilty(let input): write("input guilty", input)
        case .suspected(let input): write("input in flight at the crash", input)
        case .clockJumped(let milliseconds):
            write(
                .warning, "time of day has jumped; nothing expires for an hour",
                ["seconds": "\(milliseconds / 1_000)"])
        case .clockWrong(let milliseconds):
            let cause =
                "this server's clock differs from the database's; correct the clock, so that sessions expire again"
            let seconds = Int((Double(milliseconds) / 1_000).rounded())
            write(.error, "clock is wrong", ["seconds": "\(seconds)", "cause": cause])
        case .postponed(let cause): write(.error, "expiry postponed", ["cause": cause])
        case .displaced(let cause): write(.error, "displaced", ["cause": cause])
        }
    }

    private func write(_ message: String, _ input: GuiltyInput) {
        write(
            .error, message,
            [
                "session": input.identity.session.map { "\(SessionID($0))" } ?? "", "app": input.site.app,
                "screen": input.site.screen, "input": input.site.event, "revision": "\(input.identity.revision)",
                "cause": input.crash,
            ])
    }

    private func write(_ message: String, _ cause: String, in session: SessionID) {
        write(.error, message, ["session": "\(session)", "cause": cause])
    }
}
