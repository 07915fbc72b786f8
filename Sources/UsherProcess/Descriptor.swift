import Glibc

/// A file descriptor, closed with the last reference to it.
package final class Descriptor: Sendable {
    /// Its number in this process.
    package let number: Int32

    /// Takes an open descriptor over.
    ///
    /// It closes at exec from now on, wherever it came from.
    package init(taking number: Int32) {
        self.number = number
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    /// Opens a file, or a pipe, to read it.
    ///
    /// - Throws: `SystemError`.
    convenience init(reading path: String) throws(SystemError) {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError("read", path) }
        self.init(taking: number)
    }

    deinit { close(number) }

    /// Another descriptor of the same file, which is the caller's to close; -1 if the system has none left.
    package func copy() -> Int32 { fcntl(number, F_DUPFD_CLOEXEC, 0) }

    /// Makes two stream sockets, of which each reads what is written to the other.
    ///
    /// - Returns: nil if the system has no descriptors left.
    package static func pair() -> (Descriptor, Descriptor)? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        return (Descriptor(taking: ends[0]), Descriptor(taking: ends[1]))
    }

    /// Blocks the thread until one of some descriptors can be read from or has ended, or until a time.
    ///
    /// - Parameters:
    ///   - numbers: The descriptors; those below zero stand for none.
    ///   - time: By the `MonotonicClock`; nil for none.
    /// - Returns: For each whether it can be read from; none after the time, or where a signal ended the wait.
    package static func wait(for numbers: [Int32], until time: Int64? = nil) -> [Bool] {
        var polled = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let rest = time.map { Int32(clamping: (max(0, $0 - MonotonicClock.now) + 999_999) / 1_000_000) }
        _ = unsafe poll(&polled, nfds_t(polled.count), rest ?? -1)
        return polled.map { $0.revents != 0 }
    }

    /// True once the other end of a socket is closed, whatever can still be read.
    package var hasEnded: Bool {
        var polled = pollfd(fd: number, events: 0, revents: 0)
        return unsafe poll(&polled, 1, 0) > 0
    }

    /// Reads into a buffer until it is full or there is no more, however little one read gives.
    ///
    /// - Returns: The number of bytes; nil if the system refuses, which `errno` then tells.
    static func fill(_ buffer: UnsafeMutableRawBufferPointer, from number: Int32) -> Int? {
        var filled = 0
        while filled < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = unsafe Glibc.read(number, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    /// Writes bytes, however few of them one call takes.
    ///
    /// - Returns: False if the system refuses, which `errno` then tells.
    static func write(_ bytes: [UInt8], to number: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }

    /// Blocks the thread until a descriptor can be read from or has ended, or until a time.
    ///
    /// - Parameters:
    ///   - number: The descriptor.
    ///   - orToWrite: True to wait also until it can be written to.
    ///   - time: By the `MonotonicClock`.
    /// - Returns: False after the time.
    package static func wait(for number: Int32, orToWrite: Bool, until time: Int64) -> Bool {
        while true {
            let rest = Int32(clamping: (max(0, time - MonotonicClock.now) + 999_999) / 1_000_000)
            var polled = pollfd(fd: number, events: Int16(orToWrite ? POLLIN | POLLOUT : POLLIN), revents: 0)
            let count = unsafe poll(&polled, 1, rest)
            // A failure is found by whoever reads.
            guard count < 0, errno == EINTR else { return count != 0 }
        }
    }

    /// Writes a short text; a reader that is gone is no error.
    package func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Reads a short text, blocking until there is some.
    ///
    /// - Returns: Empty once all that could write to it is gone.
    package func read() -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
