/// One accepted input of a session, with what must be the same when it is replayed.
public struct Entry: Equatable, Sendable {
    /// What an entry's payload is.
    public enum Kind: UInt8, Sendable {
        /// The session's creation: always the first.
        case creation = 1
        /// What a user did.
        case input = 2
        /// What a user did, with a link left waiting.
        case inputKeepingLink = 3
        /// What a user did, with a link that waited dropped.
        case inputDroppingLink = 4
    }

    /// What the payload is.
    public let kind: Kind
    /// The revision that it led to; the creation's is 1.
    public let revision: Int
    /// When it came: milliseconds since 1970.
    public let time: Int64
    /// The next free screen id before it.
    public let screen: Int
    /// The next free coordinator id before it.
    public let coordinator: Int
    /// A digest of what it led to.
    public let digest: UInt64
    /// The input as JSON.
    public let payload: [UInt8]

    /// Makes an entry.
    ///
    /// - Parameters:
    ///   - kind: What the payload is.
    ///   - revision: The revision that it led to.
    ///   - time: When it came: milliseconds since 1970.
    ///   - screen: The next free screen id before it.
    ///   - coordinator: The next free coordinator id before it.
    ///   - digest: A digest of what it led to.
    ///   - payload: The input as JSON.
    public init(
        _ kind: Kind, revision: Int, time: Int64, screen: Int, coordinator: Int, digest: UInt64, payload: [UInt8]
    ) {
        self.kind = kind
        self.revision = revision
        self.time = time
        self.screen = screen
        self.coordinator = coordinator
        self.digest = digest
        self.payload = payload
    }
}
