import CPostgres
import UsherJournal

/// The database of a journal: a connection URI of PostgreSQL's, without a password.
package struct PostgresLocation: Equatable, Sendable {
    /// The URI, as the client library takes it.
    let uri: String
    /// The hosts and the database, fit to be shown.
    private let name: String
    /// False where a server of the database will do that takes no writes.
    private(set) var takesWrites = true
    /// The safeguards that servers on it keep.
    var safeguards = Safeguards.all

    /// Reads a URI.
    ///
    /// - Parameter uri: Such as `postgres://usher_app@db1,db2/usher?sslmode=verify-full`.
    /// - Throws: `PostgresJournalError.location` for one that is none, or that has a password in it.
    package init(_ uri: String) throws(PostgresJournalError) {
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
        let values = unsafe Self.values(of: options)
        guard values["password"] == nil else {
            throw .location("it has a password in it; put that into a file, and name the file with PGPASSFILE")
        }
        let hosts = (values["hostaddr"] ?? values["host"] ?? "").split(separator: ",").map(String.init)
        if let host = hosts.first(where: { !Self.isLocal($0) }), values["sslmode"] != "verify-full" {
            throw .location("\(host) is another machine, which has to prove who it is; add sslmode=verify-full")
        }
        self.uri = uri
        name = "\(values["host"] ?? values["hostaddr"] ?? "")/\(values["dbname"] ?? "")"
    }

    /// Both spellings of the scheme.
    static let schemes = ["postgres", "postgresql"]

    /// True for a host that is this machine: a folder with a Unix socket, or a name of the loopback.
    private static func isLocal(_ host: String) -> Bool {
        if host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1" { return true }
        return host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
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
            ("fallback_application_name", "usher"), ("connect_timeout", "2"), ("tcp_user_timeout", "4000"),
            ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
            ("target_session_attrs", "any"), ("dbname", uri), ("client_encoding", "UTF8"),
        ]
        return options + (takesWrites ? [("target_session_attrs", "read-write")] : [])
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
    /// It has no tables, or a part of them.
    case missing(String)
    /// Its tables are of another format than this build's.
    case format(String, found: Int)
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
        case .missing(let name):
            "the database \(name) has no tables for a journal; make them with usher-postgres migrate --journal …, as their owner"
        case .format(let name, let found) where found > Schema.version:
            "the journal \(name) is of format \(found), which is newer than this build; start the build that made it"
        case .format(let name, let found):
            "the journal \(name) is of format \(found); bring it up to date with usher-postgres migrate --journal …, as its owner"
        case .nameTaken(let name, let node):
            "the journal \(name) cannot be used: another server runs there under the name \(node); give each its own with --node"
        case .unfit(let name, let reason): "the journal \(name) cannot be used: \(reason)"
        }
    }
}
