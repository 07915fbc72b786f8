import CProcess
import Glibc
import Synchronization
import UsherBytes

/// The process's environment variables, and its exit.
package enum ProcessEnvironment {
    /// Returns the value of an environment variable, such as `USHER_PORT`.
    package static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Removes an environment variable, so that child processes do not inherit it, and returns its value.
    package static func takeVariable(_ name: String) -> String? {
        defer { unsafe unsetenv(name) }
        return variable(name)
    }

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

    /// The machine's host name.
    package static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "localhost" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The number of processors that are online.
    package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Ends the process with a status: 0 for success, 1 for a failure at run time, 2 for wrong usage.
    package static func exit(_ status: Int32) -> Never {
        Glibc.exit(status)
    }

    /// Ends the process as the default action of a signal would.
    package static func end(by signal: Int32) -> Never {
        Glibc.signal(signal, SIG_DFL)
        var set = SignalQueue.set(of: [signal])
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(signal)
        // If the signal has not ended the process, exits: a container's first process is not ended by its own signals.
        Glibc.exit(128 + signal)
    }

    /// Sets the name that `ps` and `top` show to `programName`, because the executable's file may have another name.
    package static func takeName() {
        unsafe usher_name_process(programName)
    }

    /// The name by which the program was started, without its path.
    package static var programName: String {
        String(CommandLine.arguments.first?.split(separator: "/").last ?? "usher")
    }

    /// The folder of the program's file, with links resolved; nil if the system does not say.
    package static var programFolder: String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
        guard count > 0 else { return nil }
        let path = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // If the file was deleted, the system adds a note to its name; the folder is still right.
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    /// A Boolean value indicating whether this is a machine's or container's first process, which inherits orphans.
    package static var isFirst: Bool { getpid() == 1 }
}

/// A standard stream of the process, for lines of text.
package enum StandardStream: Sendable {
    /// Standard output, for results.
    case output
    /// Standard error, for logs and complaints.
    case error

    /// Writes a line immediately, even if the stream is a pipe; `line` has no line feed.
    package func write(line: String) {
        Self.write(line: shown(line), to: descriptor)
    }

    /// Returns a text with control characters escaped, so that an app or a client cannot control a terminal; unchanged
    /// if standard output is a file or a pipe.
    func shown(_ text: String) -> String {
        guard self == .error || isTerminal else { return text }
        return text.escapingControls(except: "\n\t")
    }

    /// Overwrites a terminal's current line, and leaves the cursor on it; an empty text clears the line.
    package func overwrite(line text: String) {
        Self.write(text: "\r\u{1B}[K\(text.escapingControls())", to: descriptor)
    }

    /// A Boolean value indicating whether the stream is a terminal.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    static func write(line: String, to descriptor: Int32) {
        write(text: line + "\n", to: descriptor)
    }

    private static func write(text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            if written < 0, errno == EAGAIN, waitForRoom(in: descriptor) { continue }
            guard written > 0 || errno == EINTR else { return noteFailure(errno, of: descriptor) }
            rest = rest.dropFirst(max(0, written))
        }
    }

    /// The reason why a write to standard output failed; nil if no write failed.
    ///
    /// A server continues without its streams, but a command must report that its result was not printed.
    package static var outputFailure: String? {
        let number = outputError.load(ordering: .relaxed)
        return number != 0 ? unsafe String(cString: strerror(number)) : nil
    }

    private static let outputError = Atomic<Int32>(0)

    private static func noteFailure(_ number: Int32, of descriptor: Int32) {
        guard descriptor == STDOUT_FILENO else { return }
        _ = outputError.compareExchange(expected: 0, desired: number, ordering: .relaxed)
    }

    /// Waits until the stream has room, because another process may have made it non-blocking.
    private static func waitForRoom(in descriptor: Int32) -> Bool {
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

/// The standard input of the process, for messages.
package enum StandardInput {
    /// Reads a number of bytes, or fewer if the input ends; blocks until all of them have arrived.
    package static func read(_ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = unsafe Descriptor.fill(UnsafeMutableRawBufferPointer(buffer), from: STDIN_FILENO) ?? 0
        }
    }
}
