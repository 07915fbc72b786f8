import CPostgres
import Glibc
import UsherProcess

/// A connection to the database, which only one thread at a time may use.
///
/// Each wait has a time limit, by the `MonotonicClock`. After a failure, the connection is unusable, except if the
/// failure is the database's ordinary response to a statement.
@safe
final class PostgresConnection {
    private let handle: OpaquePointer
    /// The names of the prepared statements, by their SQL.
    private var prepared: [String: String] = [:]
    /// A Boolean value that indicates whether the database has warned that the last commit may not be replicated.
    fileprivate var isUnreplicated = false
    private(set) var isBroken = false

    init(to location: PostgresLocation) throws(PostgresFailure) {
        guard let handle = unsafe Self.connect(location) else {
            throw PostgresFailure(.unconnected, "there is no memory for a connection")
        }
        unsafe self.handle = handle
        guard unsafe PQstatus(handle) == CONNECTION_OK, unsafe PQsetnonblocking(handle, 1) == 0 else {
            isBroken = true
            throw PostgresFailure(.unconnected, words)
        }
        unsafe PQsetNoticeReceiver(handle, noteWarning, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { unsafe PQfinish(handle) }

    private static func connect(_ location: PostgresLocation) -> OpaquePointer? {
        let options = location.connectionOptions
        let keywords = unsafe options.map { unsafe strdup($0.keyword) }
        let values = unsafe options.map { unsafe strdup($0.value) }
        defer { unsafe (keywords + values).forEach { unsafe free($0) } }
        // A null pointer ends the lists.
        return unsafe PQconnectdbParams(
            keywords.map { unsafe UnsafePointer($0) } + [nil], values.map { unsafe UnsafePointer($0) } + [nil], 1)
    }

    /// Reads messages that the database sent without a request, most importantly the end of the connection.
    ///
    /// Call this function before sending a statement: if a statement is sent over a closed connection, its outcome is
    /// unknown.
    func noticeEnd() {
        // Reads several times, because a message with the reason precedes the end, and each read returns only the bytes
        // that have arrived.
        for _ in 0..<Self.lastWords where !isBroken {
            guard unsafe Descriptor.wait(for: PQsocket(handle), orToWrite: false, until: MonotonicClock.now) else {
                return
            }
            isBroken = unsafe PQconsumeInput(handle) != 1 || PQstatus(handle) != CONNECTION_OK
        }
    }

    /// The maximum number of reads that look for the connection's end.
    private static let lastWords = 4

    /// The identifier of the database's process for this connection, as libpq reports it.
    var process: Int32 { unsafe PQbackendPID(handle) }

    var host: DatabaseHosts.Host {
        let (name, port) = unsafe (PQhost(handle), PQport(handle))
        return DatabaseHosts.Host(
            name: unsafe name.map { unsafe String(cString: $0) } ?? "",
            port: unsafe port.map { unsafe String(cString: $0) } ?? "")
    }

    /// The version of the database server: for example, 150018.
    var version: Int { unsafe Int(PQserverVersion(handle)) }

    // MARK: Statements

    /// Runs SQL without parameters, as one transaction even if the text contains several statements.
    ///
    /// - Parameter deadline: The time limit, by the `MonotonicClock`.
    @discardableResult
    func execute(_ sql: String, by deadline: Int64) throws(PostgresFailure) -> ResultRows {
        try begin()
        return try finish(unsafe PQsendQuery(handle, sql), by: deadline)
    }

    /// Returns the value of an expression as text.
    func text(_ expression: String, by deadline: Int64) throws(PostgresFailure) -> String {
        let rows = try execute("SELECT (\(expression))::text", by: deadline)
        return rows.count > 0 ? rows.text(0, 0) : ""
    }

    /// Runs a statement as one transaction.
    ///
    /// - Parameters:
    ///   - statement: The statement's SQL, which is prepared on first use.
    ///   - parameters: All parameters.
    ///   - deadline: The time limit, by the `MonotonicClock`. If there is no response by this time, the failure is
    ///     `unanswered`.
    /// - Throws: `PostgresFailure`, even if the statement took effect, but the wait for the standby was canceled.
    @discardableResult
    func run(
        _ statement: String, _ parameters: [Parameter] = [], by deadline: Int64
    ) throws(PostgresFailure) -> ResultRows {
        let name = try prepare(statement, by: deadline)
        try begin()
        let rows = try finish(send(name, parameters), by: deadline)
        guard !isUnreplicated else {
            throw PostgresFailure(state: "01000", message: "it is unknown whether a commit has reached the standby")
        }
        return rows
    }

    /// Prepares a statement on first use, and returns its name on this connection.
    private func prepare(_ statement: String, by deadline: Int64) throws(PostgresFailure) -> String {
        if let name = prepared[statement] { return name }
        let name = "s\(prepared.count)"
        try begin()
        do throws(PostgresFailure) {
            try finish(unsafe PQsendPrepare(handle, name, statement, 0, nil), by: deadline)
        } catch {
            // Only the preparation was sent, not the statement itself.
            throw error.kind == .unanswered ? PostgresFailure(.unconnected, error.message) : error
        }
        prepared[statement] = name
        return name
    }

    /// Waits for notifications on the channels of `LISTEN`.
    ///
    /// - Parameters:
    ///   - other: A descriptor that ends the wait when it becomes readable.
    ///   - deadline: The end of the wait, by the `MonotonicClock`.
    /// - Returns: The notifications' texts; empty after the deadline.
    func notifications(or other: Int32, by deadline: Int64) throws(PostgresFailure) -> [String] {
        try begin()
        let texts = takeNotifications()
        guard texts.isEmpty else { return texts }
        _ = unsafe Descriptor.wait(for: [PQsocket(handle), other], until: deadline)
        guard unsafe PQconsumeInput(handle) == 1 else { throw lose() }
        return takeNotifications()
    }

    private func takeNotifications() -> [String] {
        var texts: [String] = []
        while let notification = unsafe PQnotifies(handle) {
            if let text = unsafe notification.pointee.extra { unsafe texts.append(String(cString: text)) }
            unsafe PQfreemem(notification)
        }
        return texts
    }

    private func begin() throws(PostgresFailure) {
        guard !isBroken, unsafe PQstatus(handle) == CONNECTION_OK else {
            isBroken = true
            throw PostgresFailure(.unconnected, "the connection was lost")
        }
        isUnreplicated = false
    }

    private func send(_ name: String, _ parameters: [Parameter]) -> Int32 {
        let lengths = parameters.map { Int32($0.bytes?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: parameters.count)
        let buffer = Array(parameters.compactMap(\.bytes).joined())
        return unsafe buffer.withUnsafeBytes { buffer in
            // Uses a pointer that is not null even if the buffer is empty, because a null pointer would mean NULL.
            var next = unsafe buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
            let values = unsafe parameters.map { parameter -> UnsafePointer<CChar>? in
                guard let bytes = parameter.bytes else { return nil }
                defer { unsafe next = next?.advanced(by: bytes.count) }
                return unsafe next?.assumingMemoryBound(to: CChar.self)
            }
            return unsafe PQsendQueryPrepared(handle, name, Int32(parameters.count), values, lengths, formats, 1)
        }
    }

    /// Waits for the response to a statement; `isSent` is the result of libpq's send function, 0 for a failure.
    @discardableResult
    private func finish(_ isSent: Int32, by deadline: Int64) throws(PostgresFailure) -> ResultRows {
        guard isSent == 1 else { throw lose() }
        try flush(by: deadline)
        var rows: ResultRows?
        var failure: PostgresFailure?
        while let result = unsafe try nextResult(by: deadline) {
            switch unsafe PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: unsafe rows = ResultRows(taking: result)
            default:
                unsafe failure = failure ?? Self.failure(of: result)
                unsafe PQclear(result)
            }
        }
        if let failure {
            // The database's process for this connection has ended, too, so the outcome is unknown.
            guard unsafe PQstatus(handle) == CONNECTION_OK else { throw lose(failure.message) }
            if failure.kind == .unanswered { isBroken = true }
            throw failure
        }
        guard let rows else { throw lose() }
        return rows
    }

    private func flush(by deadline: Int64) throws(PostgresFailure) {
        while true {
            switch unsafe PQflush(handle) {
            case 0: return
            case 1:
                guard unsafe Descriptor.wait(for: PQsocket(handle), orToWrite: true, until: deadline) else {
                    throw lose("it accepts no more data")
                }
                guard unsafe PQconsumeInput(handle) == 1 else { throw lose() }
            default: throw lose()
            }
        }
    }

    private func nextResult(by deadline: Int64) throws(PostgresFailure) -> OpaquePointer? {
        while unsafe PQisBusy(handle) == 1 {
            guard unsafe Descriptor.wait(for: PQsocket(handle), orToWrite: false, until: deadline) else {
                throw lose("it has not answered in time")
            }
            guard unsafe PQconsumeInput(handle) == 1 else { throw lose() }
        }
        return unsafe PQgetResult(handle)
    }

    /// Marks the connection as unusable, and returns the failure; the last statement may have taken effect.
    private func lose(_ reason: String? = nil) -> PostgresFailure {
        isBroken = true
        return PostgresFailure(.unanswered, reason ?? words)
    }

    /// Libpq's message about the last failure, as one line.
    private var words: String {
        guard let words = unsafe PQerrorMessage(handle) else { return "" }
        return unsafe Self.line(String(cString: words))
    }

    private static func failure(of result: OpaquePointer) -> PostgresFailure {
        unsafe PostgresFailure(
            state: field(usher_failure_state, of: result),
            message: line(field(usher_failure_words, of: result)))
    }

    fileprivate static func field(_ field: Int32, of result: OpaquePointer?) -> String {
        guard let text = unsafe PQresultErrorField(result, field) else { return "" }
        return unsafe String(cString: text)
    }

    private static func line(_ text: String) -> String {
        text.split { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }.joined(separator: "; ")
    }
}

/// Marks a connection if the database warns that a commit is not replicated.
private func noteWarning(context: UnsafeMutableRawPointer?, result: OpaquePointer?) {
    guard let context = unsafe context else { return }
    let state = unsafe PostgresConnection.field(usher_failure_state, of: result)
    let function = unsafe PostgresConnection.field(usher_failure_function, of: result)
    guard PostgresFailure.isUnreplicated(warning: state, from: function) else { return }
    unsafe Unmanaged<PostgresConnection>.fromOpaque(context).takeUnretainedValue().isUnreplicated = true
}
