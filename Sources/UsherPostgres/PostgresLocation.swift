import CPostgres
import UsherJournal

/// The database of a journal: a connection URI of PostgreSQL's, without a password.
package struct PostgresLocation: Equatable, Sendable {
    /// The URI, as the client library takes it.
    private let uri: String
    /// The demand on the connection's encryption: the URI's, or that of the environment.
    private let sslMode: String
    /// The hosts, as the URI or the environment names them.
    var hosts: DatabaseHosts
    /// The hosts and the database, fit to be shown.
    private let name: String
    /// False where a server of the database will do that takes no writes.
    private(set) var takesWrites = true

    /// Reads a URI.
    ///
    /// - Parameter uri: Such as `postgres://usher_app@db1,db2/usher?sslmode=verify-full`.
    /// - Throws: `PostgresJournalError.location` for one that is none, or that has a password in it.
    package init(_ uri: String) throws(PostgresJournalError) {
        try self.init(uri, besides: Self.environment())
    }

    /// Reads a URI.
    ///
    /// - Parameters:
    ///   - uri: The URI.
    ///   - environment: The options that the client library takes where the URI does not say them, from variables as
    ///     `PGHOST` and from a service's file: they are looked at as if the URI said them, and are the same for each connection.
    init(_ uri: String, besides environment: [String: String]) throws(PostgresJournalError) {
        guard Self.schemes.contains(where: { uri.hasPrefix("\($0)://") }) else {
            throw .location("it is no connection URI: one begins with postgres://")
        }
        var problem: UnsafeMutablePointer<CChar>?
        defer { unsafe PQfreemem(problem) }
        guard let options = unsafe PQconninfoParse(uri, &problem) else {
            // The client library's words may show a part of it, and that a password.
            throw .location("it is no connection URI, or has an option that no connection has")
        }
        defer { unsafe PQconninfoFree(options) }
        let said = unsafe Self.values(of: options)
        guard said["password"] == nil, said["sslpassword"] == nil else {
            throw .location("it has a password in it; put that into a file, and name the file with PGPASSFILE")
        }
        guard said["service"] == nil else {
            throw .location(
                "it names a service; write the service's options into it, or name the service with PGSERVICE")
        }
        let values = environment.merging(said) { $1 }
        guard let hosts = DatabaseHosts(values) else {
            throw .location("its hosts, their addresses and their ports are not equally many")
        }
        sslMode = values["sslmode"] ?? ""
        if let host = hosts.list.first(where: { !$0.isLocal }), sslMode != "verify-full" {
            let name = host.name.isEmpty ? host.address : host.name
            throw .location("\(name) is another machine, which has to prove who it is; add sslmode=verify-full")
        }
        self.uri = uri
        self.hosts = hosts
        name = "\(values["host"] ?? values["hostaddr"] ?? "")/\(values["dbname"] ?? "")"
    }

    /// Both spellings of the scheme.
    static let schemes = ["postgres", "postgresql"]

    /// The options that the client library takes where a URI does not say them.
    private static func environment() -> [String: String] {
        guard let options = unsafe PQconndefaults() else { return [:] }
        defer { unsafe PQconninfoFree(options) }
        return unsafe values(of: options)
    }

    private static func values(of options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var values: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe values[String(cString: keyword)] = String(cString: value)
            }
            unsafe option += 1
        }
        return values
    }

    /// The same database, also where only a standby of it can be reached.
    var forReading: PostgresLocation {
        var location = self
        location.takesWrites = false
        return location
    }

    /// The options of each connection; those before the URI give way to it, those behind it do not.
    var connectionOptions: [(keyword: String, value: String)] {
        let options = [
            ("fallback_application_name", "usher"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
            ("keepalives_count", "3"), ("target_session_attrs", "any"), ("dbname", uri), ("client_encoding", "UTF8"),
            ("connect_timeout", "2"), ("tcp_user_timeout", "4000"), ("sslmode", sslMode),
        ]
        return options + hosts.options + (takesWrites ? [("target_session_attrs", "read-write")] : [])
    }
}

extension PostgresLocation: CustomStringConvertible {
    /// The hosts and the database: nothing of it is a secret.
    package var description: String { "postgres://\(name)" }
}

/// The reason why a database cannot be used as a journal.
package enum PostgresJournalError: Error, Equatable, Sendable {
    /// Its location is none, or says what it must not.
    case location(String)
    /// The file of keys is none, or is not kept as keys are.
    case sealing(String)
    /// Some of its rows are sealed by keys that this process does not have; by their names.
    case sealed(String, by: [String])
    /// It cannot be connected to.
    case unreachable(String, reason: String)
    /// Another server runs there under the same name.
    case nameTaken(String, node: String)
    /// The database, its server or its role is not fit to hold a journal.
    case unfit(String, reason: String)
}

extension PostgresJournalError: CustomStringConvertible {
    /// One sentence for an operator.
    package var description: String {
        switch self {
        case .location(let reason): "--journal cannot be used: \(reason)"
        case .sealing(let reason): "--journal-key cannot be used: \(reason)"
        case .sealed(let name, let keys):
            """
            rows of the journal \(name) are sealed by the key \(keys.joined(separator: ", ")); put it into the file that \
            --journal-key names, below the key that seals
            """
        case .unreachable(let name, let reason): "the journal \(name) cannot be reached: \(reason)"
        case .nameTaken(let name, let node):
            "the journal \(name) cannot be used: another server runs there under the name \(node); give each its own with --node"
        case .unfit(let name, let reason): "the journal \(name) cannot be used: \(reason)"
        }
    }
}

extension PostgresJournalError {
    /// The error of a failure.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - location: The database.
    ///   - advice: What to do about a right that the role lacks.
    init(_ failure: PostgresFailure, at location: PostgresLocation, advice: String) {
        let lacksRight = failure.state == "42501"
        let reason = lacksRight ? "\(failure.message); \(advice)" : failure.message
        self =
            lacksRight || failure.kind == .configuration
            ? .unfit("\(location)", reason: reason) : .unreachable("\(location)", reason: reason)
    }
}
