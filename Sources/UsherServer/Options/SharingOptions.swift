package import UsherJournal
import UsherProcess

/// The options of a server whose journal is in a database, which it may share with others.
package struct SharingOptions: Sendable {
    /// The sealing of what is written into the database.
    enum Sealing: Equatable, Sendable {
        /// By the keys in a file.
        case file(String)
        /// Contents are written as they are.
        case none

        /// Reads the value of `--journal-key`.
        init(_ text: String) { self = text == "none" ? .none : .file(text) }

        /// The file with the keys; nil where nothing is sealed.
        var keyFile: String? {
            if case .file(let path) = self { path } else { nil }
        }
    }

    /// The connections that commit.
    fileprivate(set) var connections = 4
    /// The server's name among those on the journal; its host's name and its port where nil.
    fileprivate(set) var node: String?
    /// The sealing; nil until somebody has decided.
    fileprivate(set) var sealing: Sealing?
    /// The folder of this server's own state; one by its name where nil.
    fileprivate(set) var stateFolder: String?
}

extension ServeOptions {
    static let sharing = [
        Option(
            "journal-connections", "N", "the connections that commit to the database (default: 4)",
            sets: \.shared.connections, Option.number(in: 1...64)),
        Option(
            "journal-key", "FILE|none",
            "the file with the keys that encrypt what is written into the database; required, and none only if no "
                + "app has secrets",
            sets: \.shared.sealing
        ) { value, _ in SharingOptions.Sealing(value) },
        Option(
            "node", "NAME", "this server's name among the servers on the database (default: host name and port)",
            sets: \.shared.node
        ) { value, name throws(UsageError) in
            guard !value.isEmpty, value.utf8.count <= 64, value.utf8.allSatisfy(SharingOptions.isPlain), value != ".",
                value != ".."
            else {
                throw UsageError("--\(name) takes up to 64 letters, digits, dots, colons, hyphens and underscores")
            }
            return value
        },
        Option(
            "state", "DIR", "the folder of this server's own state (default: a folder below ~/.local/state/usher)",
            sets: \.shared.stateFolder, Option.path("the path of a folder")),
    ]

    private static let names: Set<String> = ["journal-connections", "journal-key", "node", "state"]

    /// Sees to it that a shared journal has what it needs, and that nothing is said in vain.
    ///
    /// - Parameter named: The options that were given.
    /// - Throws: `UsageError`.
    func checkSharing(_ named: Set<String>) throws(UsageError) {
        guard journal.isShared else {
            if let name = named.intersection(Self.names).min() {
                throw UsageError("--\(name) is for a journal in a database, and this one is \(journal)")
            }
            return
        }
        guard shared.sealing != nil else {
            throw UsageError(
                "name the file with the keys that seal what is written into the database, with --journal-key FILE; or write "
                    + "--journal-key none where no app has secrets")
        }
    }

    /// This server as the journal gets to know it.
    ///
    /// - Parameter lineage: The number of its supervisor; nil without one.
    package func server(lineage: UInt64?) -> SharingServer {
        SharingServer(
            nodeName, lineage: lineage, build: BuildIdentity.text, durability: durability,
            connections: shared.connections, keyFile: shared.sealing?.keyFile)
    }

    private var nodeName: String { shared.node ?? "\(ProcessEnvironment.hostName):\(port)" }

    /// The folder of this server's own state; nil for a journal in memory.
    ///
    /// - Parameter environment: Looks a variable up.
    /// - Throws: `UsageError` for a user without a home.
    package func stateFolder(
        environment: (String) -> String? = ProcessEnvironment.variable
    ) throws(UsageError) -> StateFolder? {
        switch journal {
        case .memory: return nil
        case .file(let path), .standard(let path): return StateFolder(besideJournal: path)
        case .database:
            if let folder = shared.stateFolder { return StateFolder(folder) }
            guard let folder = StateFolder.standard(environment) else {
                throw UsageError("there is no HOME for this server's state; name a folder with --state DIR")
            }
            return StateFolder("\(folder)/nodes/\(nodeName)")
        }
    }
}

extension SharingOptions {
    fileprivate static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
