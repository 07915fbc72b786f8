/// The reason why a daemon could not start.
package enum DaemonError: Error, Hashable, Sendable {
    /// The host is neither an address nor `localhost`.
    case badHost(String)
    /// The port is not from 0 to 65535.
    case badPort(Int)
    /// Another socket listens there.
    case portInUse(host: String, port: Int)
    /// The system allows this port to others only.
    case notPermitted(host: String, port: Int)
    /// No interface of this machine has the address.
    case addressNotAvailable(host: String)
    /// The system refused for another reason, by its error number.
    case cannotListen(host: String, port: Int, errorNumber: Int32)
    /// The socket listens, but libmicrohttpd did not start on it.
    case cannotStart
}

extension DaemonError: CustomStringConvertible {
    /// One sentence: what was wrong and what to do.
    package var description: String {
        switch self {
        case .badHost(let host):
            "cannot listen on \(host): it is no IPv4 or IPv6 address; give one with --host, or localhost"
        case .badPort(let port):
            "cannot listen on port \(port): give one from 0 to 65535 with --port, where 0 takes a free one"
        case .portInUse(let host, let port):
            "cannot listen on \(host):\(port): the port is in use; choose another with --port, or 0 for a free one"
        case .notPermitted(let host, let port):
            "cannot listen on \(host):\(port): this user may not take the port; choose one above 1023 with --port"
        case .addressNotAvailable(let host):
            "cannot listen on \(host): no interface of this machine has that address; choose another with --host"
        case .cannotListen(let host, let port, let number):
            "cannot listen on \(host):\(port): the system refused with error \(number); try another --host or --port"
        case .cannotStart:
            "cannot start the HTTP daemon: the system has no threads or memory for it; try fewer --threads"
        }
    }
}
