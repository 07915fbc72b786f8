internal import Glibc

/// The end of a pipe that this process reads.
final class ReadingEnd {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Returns the bytes up to the next line feed or the end.
    func line() -> String {
        var line: [UInt8] = []
        while let byte = read(atMost: 1).first, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Reads two pipes until both are closed.
    ///
    /// They must be read at the same time, because a program that is blocked by one pipe would not close the other.
    static func rest(of first: ReadingEnd, and second: ReadingEnd) -> (String, String) {
        let ends = [first, second]
        var bytes: [[UInt8]] = [[], []]
        var open = ends.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        while open.contains(where: { $0.fd >= 0 }) {
            _ = unsafe poll(&open, nfds_t(open.count), -1)
            for index in open.indices where open[index].revents != 0 {
                let news = ends[index].read(atMost: 65_536)
                bytes[index] += news
                if news.isEmpty { open[index].fd = -1 }
            }
        }
        return (String(decoding: bytes[0], as: UTF8.self), String(decoding: bytes[1], as: UTF8.self))
    }

    /// Waits for bytes; empty at the end.
    private func read(atMost count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var got = -1
            repeat { unsafe got = Glibc.read(descriptor, buffer.baseAddress, count) } while got == -1 && errno == EINTR
            filled = max(0, got)
        }
    }
}
