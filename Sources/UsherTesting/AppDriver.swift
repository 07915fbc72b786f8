public import Usher

/// Where a test's app runs: in the test's own process, or behind a server.
///
/// `AppUnderTest(_:options:…)` makes the one in process. To run the same test body over a socket, write another that
/// sends what it is given to `POST /sessions/{id}/events`.
public protocol AppDriver: AnyObject {
    /// The session's state as JSON, as a client gets it; the last one, once the session has ended.
    var state: [UInt8] { get throws }

    /// The coordinators and stacks as JSON, as `GET /admin/sessions/{id}/tree` gives them; nil once the session has
    /// ended.
    var report: [UInt8]? { get throws }

    /// Hands an input to the session.
    ///
    /// - Parameter action: The body of `POST /sessions/{id}/events`; in the test's own process also what the journal
    ///   keeps of other inputs.
    /// - Returns: Why the input did not count; nil if it did, or was a fact that was known already.
    /// - Throws: When there was no answer at all.
    func handle(_ action: [UInt8]) throws -> Rejection?

    /// What the session waits for and the test has to do, in the order of ids; nothing where a server does it.
    var work: [Work] { get throws }

    /// Runs an effect, without telling the session of it.
    ///
    /// - Parameter effect: One of `work`.
    /// - Returns: What came of it.
    /// - Throws: When it could not be run at all.
    func run(_ effect: Work) async throws -> EffectOutcome

    /// Hands an input to the session that no client can send.
    ///
    /// - Parameter content: The end of some work, or a message.
    /// - Returns: Why it did not count; for the end of work, which is then refused, why its closure failed.
    /// - Throws: When there was no answer at all.
    func handle(_ content: InputContent) throws -> Rejection?

    /// What the session's clock shows; nil where it is not the test's to move.
    var now: Timestamp? { get }

    /// Moves the session's clock.
    ///
    /// - Parameter duration: By how much.
    /// - Throws: When the clock is not the test's to move.
    func advance(by duration: Duration) throws

    /// Handles every input again, in a session of its own.
    ///
    /// - Returns: The first input that led elsewhere; nil where all led to the same, or the driver cannot replay.
    func replay() throws -> Divergence?

    /// Ends the session from outside.
    ///
    /// - Returns: What was still in memory afterwards, each by its type and path.
    func end() throws -> [String]
}
