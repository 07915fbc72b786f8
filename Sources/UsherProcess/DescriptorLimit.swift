private import Glibc

/// The process's limit of open descriptors: files, sockets, and what threads wait on.
package enum DescriptorLimit {
    /// The most descriptors that the process may have open; nil if the system does not say.
    package static var current: Int? { limit.map { Int(clamping: $0.rlim_cur) } }

    /// Raises the limit to the maximum that the process may set; the default serves programs that use `select`.
    ///
    /// - Returns: The new limit.
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
