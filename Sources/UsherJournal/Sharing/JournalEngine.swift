/// A kind of database in which several servers can share a journal.
///
/// A server program lists its engines:
///
/// ```swift
/// static var journals: [JournalEngine] { [.postgres] }
/// ```
public struct JournalEngine: Sendable {
    /// The engine's name, for people.
    package let name: String
    /// The schemes of the engine's connection URIs, for example `postgres`.
    package let schemes: [String]
    private let locate: @Sendable (String) throws -> any JournalDatabase

    /// Creates an engine.
    ///
    /// - Parameter locate: Parses a connection URI. Throws if the URI is malformed.
    package init(
        name: String, schemes: [String], locate: @escaping @Sendable (String) throws -> any JournalDatabase
    ) {
        self.name = name
        self.schemes = schemes
        self.locate = locate
    }

    /// Returns the database of a connection URI.
    ///
    /// - Parameter uri: The URI, for example `postgres://usher_app@db1,db2/usher?sslmode=verify-full`.
    /// - Throws: An error whose description is one sentence.
    package func database(at uri: String) throws -> any JournalDatabase { try locate(uri) }
}

/// A database for a journal; its `description` contains the hosts and the database's name, but no secret.
package protocol JournalDatabase: Sendable, CustomStringConvertible {
    /// Opens the journal to serve sessions, as one of the journal's servers.
    ///
    /// - Throws: An error whose description is one sentence. The error is a `PassingFailure` if opening may succeed
    ///   later.
    func open(as server: SharingServer) throws -> any Journal

    /// Opens a snapshot of the journal for inspection, and changes nothing. Servers may be running in the meantime.
    ///
    /// - Parameter keyFile: The file with the keys that encrypt contents; nil if contents are not encrypted.
    /// - Throws: An error whose description is one sentence.
    func inspect(keyFile: String?) throws -> any Journal

    /// Creates or upgrades the journal's tables, as the tables' owner.
    ///
    /// - Returns: A sentence that says what was done.
    /// - Throws: An error whose description is one sentence.
    func migrate() throws -> String
}

/// A server that is about to share a journal.
package struct SharingServer: Sendable {
    /// The server's name, which stays the same after a restart.
    package let name: String
    /// A number that all workers of one supervisor share; nil without a supervisor.
    ///
    /// A new worker takes over the name of an earlier worker with the same number at once.
    package let lineage: UInt64?
    package let build: String
    /// The crashes that an acknowledged change survives.
    package let durability: Durability
    /// The number of connections that commit.
    package let connections: Int
    /// The file with the keys that encrypt contents; nil if contents are not encrypted.
    package let keyFile: String?

    package init(
        _ name: String, lineage: UInt64? = nil, build: String = "", durability: Durability = .sync,
        connections: Int = 4, keyFile: String? = nil
    ) {
        self.name = name
        self.lineage = lineage
        self.build = build
        self.durability = durability
        self.connections = connections
        self.keyFile = keyFile
    }
}

/// An error of opening a journal, whose cause may pass by itself: for example, another process still uses the journal.
package protocol PassingFailure: Error {
    /// A Boolean value that indicates whether waiting may help.
    var mayPass: Bool { get }
}
