import Glibc

/// A call of the system that failed.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The step that failed, such as `read`.
    package let action: String
    /// The path that the step was for.
    package let path: String
    /// The system's error number.
    package let number: Int32

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - action: The step that failed.
    ///   - path: The path that the step was for.
    ///   - number: The error number; that of the thread's last call by default.
    package init(_ action: String, _ path: String, _ number: Int32 = errno) {
        (self.action, self.path, self.number) = (action, path, number)
    }

    /// One sentence with the system's reason.
    package var description: String { "cannot \(action) \(path): \(Self.reason(number))" }

    /// Returns the system's words for an error number.
    package static func reason(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }
}
