import Usher
import UsherJournal
import UsherProcess
import UsherSessions

/// The flight record of a server and its watchdog: what was in flight when the process before died, and what is now.
struct FlightControl: Sendable {
    /// The record in which author's code is marked; nil where there is no memory for it.
    let record: FlightRecord?
    /// The marks that stood when the process before died.
    let remains: FlightRecord.Remains
    private let watchdog: Watchdog?

    /// Beyond the daemon's own time of grace; then a handler holds its thread.
    private static let stoppingTime = Duration.seconds(20)
    /// In nanoseconds, how long is waited for what runs when the server has stopped.
    private static let lastMoment: Int64 = 1_000_000_000

    /// Reads what the process before has left, begins a record of this one's, and starts the watchdog.
    ///
    /// - Parameters:
    ///   - options: The watchdog's limits.
    ///   - path: The file of the record, which no other process has; nil for one in memory.
    ///   - log: Takes what was in flight, and what is beyond a limit.
    init(_ options: ServeOptions, at path: String?, log: Log) {
        remains = path.map { FlightRecord.read($0) { BuildIdentity.current } } ?? FlightRecord.Remains()
        if let complaint = remains.complaint { log.write(.error, "flight record lost", ["cause": complaint]) }
        record = Self.begin(at: path, log)
        let limits = WatchLimits(handlerTime: options.handlerTimeout, memory: options.inputMemory)
        watchdog = record.map { record in
            Watchdog(record, limits: limits) { mark in
                log.write("handler beyond its limit", mark)
                // The process ends at once.
                log.flush(within: .seconds(1))
            }
        }
        if let watchdog, !watchdog.start() {
            log.write(.error, "no watchdog", ["cause": "the system has no thread left"])
        }
    }

    /// A record in the file, or in memory where none can be made.
    private static func begin(at path: String?, _ log: Log) -> FlightRecord? {
        do throws(FlightRecordError) {
            if let path { return try FlightRecord(at: path) }
        } catch {
            log.write(.error, "flight record in memory", ["cause": "\(error)"])
        }
        return try? FlightRecord()
    }

    /// The server stops from now on; where a handler holds that up for too long, the watchdog ends the process.
    func expectEnd() {
        watchdog?.expectEnd(within: Self.stoppingTime)
    }

    /// The server has stopped.
    ///
    /// Results of effects still come in, whose handlers nobody has waited for: what runs gets a moment.
    ///
    /// - Returns: The exit status: 0, or another where a handler has not come to its end, whose mark stays.
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
    /// Tells what was or is in flight, without what may be private.
    fileprivate func write(_ message: String, _ mark: FlightMark) {
        let session = SessionID(JournalKey(high: mark.session.high, low: mark.session.low))
        write(
            .error, message,
            [
                "session": "\(session)", "app": mark.app, "kind": "\(mark.kind)", "revision": "\(mark.revision)",
                // The next start names the function: to find it takes too long here.
                "cause": mark.note.map { "\($0)" } ?? "",
            ])
    }
}
