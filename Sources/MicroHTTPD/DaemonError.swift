internal import UsherProcess

/// The reason why a daemon could not start.
package struct DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The part of the description that says what went wrong.
    package let cause: String
    private let remedy: String
    /// A Boolean value that indicates whether another socket listens on the port.
    package let isPortInUse: Bool

    init(_ cause: String, _ remedy: String, isPortInUse: Bool = false) {
        (self.cause, self.remedy, self.isPortInUse) = (cause, remedy, isPortInUse)
    }

    /// One sentence that says what went wrong and what to do.
    package var description: String { "\(cause); \(remedy)" }

    static func path(_ path: String, _ reason: String) -> DaemonError {
        DaemonError("cannot listen on \(path): \(reason)", "choose another path")
    }

    static func path(_ path: String, _ number: Int32) -> DaemonError { .path(path, SystemError.reason(number)) }

    static let cannotStart = DaemonError(
        "cannot start the HTTP server: the system has too few threads or too little memory", "use fewer --threads")
}
