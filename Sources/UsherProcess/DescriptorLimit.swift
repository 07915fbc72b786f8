private import Glibc

/// The limit on the process's open descriptors: files, sockets, and the objects on which threads wait.
package enum DescriptorLimit {
    /// The largest number of descriptors that may be open; nil if the system does not say.
    package static var current: Int? { limit.map { Int(clamping: $0.rlim_cur) } }

    /// Raises the limit to the maximum that the process may set, and returns the new limit.
    ///
    /// The system's default is low, for the sake of programs that use `select`.
    @discardableResult
    package static func raise() -> Int? {
        guard var raised = limit else { return nil }
        raised.rlim_cur = raised.rlim_max
        _ = unsafe setrlimit(resource, &raised)
        return current
    }

    private static var limit: rlimit? {
        var limit = rlimit()
        return unsafe getrlimit(resource, &limit) == 0 ? limit : nil
    }

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
}
