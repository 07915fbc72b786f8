/// An input that ended the process when it was handled, and again in a trial: the build that it did so in refuses it.
///
/// A client's input is known again by its session, the revision that it comes upon and its bytes, whatever its
/// idempotency key; a timer or a result by its id; a creation, which has no session yet, by its app and its bytes.
package struct GuiltyInput: Equatable, Sendable {
    /// The kinds of what ends a process.
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
    }

    /// The features by which an input is known again.
    package struct Identity: Hashable, Sendable {
        /// Its session; nil for a creation.
        package let session: JournalKey?
        /// The kind of input.
        package let kind: Kind
        /// The revision that it comes upon; 0 for a creation.
        package let revision: Int
        /// A digest of its bytes, or of a timer's or a result's id; 0 for a replay.
        package let digest: UInt64

        /// Makes an identity.
        ///
        /// - Parameters:
        ///   - kind: The kind of input.
        ///   - session: Its session; nil for a creation.
        ///   - revision: The revision that it comes upon.
        ///   - digest: A digest of its bytes, or of a timer's or a result's id.
        package init(_ kind: Kind, of session: JournalKey?, upon revision: Int, digest: UInt64) {
            self.kind = kind
            self.session = session
            self.revision = revision
            self.digest = digest
        }
    }

    /// The place in an app at which inputs are handled by the same code.
    package struct Place: Hashable, Sendable {
        /// The app's name.
        package let app: String
        /// The name of the visible screen; empty where none was, and where it does not matter.
        package let screen: String
        /// The input in words, such as `event pay`, `back`, `timer`, `result`, `open`, `creation` or `replay`.
        package let event: String

        /// Makes a place.
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

    /// The features by which it is known again.
    package let identity: Identity
    /// The place in its app.
    package let place: Place
    /// The build that it ended the process of: a new one tries it again.
    package let build: UInt64
    /// The time of the trial: milliseconds since 1970.
    package let time: Int64
    /// The crash, such as `SIGILL in Shop.pay()`.
    package let crash: String

    /// The number of them that a journal holds, the newest: without the others no more is lost than another trial.
    package static let limit = 4096

    /// Makes one.
    ///
    /// - Parameters:
    ///   - identity: The features by which it is known again.
    ///   - place: The place in its app.
    ///   - build: The build that it ended the process of.
    ///   - time: The time of the trial: milliseconds since 1970.
    ///   - crash: The crash.
    package init(_ identity: Identity, at place: Place, build: UInt64, time: Int64, crash: String) {
        self.identity = identity
        self.place = place
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
        writer.text(place.app)
        writer.text(place.screen)
        writer.text(place.event)
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
        let place = Place(app: try reader.text(), screen: try reader.text(), event: try reader.text())
        self.init(
            Identity(kind, of: session, upon: revision, digest: digest), at: place,
            build: try reader.littleEndian(count: 8), time: try reader.time(), crash: try reader.text())
        guard reader.isAtEnd else { throw .malformed }
    }
}
