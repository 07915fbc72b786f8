public import Usher

/// The place in which a test's app runs: the test's own process, or a server.
///
/// `AppUnderTest(_:options:…)` creates the driver for the test's process. To run the same test body over a socket,
/// write a driver that sends each input to `POST /sessions/{id}/events`. In this case, the server runs the effects and
/// controls the clock.
public protocol AppDriver: AnyObject {
    /// The session's state as JSON, as a client receives it. After the session's end, this is the last state.
    var state: [UInt8] { get throws }

    /// The coordinators and stacks as JSON, as in `GET /admin/sessions/{id}/tree`; nil after the session's end.
    var report: [UInt8]? { get throws }

    /// Sends an input to the session.
    ///
    /// - Parameter action: The body of `POST /sessions/{id}/events`. In the test's process, also an input of another
    ///   kind, in the journal's form.
    /// - Returns: The reason why the input was rejected; nil if the session accepted the input or already knew what the
    ///   input reports.
    /// - Throws: An error if the session did not answer.
    func handle(_ action: [UInt8]) throws -> Rejection?

    /// Advances the session's clock; throws an error if the test does not control the clock.
    func advance(by duration: Duration) throws

    /// Replays all inputs in a new session.
    ///
    /// - Returns: The first input that led to another state; nil if there is no such input, or if the driver cannot
    ///   replay.
    func replay() throws -> ReplayMismatch?

    /// Ends the session without calling its coordinators; returns the objects still in memory, each by type and path.
    func end() throws -> [String]
}

/// An input that led to another state when the session was replayed.
///
/// The cause is that the app's behavior depends on more than the session's options, inputs, clock and random numbers.
public struct ReplayMismatch: Sendable {
    /// The input, as a client would send it.
    public let input: String
    /// The state after the input when it was first handled.
    public let first: String
    /// The state after the input in the replay, or the rejection.
    public let second: String

    /// Creates a mismatch from an input and the two states that it led to.
    public init(input: String, first: String, second: String) {
        self.input = input
        self.first = first
        self.second = second
    }
}
