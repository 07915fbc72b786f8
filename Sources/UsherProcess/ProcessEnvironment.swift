import Glibc

/// What the process was started with, and how it ends.
package enum ProcessEnvironment {
    /// The value of an environment variable.
    ///
    /// - Parameter name: Such as `USHER_PORT`.
    package static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Ends the process.
    ///
    /// - Parameter status: 0 for success, 1 for a failure at run time, 2 for wrong usage.
    package static func exit(_ status: Int32) -> Never {
        Glibc.exit(status)
    }
}
