import CPostgres
import Glibc
import UsherProcess

/// A statement with a name, which each connection prepares when it is first used there.
struct PostgresStatement: Sendable {
    let name: String
    let sql: String
}

/// A connection to the database, used by one thread at a time; no wait on it is without an end.
///
/// After a failure that is not the database's plain answer to a statement it is of no use any more.
@safe
final class PostgresConnection {
    private let handle: OpaquePointer
    private var prepared: Set<String> = []
    /// Set once the database has warned that the last commit may not be replicated.
    fileprivate var isUnreplicated = false
    /// True once it is of no use any more.
    private(set) var isBroken = false

    /// Connects; the client library goes through all hosts of the location.
    ///
    /// - Parameter location: The database.
    /// - Throws: `PostgresFailure`.
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
        // Behind the last there is a null pointer.
        return unsafe PQconnectdbParams(
            keywords.map { unsafe UnsafePointer($0) } + [nil], values.map { unsafe UnsafePointer($0) } + [nil], 1)
    }

    /// Reads what the database has said by itself, above all that it has closed the connection while nothing was asked.
    ///
    /// A statement that is sent over such a connection has no answer, and nobody knows what became of it.
    func noticeEnd() {
        // The reason for the end comes first, and a reading takes no more than what is there.
        for _ in 0..<Self.lastWords where !isBroken {
            guard unsafe Descriptor.wait(for: PQsocket(handle), orToWrite: false, until: MonotonicClock.now) else {
                return
            }
            isBroken = unsafe PQconsumeInput(handle) != 1 || PQstatus(handle) != CONNECTION_OK
        }
    }

    /// The readings in which an end is looked for.
    private static let lastWords = 4

    /// The number of the process that serves it, as the client library knows it.
    var process: Int32 { unsafe PQbackendPID(handle) }

    /// The host that it is connected to.
    var host: DatabaseHosts.Host {
        let (name, port) = unsafe (PQhost(handle), PQport(handle))
        return DatabaseHosts.Host(
            name: unsafe name.map { unsafe String(cString: $0) } ?? "",
            port: unsafe port.map { unsafe String(cString: $0) } ?? "")
    }

    /// The version of the database's server, such as 150018.
    var version: Int { unsafe Int(PQserverVersion(handle)) }

    // MARK: Statements

    /// Runs a statement without parameters; several may stand in one text, and are one transaction.
    ///
    /// - Parameter deadline: By the `MonotonicClock`.
    /// - Throws: `PostgresFailure`.
    @discardableResult
    func execute(_ sql: String, by deadline: Int64) throws(PostgresFailure) -> ResultRows {
        try begin()
        return try finish(unsafe PQsendQuery(handle, sql), by: deadline)
    }

    /// The value of an expression, as text.
    ///
    /// - Parameter deadline: By the `MonotonicClock`.
    /// - Throws: `PostgresFailure`.
    func text(_ expression: String, by deadline: Int64) throws(PostgresFailure) -> String {
        let rows = try execute("SELECT (\(expression))::text", by: deadline)
        return rows.count > 0 ? rows.text(0, 0) : ""
    }

    /// Runs a statement that is one transaction.
    ///
    /// - Parameters:
    ///   - statement: The statement; it is prepared when it is first used.
    ///   - parameters: All its parameters.
    ///   - deadline: By the `MonotonicClock`; what has no answer by then is `unanswered`.
    /// - Throws: `PostgresFailure`, also where it has happened, and its wait for the standby was cancelled.
    @discardableResult
    func run(
        _ statement: PostgresStatement, _ parameters: Parameters, by deadline: Int64
    ) throws(PostgresFailure) -> ResultRows {
        if !prepared.contains(statement.name) {
            try begin()
            do throws(PostgresFailure) {
                try finish(unsafe PQsendPrepare(handle, statement.name, statement.sql, 0, nil), by: deadline)
            } catch {
                // Nothing of the statement itself was sent.
                throw error.kind == .unanswered ? PostgresFailure(.unconnected, error.message) : error
            }
            prepared.insert(statement.name)
        }
        try begin()
        let rows = try finish(send(statement, parameters), by: deadline)
        guard !isUnreplicated else {
            throw PostgresFailure(state: "01000", message: "it has made a commit that it has not replicated")
        }
        return rows
    }

    /// Waits for notifications of what was listened to.
    ///
    /// - Parameters:
    ///   - other: A descriptor that ends the wait when it can be read from.
    ///   - deadline: By the `MonotonicClock`.
    /// - Returns: Their texts; none after the time.
    /// - Throws: `PostgresFailure`.
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

    private func send(_ statement: PostgresStatement, _ parameters: Parameters) -> Int32 {
        let count = parameters.places.count
        let lengths = parameters.places.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: count)
        return unsafe parameters.buffer.withUnsafeBytes { buffer in
            // A parameter without bytes needs a pointer too: a null pointer is NULL.
            let base = unsafe buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
            let values = unsafe parameters.places.map { place in
                unsafe place.flatMap { unsafe base?.advanced(by: $0.lowerBound).assumingMemoryBound(to: CChar.self) }
            }
            return unsafe PQsendQueryPrepared(handle, statement.name, Int32(count), values, lengths, formats, 1)
        }
    }

    /// Waits for the answer to what was sent.
    ///
    /// - Parameter isSent: The client library's answer to the sending: 0 for a failure.
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
            // The server's process has ended, too, and nobody knows what it had done by then.
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
                    throw lose("it takes nothing more")
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

    /// Gives the connection up; what was sent last may have happened.
    private func lose(_ reason: String? = nil) -> PostgresFailure {
        isBroken = true
        return PostgresFailure(.unanswered, reason ?? words)
    }

    /// The client library's words for the last failure, on one line.
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

/// Notes on a connection that the database has warned of a commit which is not replicated.
private func noteWarning(context: UnsafeMutableRawPointer?, result: OpaquePointer?) {
    guard let context = unsafe context else { return }
    let state = unsafe PostgresConnection.field(usher_failure_state, of: result)
    let function = unsafe PostgresConnection.field(usher_failure_function, of: result)
    guard PostgresFailure.isUnreplicated(warning: state, from: function) else { return }
    unsafe Unmanaged<PostgresConnection>.fromOpaque(context).takeUnretainedValue().isUnreplicated = true
}
