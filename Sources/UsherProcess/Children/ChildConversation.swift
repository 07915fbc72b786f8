import Glibc

/// A child process with a socket as its standard input and output, on which nothing waits longer than it is told.
package final class ChildConversation {
    /// Something that has come from the child, or has not.
    package enum Step: Equatable {
        /// Bytes.
        case received([UInt8])
        /// Nothing within the time.
        case nothing
        /// The end: the child has closed its side.
        case end
    }

    /// The child.
    package let process: ChildProcess
    private let socket: Int32
    /// Bytes that are on their way to the child.
    private var unsent: ArraySlice<UInt8> = []

    /// Starts a child.
    ///
    /// - Parameter command: The command; its standard streams are set here.
    /// - Throws: `ChildStartError`.
    package init(_ command: ChildCommand) throws(ChildStartError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Self.closesAtExec, 0, &ends) == 0 else {
            throw ChildStartError(executable: command.executable, number: errno)
        }
        defer { close(ends[1]) }
        let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(nowhere) }
        var command = command
        command.descriptors = [STDIN_FILENO: ends[1], STDOUT_FILENO: ends[1], STDERR_FILENO: nowhere]
        do throws(ChildStartError) {
            process = try ChildProcess(command)
        } catch {
            close(ends[0])
            throw error
        }
        socket = ends[0]
    }

    deinit { close(socket) }

    /// Sends bytes, as fast as the child takes them: while `next` waits.
    package func send(_ bytes: [UInt8]) {
        unsent += bytes
    }

    /// Waits for something from the child.
    ///
    /// - Parameter milliseconds: The time to wait at most.
    package func next(within milliseconds: Int32) -> Step {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        if !unsent.isEmpty { entry.events |= Int16(POLLOUT) }
        guard unsafe poll(&entry, 1, milliseconds) > 0 else { return .nothing }
        if entry.revents & Int16(POLLOUT) != 0 { sendMore() }
        guard entry.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { return .nothing }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, $0.count, Self.atOnce) }
        guard count >= 0 else { return errno == EAGAIN || errno == EINTR ? .nothing : .end }
        return count == 0 ? .end : .received(Array(bytes.prefix(count)))
    }

    /// Ends the child, and waits until it is gone.
    package func kill() {
        process.send(SIGKILL)
        _ = process.wait()
    }

    /// Sends what the socket has room for; to a child that has gone, nothing.
    private func sendMore() {
        let count = unsafe unsent.withUnsafeBytes { unsafe Glibc.send(socket, $0.baseAddress, $0.count, Self.atOnce) }
        if count > 0 { unsent = unsent.dropFirst(count) } else if errno != EAGAIN, errno != EINTR { unsent = [] }
    }

    private static let closesAtExec = Int32(SOCK_CLOEXEC.rawValue)
    private static let atOnce = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
}
