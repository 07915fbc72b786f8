import Glibc

package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The action that failed, such as `read`.
    package let action: String
    package let path: String
    package let number: Int32

    /// Creates an error; by default, with the error number of the thread's last call.
    package init(_ action: String, _ path: String, _ number: Int32 = errno) {
        (self.action, self.path, self.number) = (action, path, number)
    }

    /// One sentence with the system's reason.
    package var description: String { "cannot \(action) \(path): \(Self.reason(number))" }

    /// Returns the system's description of an error number.
    package static func reason(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }
}
