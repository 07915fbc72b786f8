package import Usher

/// Where the time of day comes from; a test puts in its own.
package protocol Clock: Sendable {
    /// The time of day now.
    func now() -> Timestamp

    /// Waits for a time of day.
    ///
    /// - Parameter time: The time; one that has passed is not waited for.
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    func sleep(until time: Timestamp) async throws
}
