private import CJemalloc
import Glibc
import Synchronization

/// The process's use of the machine's resources, as the system tells it; nil where it does not.
package struct ProcessUsage: Sendable {
    /// Seconds of processor time, in its own code and in the system's.
    package let processorSeconds: Double
    /// Resident memory in bytes.
    package let residentBytes: Int?
    /// Virtual memory in bytes.
    package let virtualBytes: Int?
    /// Open file descriptors.
    package let openFiles: Int?
    /// The limit on open file descriptors.
    package let fileLimit: Int?
    /// Threads of the process.
    package let threads: Int?
    /// The start time in seconds since 1970 in UTC, the same at each reading.
    package var startSeconds: Double? { Self.start }

    /// Reads the figures.
    package init() {
        processorSeconds = Self.processorSeconds()
        let pages = SystemFile("/proc/self/statm").fields
        virtualBytes = Self.bytes(pages.first)
        residentBytes = Self.bytes(pages.dropFirst().first)
        // Without `.`, `..` and the folder itself.
        openFiles = (try? Folder.names(in: "/proc/self/fd")).map { $0.count - 3 }
        fileLimit = DescriptorLimit.current
        threads = Self.status(20).flatMap { Int($0) }
    }

    private static func bytes(_ pages: Substring?) -> Int? {
        pages.flatMap { Int($0) }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
    }

    // Once: what it is made from is rounded, and a restart must show as the only change.
    private static let start: Double? = {
        let boot = SystemFile("/proc/stat").fields(after: "btime").first.flatMap { Double($0) }
        guard let boot, let ticks = status(22).flatMap({ Double($0) }) else { return nil }
        return boot + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }()

    private static func processorSeconds() -> Double {
        var usage = rusage()
        unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
    }

    /// A field of `/proc/self/stat`, by its number in proc(5); the second, which may hold spaces, ends in a parenthesis.
    private static func status(_ number: Int) -> Substring? {
        let fields = SystemFile("/proc/self/stat").fields(after: ")")
        return fields.dropFirst(number - 3).first
    }
}

/// A child process's use of the machine, as the system tells it now.
package struct ChildUsage: Sendable {
    /// Nanoseconds of processor time so far, as exact as the system's ticks.
    package let processorTime: Int64
    /// Resident memory in bytes.
    package let residentBytes: Int
    /// True where its first thread waits for something else than the processor.
    package let isWaiting: Bool

    /// Reads the figures.
    ///
    /// - Parameter process: The child; nil for one that is gone.
    package init?(of process: ChildProcess) {
        // From the third field of proc(5) on: the state is that one, the times are 14 and 15, the pages 24.
        let fields = SystemFile("/proc/\(process.id)/stat").fields(after: ")")
        guard fields.count > 21, let user = Int64(fields[11]), let system = Int64(fields[12]),
            let pages = Int(fields[21])
        else { return nil }
        processorTime = (user + system) * (1_000_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
        residentBytes = pages * sysconf(Int32(_SC_PAGESIZE))
        isWaiting = fields[0] != "R"
    }
}

/// The process's resident memory, to be read often: the file stays open, for there may be no descriptor left.
package final class ResidentMemory: Sendable {
    private let descriptor = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    private let pageSize = sysconf(Int32(_SC_PAGESIZE))

    /// Opens the file.
    package init() {}

    deinit { close(descriptor) }

    /// Bytes; nil where the system does not tell.
    package var bytes: Int? {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
            let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, 0)
            let text = unsafe buffer.prefix(max(0, count))
            guard let blank = unsafe text.firstIndex(of: UInt8(ascii: " ")) else { return nil }
            // The second field.
            let digits = unsafe text[(blank + 1)...].prefix { $0 != UInt8(ascii: " ") }
            return unsafe digits.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) } * pageSize
        }
    }
}

// MARK: The heap

/// The heap of the allocator, which is jemalloc.
///
/// Blocks of a size lie side by side, and a thread takes and frees most of them on its own.
package enum HeapMemory {
    /// The use of the heap now; nil in a build for a sanitizer, which has another allocator.
    package static var use: HeapUse? {
        var (allocated, resident) = (0, 0)
        guard unsafe usher_heap_use(&allocated, &resident) else { return nil }
        return HeapUse(allocatedBytes: allocated, residentBytes: resident)
    }

    /// Begins to give freed memory back to the system, on a thread of its own, and returns at once.
    ///
    /// The allocator by itself gives back what was free for ten seconds, but only while the process goes on to allocate.
    /// Giving back takes as long as the heap is large, which is too long for a thread that others need. A call while it is
    /// under way does nothing: who frees memory calls again.
    package static func trim() {
        guard !isTrimming.exchange(true, ordering: .acquiring) else { return }
        let body: @Sendable () -> Void = {
            usher_purge_arenas()
            isTrimming.store(false, ordering: .releasing)
        }
        // A system without a thread left is likely to be short of memory, too.
        if !SystemThread.start(body) { body() }
    }

    private static let isTrimming = Atomic(false)
}

/// The use of the heap.
package struct HeapUse: Equatable, Sendable {
    /// Bytes of the blocks that are allocated.
    package let allocatedBytes: Int
    /// Bytes of the pages that are in memory: those with allocated blocks, and those not yet given back.
    package let residentBytes: Int

    /// Creates a use.
    package init(allocatedBytes: Int, residentBytes: Int) {
        self.allocatedBytes = allocatedBytes
        self.residentBytes = residentBytes
    }
}
