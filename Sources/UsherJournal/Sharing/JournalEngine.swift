/// A kind of database that a server can have its journal in, and share it with other servers.
///
/// A server program lists those that it is built with:
///
/// ```swift
/// static var journals: [JournalEngine] { [.postgres] }
/// ```
public struct JournalEngine: Sendable {
    /// The engine's name, for people.
    package let name: String
    /// The schemes of its connection URIs, such as `postgres`.
    package let schemes: [String]
    private let locate: @Sendable (String) throws -> any JournalDatabase

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - name: Its name, for people.
    ///   - schemes: The schemes of its connection URIs.
    ///   - locate: Reads a connection URI; throws for one that is none.
    package init(
        name: String, schemes: [String], locate: @escaping @Sendable (String) throws -> any JournalDatabase
    ) {
        self.name = name
        self.schemes = schemes
        self.locate = locate
    }

    /// The database of a connection URI.
    ///
    /// - Parameter uri: Such as `postgres://usher_app@db1,db2/usher?sslmode=verify-full`.
    /// - Throws: Why it is none, in one sentence.
    package func database(at uri: String) throws -> any JournalDatabase { try locate(uri) }
}

/// A database for a journal; its description shows hosts and name, and no secret.
package protocol JournalDatabase: Sendable, CustomStringConvertible {
    /// Opens the journal to serve sessions, as one of the servers on it.
    ///
    /// - Throws: Why that cannot be, in one sentence; a `PassingFailure` where it may be later.
    func open(as server: SharingServer) throws -> any Journal

    /// Opens the journal as it is at one moment, to look at it while servers run; nothing is changed.
    ///
    /// - Parameter keyFile: The file with the keys by which contents are sealed; nil where they are not.
    /// - Throws: Why that cannot be, in one sentence.
    func inspect(keyFile: String?) throws -> any Journal

    /// Makes the journal's tables, as their owner.
    ///
    /// - Returns: What was done, in one sentence.
    /// - Throws: Why that cannot be, in one sentence.
    func migrate() throws -> String
}

/// A server that is about to share a journal.
package struct SharingServer: Sendable {
    /// Its name among the servers, the same after a restart.
    package let name: String
    /// The number of the supervisor whose worker it is, by which a restart takes the name over at once; nil without one.
    package let lineage: UInt64?
    /// Its build.
    package let build: String
    /// The crashes that an acknowledged change outlives.
    package let durability: Durability
    /// The connections that commit.
    package let connections: Int
    /// The file with the keys by which contents are sealed; nil where they are not.
    package let keyFile: String?

    /// Makes a server's description.
    ///
    /// - Parameters:
    ///   - name: Its name among the servers.
    ///   - lineage: The number of the supervisor whose worker it is; nil without one.
    ///   - build: Its build.
    ///   - durability: The crashes that an acknowledged change outlives.
    ///   - connections: The connections that commit.
    ///   - keyFile: The file with the keys by which contents are sealed; nil where they are not.
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

/// A reason why a journal cannot be opened that may pass by itself: another process still has it, or a database is away.
package protocol PassingFailure: Error {
    /// True where waiting may help.
    var mayPass: Bool { get }
}
