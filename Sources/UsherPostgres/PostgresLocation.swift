import CPostgres
import UsherJournal

/// The database of a journal: a PostgreSQL connection URI without a password.
package struct PostgresLocation: Equatable, Sendable {
    private let uri: String
    /// The encryption that the URI or the environment requires for the connection.
    private let sslMode: String
    var hosts: DatabaseHosts
    /// The hosts and the database, without secrets.
    private let name: String
    /// `true` if connections must lead to a server that accepts writes.
    var takesWrites = true

    /// Parses a URI.
    ///
    /// - Parameter uri: The URI, for example `postgres://usher_app@db1,db2/usher?sslmode=verify-full`.
    /// - Throws: `PostgresJournalError.location` for a malformed URI, or a URI with a password.
    package init(_ uri: String) throws(PostgresJournalError) {
        try self.init(uri, besides: Self.environment())
    }

    /// Parses a URI, and checks the options of the environment in the same way as the URI's.
    ///
    /// - Parameters:
    ///   - uri: The URI.
    ///   - environment: The options that libpq reads from variables such as `PGHOST` and from a service file, if the
    ///     URI lacks these options. Every connection uses the same options.
    init(_ uri: String, besides environment: [String: String]) throws(PostgresJournalError) {
        guard Self.schemes.contains(where: { uri.hasPrefix("\($0)://") }) else {
            throw .location("it is not a connection URI; such a URI begins with postgres://")
        }
        var problem: UnsafeMutablePointer<CChar>?
        defer { unsafe PQfreemem(problem) }
        guard let options = unsafe PQconninfoParse(uri, &problem) else {
            // The message of libpq is left out, because the message may quote a part of the URI and reveal a password.
            throw .location("it is not a connection URI, or has an unknown option")
        }
        defer { unsafe PQconninfoFree(options) }
        let said = unsafe Self.values(of: options)
        guard said["password"] == nil, said["sslpassword"] == nil else {
            throw .location("it contains a password; put the password into a file, and name the file with PGPASSFILE")
        }
        guard said["service"] == nil else {
            throw .location(
                "it names a service; write the service's options instead, or name the service with PGSERVICE")
        }
        let values = environment.merging(said) { $1 }
        guard let hosts = DatabaseHosts(values) else {
            throw .location("it has different numbers of hosts, addresses and ports")
        }
        sslMode = values["sslmode"] ?? ""
        if let host = hosts.list.first(where: { !$0.isLocal }), sslMode != "verify-full" {
            let name = host.name.isEmpty ? host.address : host.name
            throw .location("\(name) is another machine, which must prove its identity; add sslmode=verify-full")
        }
        self.uri = uri
        self.hosts = hosts
        name = "\(values["host"] ?? values["hostaddr"] ?? "")/\(values["dbname"] ?? "")"
    }

    static let schemes = ["postgres", "postgresql"]

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

    /// The options of each connection: those before the URI are defaults, and those after the URI override it.
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
    package var description: String { "postgres://\(name)" }
}

/// The reason why a database cannot be used as a journal.
package enum PostgresJournalError: Error, Equatable, Sendable {
    /// The URI is malformed, or contains something that is not allowed.
    case location(String)
    /// The file of keys is malformed, or other users can read the file.
    case sealing(String)
    case unreachable(String, reason: String)
    /// Another server runs under the same name.
    case nameTaken(String, node: String)
    /// The database, its server or its role is unfit for a journal.
    case unfit(String, reason: String)
}

extension PostgresJournalError: CustomStringConvertible {
    /// A sentence for an operator.
    package var description: String {
        switch self {
        case .location(let reason): "--journal cannot be used: \(reason)"
        case .sealing(let reason): "--journal-key cannot be used: \(reason)"
        case .unreachable(let name, let reason): "the journal \(name) cannot be reached: \(reason)"
        case .nameTaken(let name, let node):
            "the journal \(name) cannot be used: another server uses the name \(node) there; give each server its own "
                + "name with --node"
        case .unfit(let name, let reason): "the journal \(name) cannot be used: \(reason)"
        }
    }
}

extension PostgresJournalError {
    /// Creates the error for a failure, with advice for the operator if the role lacks a privilege.
    init(_ failure: PostgresFailure, at location: PostgresLocation, advice: String) {
        let lacksRight = failure.state == "42501"
        let reason = lacksRight ? "\(failure.message); \(advice)" : failure.message
        self =
            lacksRight || failure.kind == .configuration
            ? .unfit("\(location)", reason: reason) : .unreachable("\(location)", reason: reason)
    }
}
