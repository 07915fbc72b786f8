import Glibc
import Synchronization

/// One thread that waits for any number of descriptors.
final class DescriptorWatch: Sendable {
    /// A descriptor that is waited for, and the work that follows.
    private struct WatchedDescriptor: Sendable {
        let descriptor: Int32
        let work: @Sendable () -> Void
    }

    /// The watch of this process; nil if the system has no descriptors or threads left for it.
    private static let shared = DescriptorWatch()

    private let news = Mutex<[WatchedDescriptor]>([])
    /// A pipe that wakes the thread up.
    private let (reading, writing): (Int32, Int32)

    private init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
        guard SystemThread.start({ [self] in run() }) else { return nil }
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Does a short work, on the watching thread, once a descriptor can be read from.
    ///
    /// If the system cannot watch, the work is done at once, by the caller.
    ///
    /// - Parameter descriptor: It must stay open until then.
    static func whenReadable(_ descriptor: Int32, _ work: @escaping @Sendable () -> Void) {
        guard let shared else { return work() }
        shared.news.withLock { $0.append(WatchedDescriptor(descriptor: descriptor, work: work)) }
        var byte: UInt8 = 0
        _ = unsafe write(shared.writing, &byte, 1)
    }

    private func run() {
        var entries: [WatchedDescriptor] = []
        while true {
            var polled = ([reading] + entries.map(\.descriptor)).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard unsafe poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            let ready = entries.indices.filter { polled[$0 + 1].revents != 0 }
            for index in ready { entries[index].work() }
            for index in ready.reversed() { entries.remove(at: index) }
            if polled[0].revents != 0 { entries += takeNews() }
        }
    }

    private func takeNews() -> [WatchedDescriptor] {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = unsafe read(reading, &bytes, bytes.count)
        return news.withLock { news in
            defer { news = [] }
            return news
        }
    }
}
