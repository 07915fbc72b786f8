import Glibc

/// A child process whose standard input and output are a socket, with a time limit for each wait.
package final class ChildConversation {
    /// The result of waiting for the child.
    package enum Step: Equatable {
        case received([UInt8])
        /// Nothing came within the time.
        case nothing
        /// The child has closed its side.
        case end
    }

    package let process: ChildProcess
    private let socket: Descriptor
    /// Bytes that the child has not read yet.
    private var unsent: ArraySlice<UInt8> = []

    /// Starts a child, with a socket as the standard input and output; its standard error is discarded.
    package init(_ command: ChildCommand) throws(SystemError) {
        guard let (own, others) = Descriptor.pair() else { throw SystemError("start", command.executable) }
        let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { throw SystemError("start", command.executable) }
        defer { close(nowhere) }
        var command = command
        command.descriptors[STDIN_FILENO] = others.number
        command.descriptors[STDOUT_FILENO] = others.number
        command.descriptors[STDERR_FILENO] = nowhere
        process = try withExtendedLifetime(others) { () throws(SystemError) in try ChildProcess(command) }
        socket = own
    }

    /// Queues bytes, which `next` sends while it waits.
    package func send(_ bytes: [UInt8]) {
        unsent += bytes
    }

    /// Waits for output of the child, for at most a number of milliseconds.
    package func next(within milliseconds: Int32) -> Step {
        var entry = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
        if !unsent.isEmpty { entry.events |= Int16(POLLOUT) }
        guard unsafe poll(&entry, 1, milliseconds) > 0 else { return .nothing }
        if entry.revents & Int16(POLLOUT) != 0 { sendMore() }
        guard entry.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { return .nothing }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe recv(socket.number, bytes.baseAddress, bytes.count, Self.atOnce)
        }
        guard count >= 0 else { return errno == EAGAIN || errno == EINTR ? .nothing : .end }
        return count == 0 ? .end : .received(Array(bytes.prefix(count)))
    }

    /// Kills the child, and waits until it is gone.
    package func kill() {
        process.send(SIGKILL)
        _ = process.wait()
    }

    /// Sends as much as fits into the socket; discards the bytes if the child is gone.
    private func sendMore() {
        let count = unsafe unsent.withUnsafeBytes { bytes in
            unsafe Glibc.send(socket.number, bytes.baseAddress, bytes.count, Self.atOnce)
        }
        if count > 0 { unsent = unsent.dropFirst(count) } else if errno != EAGAIN, errno != EINTR { unsent = [] }
    }

    private static let atOnce = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
}
