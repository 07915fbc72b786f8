public import Usher

/// A place in which a test's app runs: the test's own process, or a server.
///
/// `AppUnderTest(_:options:…)` makes the one in process. To run the same test body over a socket, write another that
/// sends what it is given to `POST /sessions/{id}/events`: the server then runs the effects, and keeps the clock.
public protocol AppDriver: AnyObject {
    /// The session's state as JSON, as a client gets it; the last one, once the session has ended.
    var state: [UInt8] { get throws }

    /// The coordinators and stacks as JSON, as `GET /admin/sessions/{id}/tree` gives them; nil once the session has
    /// ended.
    var report: [UInt8]? { get throws }

    /// Hands an input to the session.
    ///
    /// - Parameter action: The body of `POST /sessions/{id}/events`; in the test's own process also the journal's form
    ///   of other inputs.
    /// - Returns: Why the input did not count; nil if it did, or was a fact that was known already.
    /// - Throws: When there was no answer at all.
    func handle(_ action: [UInt8]) throws -> Rejection?

    /// Moves the session's clock.
    ///
    /// - Parameter duration: By how much.
    /// - Throws: When the clock is not the test's to move.
    func advance(by duration: Duration) throws

    /// Handles every input again, in a session of its own.
    ///
    /// - Returns: The first input that led elsewhere; nil where all led to the same, or the driver cannot replay.
    func replay() throws -> ReplayMismatch?

    /// Ends the session from outside.
    ///
    /// - Returns: What was still in memory afterwards, each by its type and path.
    func end() throws -> [String]
}

/// An input that led to another state when it was handled a second time: something in the app is not a function of its
/// options, its inputs, its clock and its random numbers.
public struct ReplayMismatch: Sendable {
    /// The input, as a client would send it.
    public let input: String
    /// The state that it led to at first.
    public let first: String
    /// The state, or the rejection, that it led to when replayed.
    public let second: String

    /// Makes a mismatch.
    ///
    /// - Parameters:
    ///   - input: The input, as a client would send it.
    ///   - first: The state that it led to at first.
    ///   - second: What it led to when replayed.
    public init(input: String, first: String, second: String) {
        self.input = input
        self.first = first
        self.second = second
    }
}
