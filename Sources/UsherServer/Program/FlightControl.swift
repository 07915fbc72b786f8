import Usher
import UsherJournal
import UsherProcess
import UsherSessions

/// The flight record and the watchdog of a server, with the marks that the previous process left.
struct FlightControl: Sendable {
    /// The record in which running handlers are marked; nil if there is no memory for the record.
    let record: FlightRecord?
    /// The marks that the previous process left.
    let remains: FlightRecord.Remains
    private let watchdog: Watchdog?

    /// The time limit for stopping, longer than the daemon's; a handler that still runs afterwards is assumed to block.
    private static let stoppingTime = Duration.seconds(20)
    /// The time in nanoseconds to wait for running handlers after the server has stopped.
    private static let lastMoment: Int64 = 1_000_000_000

    /// Reads the previous process's record, creates a new one, and starts the watchdog.
    ///
    /// No other process may use the record at `path`; nil for a record in memory.
    init(_ options: ServeOptions, at path: String?, log: Log) {
        remains = path.map { FlightRecord.read($0) { BuildIdentity.current } } ?? FlightRecord.Remains()
        if let complaint = remains.complaint { log.write(.error, "flight record lost", ["cause": complaint]) }
        record = Self.begin(at: path, log)
        let limits = WatchLimits(handlerTime: options.handlerTimeout, memory: options.inputMemory)
        watchdog = record.map { record in
            Watchdog(record, limits: limits) { mark in
                log.write("handler beyond its limit", mark)
                // Flushes the log, because the process ends immediately afterwards.
                log.flush(within: .seconds(1))
            }
        }
        if let watchdog, !watchdog.start() {
            log.write(.error, "no watchdog", ["cause": "the system has no thread left"])
        }
    }

    /// Returns a record in the file, or in memory if the file cannot be created.
    private static func begin(at path: String?, _ log: Log) -> FlightRecord? {
        do throws(FlightRecordError) {
            if let path { return try FlightRecord(at: path) }
        } catch {
            log.write(.error, "flight record in memory", ["cause": "\(error)"])
        }
        return try? FlightRecord()
    }

    /// Starts the time limit for stopping, after which the watchdog ends the process.
    func expectEnd() {
        watchdog?.expectEnd(within: Self.stoppingTime)
    }

    /// Closes the record after the server has stopped, and after a moment for running handlers, because an effect's
    /// result may have arrived just before the stop.
    ///
    /// - Returns: The exit status: 0, or another value if a handler still runs; the handler's mark then stays in the
    ///   record.
    func close() -> Int32 {
        watchdog?.stop()
        guard let record else { return 0 }
        let end = MonotonicClock.now + Self.lastMoment
        while record.isInFlight, MonotonicClock.now < end { SystemThread.pause(nanoseconds: 1_000_000) }
        let status = record.isInFlight ? Watchdog.notStopped : 0
        record.close()
        return status
    }
}

extension Log {
    /// Logs a mark without private data.
    fileprivate func write(_ message: String, _ mark: FlightMark) {
        let session = SessionID(JournalKey(high: mark.session.high, low: mark.session.low))
        write(
            .error, message,
            [
                "session": "\(session)", "app": mark.app, "kind": "\(mark.kind)", "revision": "\(mark.revision)",
                // The next start adds the name of the function, because finding the name would take too long here.
                "cause": mark.note.map { "\($0)" } ?? "",
            ])
    }
}
