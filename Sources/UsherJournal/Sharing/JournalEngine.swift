/// A kind of database that can hold a server's journal, and be shared with other servers.
///
/// A server program lists the engines that it is built with:
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
    /// - Parameters:
    ///   - name: The name, for people.
    ///   - schemes: The schemes of the connection URIs.
    ///   - locate: Parses a connection URI, or throws if it is malformed.
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

/// A database for a journal; its description has the hosts and the name, but no secret.
package protocol JournalDatabase: Sendable, CustomStringConvertible {
    /// Opens the journal to serve sessions, as one of its servers.
    ///
    /// - Throws: An error whose description is one sentence; a `PassingFailure` if opening may succeed later.
    func open(as server: SharingServer) throws -> any Journal

    /// Opens a snapshot of the journal for inspection while servers run, and changes nothing.
    ///
    /// - Parameter keyFile: The file with the keys that encrypt contents; nil if contents are not encrypted.
    /// - Throws: An error whose description is one sentence.
    func inspect(keyFile: String?) throws -> any Journal

    /// Creates or upgrades the journal's tables, as their owner.
    ///
    /// - Returns: A sentence that says what was done.
    /// - Throws: An error whose description is one sentence.
    func migrate() throws -> String
}

/// A server that is about to share a journal.
package struct SharingServer: Sendable {
    /// The server's name, which stays the same after a restart.
    package let name: String
    /// The number of the server's supervisor, with which a restart takes the name over immediately; nil without one.
    package let lineage: UInt64?
    /// The server's build.
    package let build: String
    /// The crashes that an acknowledged change survives.
    package let durability: Durability
    /// The number of connections that commit.
    package let connections: Int
    /// The file with the keys that encrypt contents; nil if contents are not encrypted.
    package let keyFile: String?

    /// Creates a server's description.
    ///
    /// - Parameters:
    ///   - name: The server's name.
    ///   - lineage: The number of the server's supervisor; nil without one.
    ///   - build: The server's build.
    ///   - durability: The crashes that an acknowledged change survives.
    ///   - connections: The number of connections that commit.
    ///   - keyFile: The file with the keys that encrypt contents; nil if contents are not encrypted.
    package init(
        _ name: String, lineage: UInt64?, build: String, durability: Durability, connections: Int, keyFile: String?
    ) {
        self.name = name
        self.lineage = lineage
        self.build = build
        self.durability = durability
        self.connections = connections
        self.keyFile = keyFile
    }
}

/// An error of opening a journal that may pass: another process still has it, or the database is unreachable.
package protocol PassingFailure: Error {
    /// A Boolean value that indicates whether waiting may help.
    var mayPass: Bool { get }
}
