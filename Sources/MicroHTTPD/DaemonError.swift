private import Glibc

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
    /// The path is none that a Unix socket can have.
    case badSocketPath(String)
    /// There is a file at the path that is no socket.
    case pathTaken(String)
    /// Another process listens on the socket of the path.
    case socketInUse(String)
    /// The system refused the socket, by its error number.
    case cannotListenAt(path: String, errorNumber: Int32)
    /// The socket listens, but libmicrohttpd did not start on it.
    case cannotStart
}

extension DaemonError: CustomStringConvertible {
    /// One sentence: what was wrong and what to do.
    package var description: String { "\(cause); \(remedy)" }

    /// The part of the sentence that says what was wrong.
    package var cause: String {
        switch self {
        case .badHost(let host): "cannot listen on \(host): it is no IPv4 or IPv6 address"
        case .badPort(let port): "cannot listen on port \(port): it is not from 0 to 65535"
        case .portInUse(let host, let port): "cannot listen on \(host):\(port): the port is in use"
        case .notPermitted(let host, let port): "cannot listen on \(host):\(port): this user may not take the port"
        case .addressNotAvailable(let host):
            "cannot listen on \(host): no interface of this machine has that address"
        case .cannotListen(let host, let port, let number):
            "cannot listen on \(host):\(port): the system refused with error \(number)"
        case .badSocketPath(let path): "cannot listen on \(path): a socket's path has 1 to 107 bytes"
        case .pathTaken(let path): "cannot listen on \(path): there is a file, and no socket"
        case .socketInUse(let path): "cannot listen on \(path): another process does"
        case .cannotListenAt(let path, let number):
            "cannot listen on \(path): \(unsafe String(cString: strerror(number)))"
        case .cannotStart: "cannot start the HTTP daemon: the system has no threads or memory for it"
        }
    }

    private var remedy: String {
        switch self {
        case .badHost: "give one with --host, or localhost"
        case .badPort: "give one with --port, where 0 takes a free one"
        case .portInUse: "choose another with --port, or 0 for a free one"
        case .notPermitted: "choose one above 1023 with --port"
        case .addressNotAvailable: "choose another with --host"
        case .cannotListen: "try another --host or --port"
        case .badSocketPath, .pathTaken, .socketInUse, .cannotListenAt: "choose another path"
        case .cannotStart: "try fewer --threads"
        }
    }
}
