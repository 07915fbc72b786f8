import Glibc

/// A file descriptor that is closed when the last reference to this object is released.
package final class Descriptor: Sendable {
    package let number: Int32

    /// Takes ownership of an open descriptor, and sets it to close on exec.
    package init(taking number: Int32) {
        self.number = number
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    /// Opens a file or a pipe for reading.
    convenience init(reading path: String) throws(SystemError) {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError("read", path) }
        self.init(taking: number)
    }

    deinit { close(number) }

    /// Returns a duplicate of the descriptor, which the caller must close; -1 if the system has none left.
    package func copy() -> Int32 { fcntl(number, F_DUPFD_CLOEXEC, 0) }

    /// Creates a pair of connected stream sockets; nil if the system has no descriptors left.
    package static func pair() -> (Descriptor, Descriptor)? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        return (Descriptor(taking: ends[0]), Descriptor(taking: ends[1]))
    }

    /// Blocks the thread until one of several descriptors is readable or has ended, or until a time.
    ///
    /// - Parameters:
    ///   - numbers: The descriptors; negative numbers are ignored.
    ///   - time: The time by the `MonotonicClock`; nil for no limit.
    /// - Returns: For each descriptor, whether it is readable. All values are `false` if the time has passed or a
    ///   signal interrupted the wait.
    package static func wait(for numbers: [Int32], until time: Int64? = nil) -> [Bool] {
        var polled = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let rest = time.map { Int32(clamping: (max(0, $0 - MonotonicClock.now) + 999_999) / 1_000_000) }
        _ = unsafe poll(&polled, nfds_t(polled.count), rest ?? -1)
        return polled.map { $0.revents != 0 }
    }

    /// A Boolean value indicating whether the other end of a socket is closed, even if data can still be read.
    package var hasEnded: Bool {
        var polled = pollfd(fd: number, events: 0, revents: 0)
        return unsafe poll(&polled, 1, 0) > 0
    }

    /// Reads until a buffer is full or the input ends, and returns the number of bytes; nil if a read fails, with the
    /// reason in `errno`.
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

    /// Writes all bytes; returns `false` if a write fails, with the reason in `errno`.
    static func write(_ bytes: [UInt8], to number: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }

    /// Blocks the thread until a descriptor is readable, has ended or, if requested, is writable.
    ///
    /// - Parameters:
    ///   - number: The descriptor.
    ///   - orToWrite: Pass true to wait also until the descriptor is writable.
    ///   - time: The time by the `MonotonicClock` after which the function returns `false`.
    package static func wait(for number: Int32, orToWrite: Bool, until time: Int64) -> Bool {
        while true {
            let rest = Int32(clamping: (max(0, time - MonotonicClock.now) + 999_999) / 1_000_000)
            var polled = pollfd(fd: number, events: Int16(orToWrite ? POLLIN | POLLOUT : POLLIN), revents: 0)
            let count = unsafe poll(&polled, 1, rest)
            // Other errors count as readable, because the next read reports them.
            guard count < 0, errno == EINTR else { return count != 0 }
        }
    }

    /// Writes a short text to a socket; ignores a closed peer.
    package func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Reads a short text; blocks until there is some, and returns an empty text once all writers are gone.
    package func read() -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
