/// One accepted input of a session, with what must be the same when it is replayed.
package struct Entry: Equatable, Sendable {
    /// What an entry's payload is.
    package enum Kind: UInt8, Sendable {
        /// The session's creation: always the first.
        case creation = 1
        /// What a user did, what came of an effect or a timer, or what a backend told: the payload says which.
        case input = 2
        /// The same, with a link left waiting.
        case inputKeepingLink = 3
        /// The same, with a link that waited dropped.
        case inputDroppingLink = 4
        /// A build that could not follow all entries before: it went on from an earlier one.
        case divergence = 5
    }

    /// The next free ids of a tree.
    package struct FreeIdentifiers: Equatable, Sendable {
        /// The id that the next screen gets.
        package var screen: Int
        /// The id that the next coordinator gets.
        package var coordinator: Int

        /// Makes ids.
        ///
        /// - Parameters:
        ///   - screen: The id that the next screen gets.
        ///   - coordinator: The id that the next coordinator gets.
        package init(screen: Int, coordinator: Int) {
            self.screen = screen
            self.coordinator = coordinator
        }
    }

    /// What the payload is.
    package let kind: Kind
    /// The revision that it led to; the creation's is 1.
    package let revision: Int
    /// When it came: milliseconds since 1970.
    package let time: Int64
    /// The ids that were free before it: replay starts from these.
    package let before: FreeIdentifiers
    /// The ids that were free after it: never less than before.
    package let after: FreeIdentifiers
    /// A digest of what it led to.
    package let digest: UInt64
    /// The visible screen that it led to, such as `login 5`, for people; empty where none was.
    package let visible: String
    /// The input as JSON.
    package let payload: [UInt8]
    /// Where in the payload secrets stand: whole JSON values, in order.
    package let secrets: [Range<Int>]
    /// Whether these secrets were erased: `null` stands there.
    package let isErased: Bool

    /// Makes an entry.
    ///
    /// - Parameters:
    ///   - kind: What the payload is.
    ///   - revision: The revision that it led to.
    ///   - time: When it came: milliseconds since 1970.
    ///   - before: The ids that were free before it.
    ///   - after: The ids that were free after it.
    ///   - digest: A digest of what it led to.
    ///   - visible: The visible screen that it led to.
    ///   - payload: The input as JSON.
    ///   - secrets: Where in the payload secrets stand.
    ///   - isErased: Whether these were erased.
    package init(
        _ kind: Kind, revision: Int, time: Int64, before: FreeIdentifiers, after: FreeIdentifiers, digest: UInt64,
        visible: String = "", payload: [UInt8], secrets: [Range<Int>] = [], isErased: Bool = false
    ) {
        self.kind = kind
        self.revision = revision
        self.time = time
        self.before = before
        self.after = after
        self.digest = digest
        self.visible = visible
        self.payload = payload
        self.secrets = secrets
        self.isErased = isErased
    }
}
