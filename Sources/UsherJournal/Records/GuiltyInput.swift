/// An input that ended a process when it was handled: the build that it did so in refuses it.
///
/// A client's input is known again by its session, the revision that it comes upon and its bytes, whatever its
/// idempotency key; a timer or a result by its id; a creation, which has no session yet, by its app and its bytes.
package struct GuiltyInput: Equatable, Sendable {
    /// The kinds of code that ends a process.
    package enum Kind: UInt8, CaseIterable, Sendable {
        /// An action of a user, a link, or a message of a backend.
        case input = 1
        /// A timer that has come due.
        case timer = 2
        /// The result of an effect.
        case result = 3
        /// The creation of a session.
        case creation = 4
        /// The replay of a session: its revision is that of the entry which cannot be replayed.
        case replay = 5
        /// An effect's own work: one input for each crash at which it was at work.
        case effect = 6
    }

    /// The features by which an input is known again.
    package struct Identity: Hashable, Sendable {
        /// Its session; nil for a creation.
        package let session: JournalKey?
        /// The kind of input.
        package let kind: Kind
        /// The revision that it comes upon; 0 for a creation.
        package let revision: Int
        /// The first bytes of the SHA-256 of its bytes, or of a timer's or a result's id; 0 for a replay.
        ///
        /// A creation is known by this alone, and nobody must be able to make one with another's digest.
        package let digest: UInt64

        /// Makes the identity of an input.
        ///
        /// - Parameters:
        ///   - kind: The kind of input.
        ///   - session: Its session; nil for a creation.
        ///   - revision: The revision that it comes upon.
        ///   - bytes: Its bytes, or a timer's or a result's id; none for a replay.
        package init(_ kind: Kind, of session: JournalKey?, upon revision: Int, _ bytes: [UInt8]) {
            self.init(kind, of: session, upon: revision, digest: bytes.isEmpty ? 0 : SHA256.prefix(of: bytes))
        }

        /// The same input, whatever revision it comes upon.
        package var atAnyRevision: Identity { Identity(kind, of: session, upon: 0, digest: digest) }

        fileprivate init(_ kind: Kind, of session: JournalKey?, upon revision: Int, digest: UInt64) {
            self.kind = kind
            self.session = session
            self.revision = revision
            self.digest = digest
        }
    }

    /// The site in an app at which inputs are handled by the same code.
    package struct Site: Hashable, Sendable {
        /// The app's name.
        package let app: String
        /// The name of the visible screen; empty where none was, and where it does not matter.
        package let screen: String
        /// The input in words, such as `event pay`, `back`, `timer`, `result`, `link`, `creation` or `replay`.
        package let event: String

        /// Makes a site.
        ///
        /// - Parameters:
        ///   - app: The app's name.
        ///   - screen: The name of the visible screen.
        ///   - event: The input in words.
        package init(app: String, screen: String, event: String) {
            self.app = app
            self.screen = screen
            self.event = event
        }
    }

    /// Those of a journal's guilty inputs that go.
    package enum Selection: Sendable {
        /// The one with this identity, of whichever build.
        case only(Identity)
        /// Those of other builds that are older than a time: milliseconds since 1970.
        case ofBuilds(otherThan: UInt64, before: Int64)

        /// True for an input that goes.
        package func contains(_ input: GuiltyInput) -> Bool {
            switch self {
            case .only(let identity): input.identity == identity
            case .ofBuilds(let build, let time): input.build != build && input.time < time
            }
        }
    }

    /// The version of a journal's list of guilty inputs; numbers are never given again.
    package struct ListVersion: Equatable, Sendable {
        private let newest: Int64
        private let count: Int

        /// Makes a version.
        ///
        /// - Parameters:
        ///   - newest: The number of the newest input; 0 where there is none.
        ///   - count: The number of inputs.
        package init(newest: Int64, count: Int) {
            self.newest = newest
            self.count = count
        }
    }

    /// The features by which it is known again.
    package let identity: Identity
    /// The site in its app.
    package let site: Site
    /// The build that it ended the process of: a new one tries it again.
    package let build: UInt64
    /// The time when that was noted: milliseconds since 1970.
    package let time: Int64
    /// The crash, such as `SIGILL in Shop.pay()`.
    package let crash: String

    /// The number of them that a journal holds, the newest: without the others no more is lost than another crash.
    package static let limit = 4096

    /// Makes one.
    ///
    /// - Parameters:
    ///   - identity: The features by which it is known again.
    ///   - site: The site in its app.
    ///   - build: The build that it ended the process of.
    ///   - time: The time when that was noted: milliseconds since 1970.
    ///   - crash: The crash.
    package init(_ identity: Identity, at site: Site, build: UInt64, time: Int64, crash: String) {
        self.identity = identity
        self.site = site
        self.build = build
        self.time = time
        self.crash = crash
    }

    /// The key that its bytes are sealed for: its session's, or zeros for a creation.
    private static func seal(_ session: JournalKey?) -> JournalKey { session ?? JournalKey(high: 0, low: 0) }
}

extension GuiltyInput {
    /// The input as a row's bytes; its session stands beside them.
    package var bytes: [UInt8] {
        var writer = ByteWriter(reservingCapacity: 64 + crash.utf8.count)
        writer.byte(identity.kind.rawValue)
        writer.integer(identity.revision)
        writer.littleEndian(identity.digest, count: 8)
        writer.text(site.app)
        writer.text(site.screen)
        writer.text(site.event)
        writer.littleEndian(build, count: 8)
        writer.time(time)
        writer.text(crash)
        return writer.sealed(for: Self.seal(identity.session))
    }

    /// Reads an input.
    ///
    /// - Parameters:
    ///   - bytes: What `bytes` once was.
    ///   - session: The session that stands beside them.
    /// - Throws: `EntryError`.
    package init(_ bytes: [UInt8], of session: JournalKey?) throws(EntryError) {
        var reader = try ByteReader(bytes, of: Self.seal(session))
        guard let kind = Kind(rawValue: try reader.byte()) else { throw .malformed }
        let revision = try reader.integer()
        let digest = try reader.littleEndian(count: 8)
        let site = Site(app: try reader.text(), screen: try reader.text(), event: try reader.text())
        self.init(
            Identity(kind, of: session, upon: revision, digest: digest), at: site,
            build: try reader.littleEndian(count: 8), time: try reader.time(), crash: try reader.text())
        guard reader.isAtEnd else { throw .malformed }
    }
}

/// Guilty inputs in the order in which they came, the newest: the rows of a storage in memory.
package struct GuiltyInputList: Sendable {
    /// The inputs, the oldest first.
    package private(set) var inputs: [GuiltyInput] = []

    /// Makes an empty list.
    package init() {}

    /// Adds an input; beyond the limit the oldest makes room.
    package mutating func add(_ input: GuiltyInput) {
        if inputs.count == GuiltyInput.limit { inputs.removeFirst() }
        inputs.append(input)
    }

    /// Removes those for which a condition holds.
    package mutating func removeAll(where condition: (GuiltyInput) -> Bool) {
        inputs.removeAll(where: condition)
    }
}
