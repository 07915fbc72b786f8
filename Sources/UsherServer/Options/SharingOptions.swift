package import UsherJournal
import UsherProcess

/// The options of a server whose journal is in a database.
package struct SharingOptions: Sendable {
    /// The encryption of the database's contents.
    enum Sealing: Equatable, Sendable {
        /// Contents are encrypted with the keys in a file.
        case file(String)
        case none

        /// Parses the value of `--journal-key`.
        init(_ text: String) { self = text == "none" ? .none : .file(text) }

        /// The file with the keys; nil if contents are not encrypted.
        var keyFile: String? {
            if case .file(let path) = self { path } else { nil }
        }
    }

    /// The number of connections that commit.
    fileprivate(set) var connections = 4
    /// The server's name among the servers of the journal; if it is nil, the host name and port are used.
    fileprivate(set) var node: String?
    /// The encryption; nil if the option was not given.
    fileprivate(set) var sealing: Sealing?
    /// The folder for this server's own state; if it is nil, a folder with the server's name is used.
    fileprivate(set) var stateFolder: String?
}

extension ServeOptions {
    static let sharing = [
        Option(
            "journal-connections", "N", "the connections that commit to the database (default: 4)",
            sets: \.shared.connections, Option.number(in: 1...64)),
        Option(
            "journal-key", "FILE|none",
            "the file with the keys that encrypt data in the database; required; write \"none\" only if no "
                + "app has secrets",
            sets: \.shared.sealing
        ) { value, _ in SharingOptions.Sealing(value) },
        Option(
            "node", "NAME",
            "this server's name, different from those of other servers on the database (default: host name and port)",
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

    /// Checks that a shared journal has its required options, and that other journals have none of these options.
    func checkSharing(_ named: Set<String>) throws(UsageError) {
        guard journal.isShared else {
            if let name = named.intersection(Self.names).min() {
                throw UsageError("--\(name) is only for a journal in a database, but this journal is \(journal)")
            }
            return
        }
        guard shared.sealing != nil else {
            throw UsageError(
                "there is no key to encrypt data in the database; set --journal-key FILE, or, if no app has secrets, "
                    + "--journal-key none")
        }
    }

    /// Returns this server's identity among the servers of the journal; without a supervisor, `lineage` is nil.
    package func server(lineage: UInt64?) -> SharingServer {
        SharingServer(
            nodeName, lineage: lineage, build: BuildIdentity.text, durability: durability,
            connections: shared.connections, keyFile: shared.sealing?.keyFile)
    }

    private var nodeName: String { shared.node ?? "\(ProcessEnvironment.hostName):\(port)" }

    /// Returns the folder for this server's own state; nil for a journal in memory.
    ///
    /// - Throws: `UsageError` if the user has no home directory.
    package func stateFolder(
        environment: (String) -> String? = ProcessEnvironment.variable
    ) throws(UsageError) -> StateFolder? {
        switch journal {
        case .memory: return nil
        case .file(let path), .standard(let path): return StateFolder(besideJournal: path)
        case .database:
            if let folder = shared.stateFolder { return StateFolder(folder) }
            guard let folder = StateFolder.standard(environment) else {
                throw UsageError(
                    "HOME is not set, so there is no place for this server's state; name a folder with --state DIR")
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
