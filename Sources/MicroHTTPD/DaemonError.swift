internal import UsherProcess

/// The reason why a daemon could not start.
package struct DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The part of the sentence that says what was wrong.
    package let cause: String
    private let remedy: String
    /// A Boolean value indicating whether another socket listens on the port.
    package let isPortInUse: Bool

    init(_ cause: String, _ remedy: String, isPortInUse: Bool = false) {
        (self.cause, self.remedy, self.isPortInUse) = (cause, remedy, isPortInUse)
    }

    /// One sentence: what was wrong and what to do.
    package var description: String { "\(cause); \(remedy)" }

    /// Creates the error of a Unix socket.
    static func path(_ path: String, _ reason: String) -> DaemonError {
        DaemonError("cannot listen on \(path): \(reason)", "choose another path")
    }

    /// Creates the error of a Unix socket that the system refused, by its error number.
    static func path(_ path: String, _ number: Int32) -> DaemonError { .path(path, SystemError.reason(number)) }

    /// The socket listens, but libmicrohttpd did not start on it.
    static let cannotStart = DaemonError(
        "cannot start the HTTP daemon: the system has no threads or memory for it", "try fewer --threads")
}
