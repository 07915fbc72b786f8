import CProcess
import Glibc

/// The process's environment variables, and its exit.
package enum ProcessEnvironment {
    /// The value of an environment variable.
    ///
    /// - Parameter name: Such as `USHER_PORT`.
    package static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// All environment variables.
    package static var variables: [String: String] {
        var variables: [String: String] = [:]
        guard var next = unsafe usher_environment() else { return variables }
        while let line = unsafe next.pointee {
            let parts = unsafe String(cString: line).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            unsafe next += 1
        }
        return variables
    }

    /// Ends the process.
    ///
    /// - Parameter status: 0 for success, 1 for a failure at run time, 2 for wrong usage.
    package static func exit(_ status: Int32) -> Never {
        Glibc.exit(status)
    }
}

/// A standard stream of the process, for lines of text.
package enum StandardStream: Sendable {
    /// Standard output: what was asked for.
    case output
    /// Standard error: logs and complaints.
    case error

    /// Writes a line at once: nothing is kept back when the stream is a pipe.
    ///
    /// - Parameter line: Text without its line feed.
    package func write(line: String) {
        var rest = Array(line.utf8)[...]
        rest.append(UInt8(ascii: "\n"))
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            if written < 0, errno == EAGAIN, waitForRoom() { continue }
            // A stream that nobody reads any more is no reason to stop serving.
            guard written > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, written))
        }
    }

    /// Waits until the stream takes something, where another process has it set not to block.
    private func waitForRoom() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&entry, 1, -1) >= 0 || errno == EINTR
    }

    private var descriptor: Int32 {
        switch self {
        case .output: STDOUT_FILENO
        case .error: STDERR_FILENO
        }
    }
}
