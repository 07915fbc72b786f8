/// An input that crashed a process, and that the same build refuses from then on.
///
/// A client's input is identified by its session, the revision before the input, and the input's bytes, whatever its
/// idempotency key is. A timer or a result is identified by the id of the timer or effect. A creation, which has no
/// session yet, is identified by its app and its bytes.
package struct GuiltyInput: Equatable, Sendable {
    /// The kinds of code that can crash a process.
    package enum Kind: UInt8, CaseIterable, Sendable {
        /// A user's action, a link, or a backend's message.
        case input = 1
        case timer = 2
        case result = 3
        case creation = 4
        /// The replay of a session. `revision` is the revision of the entry that cannot be replayed.
        case replay = 5
        /// The work of an effect. Each crash while the effect was running adds one guilty input.
        case effect = 6
    }

    /// The properties that identify an input.
    package struct Identity: Hashable, Sendable {
        /// The session; nil for a creation.
        package let session: JournalKey?
        package let kind: Kind
        /// The revision before the input; 0 for a creation.
        package let revision: Int
        /// The first eight bytes of the SHA-256 of the input's bytes, or of the id of a timer, result or effect; 0 for
        /// a replay.
        ///
        /// Only the digest identifies a creation, so it must be hard to find another creation with the same digest.
        package let digest: UInt64

        /// Creates the identity of an input from the bytes that `digest` describes; the bytes are empty for a replay.
        package init(_ kind: Kind, of session: JournalKey?, upon revision: Int, _ bytes: [UInt8]) {
            self.init(kind, of: session, upon: revision, digest: bytes.isEmpty ? 0 : SHA256.prefix(of: bytes))
        }

        /// The identity with revision 0, which is the same for equal inputs at any revision.
        package var atAnyRevision: Identity { Identity(kind, of: session, upon: 0, digest: digest) }

        fileprivate init(_ kind: Kind, of session: JournalKey?, upon revision: Int, digest: UInt64) {
            self.kind = kind
            self.session = session
            self.revision = revision
            self.digest = digest
        }
    }

    /// The part of an app whose code handles an input.
    package struct Site: Hashable, Sendable {
        package let app: String
        /// The name of the visible screen; empty if no screen was visible, or if the screen does not handle the input.
        package let screen: String
        /// The input in words: for example, `event pay`, `back`, `timer`, `result`, `link`, `creation` or `replay`.
        package let event: String

        package init(app: String, screen: String, event: String) {
            self.app = app
            self.screen = screen
            self.event = event
        }
    }

    package enum Selection: Sendable {
        /// The input with an identity, of any build.
        case only(Identity)
        /// The inputs of other builds that are older than a time in milliseconds since 1970.
        case ofBuilds(otherThan: UInt64, before: Int64)

        /// Returns a Boolean value that indicates whether an input is selected.
        package func contains(_ input: GuiltyInput) -> Bool {
            switch self {
            case .only(let identity): input.identity == identity
            case .ofBuilds(let build, let time): input.build != build && input.time < time
            }
        }
    }

    /// The version of a journal's list of guilty inputs: the newest input's number, never reused, and the number of
    /// inputs.
    package struct ListVersion: Equatable, Sendable {
        private let newest: Int64
        private let count: Int

        package init(newest: Int64, count: Int) {
            self.newest = newest
            self.count = count
        }
    }

    package let identity: Identity
    package let site: Site
    /// The build that crashed; other builds try the input again.
    package let build: UInt64
    /// The time when the input was recorded, in milliseconds since 1970.
    package let time: Int64
    /// The crash: for example, `SIGILL in Shop.pay()`.
    package let crash: String

    /// The maximum number of inputs in a journal; if an older input is removed, the worst consequence is another crash.
    package static let limit = 4096

    package init(_ identity: Identity, at site: Site, build: UInt64, time: Int64, crash: String) {
        self.identity = identity
        self.site = site
        self.build = build
        self.time = time
        self.crash = crash
    }

    /// Returns the key for the checksum: the session's key, or zeros for a creation.
    private static func seal(_ session: JournalKey?) -> JournalKey { session ?? JournalKey(high: 0, low: 0) }
}

extension GuiltyInput {
    /// The input as a row's bytes, without its session, which is stored separately.
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

    /// Parses an input from the value of `bytes`.
    ///
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

/// The newest guilty inputs in the order of their arrival, in memory.
package struct GuiltyInputList: Sendable {
    /// The inputs, the oldest first.
    package private(set) var inputs: [GuiltyInput] = []

    package init() {}

    /// Adds an input; if the limit is exceeded, removes the oldest input.
    package mutating func add(_ input: GuiltyInput) {
        if inputs.count == GuiltyInput.limit { inputs.removeFirst() }
        inputs.append(input)
    }

    package mutating func removeAll(where condition: (GuiltyInput) -> Bool) {
        inputs.removeAll(where: condition)
    }
}
