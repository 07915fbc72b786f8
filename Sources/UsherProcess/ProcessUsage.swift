private import CJemalloc
import Glibc
import Synchronization

/// The resources that the process uses; a figure is nil if the system does not say.
package struct ProcessUsage: Sendable {
    /// The seconds of processor time, including the time that the system spent for the process.
    package let processorSeconds: Double
    package let residentBytes: Int?
    package let virtualBytes: Int?
    package let openFiles: Int?
    package let fileLimit: Int?
    package let threads: Int?
    /// The start time in seconds since 1970 in UTC, which is the same at each reading.
    package var startSeconds: Double? { Self.start }

    package init() {
        processorSeconds = Self.processorSeconds()
        let pages = SystemFile("/proc/self/statm").fields
        virtualBytes = Self.bytes(pages.first)
        residentBytes = Self.bytes(pages.dropFirst().first)
        // Does not count `.`, `..`, and the descriptor with which the folder is read.
        openFiles = (try? Folder.names(in: "/proc/self/fd")).map { $0.count - 3 }
        fileLimit = DescriptorLimit.current
        threads = Self.status(20).flatMap { Int($0) }
    }

    private static func bytes(_ pages: Substring?) -> Int? {
        pages.flatMap { Int($0) }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
    }

    // Computed only once, because a second computation could be rounded differently, and the value must stay the same.
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

    /// Returns a field of `/proc/self/stat` by its number in proc(5); the second field may have spaces, and ends with
    /// `)`.
    private static func status(_ number: Int) -> Substring? {
        let fields = SystemFile("/proc/self/stat").fields(after: ")")
        return fields.dropFirst(number - 3).first
    }
}

/// The resources that a child process uses now.
package struct ChildUsage: Sendable {
    /// The nanoseconds of processor time so far, with the resolution of the system's ticks.
    package let processorTime: Int64
    /// Resident memory in bytes.
    package let residentBytes: Int
    /// A Boolean value indicating whether the child's first thread waits for something other than the processor.
    package let isWaiting: Bool

    /// Creates a snapshot of the current figures; nil if the child is gone.
    package init?(of process: ChildProcess) {
        // The first of these fields is the state, which is field 3 in proc(5). In the numbering of proc(5), the times
        // are fields 14 and 15, and the pages field 24.
        let fields = SystemFile("/proc/\(process.id)/stat").fields(after: ")")
        guard fields.count > 21, let user = Int64(fields[11]), let system = Int64(fields[12]),
            let pages = Int(fields[21])
        else { return nil }
        processorTime = (user + system) * (1_000_000_000 / Int64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
        residentBytes = pages * sysconf(Int32(_SC_PAGESIZE))
        isWaiting = fields[0] != "R"
    }
}

/// The process's resident memory; its file stays open, because later there may be no free descriptor to open it again.
package final class ResidentMemory: Sendable {
    private let descriptor = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    private let pageSize = sysconf(Int32(_SC_PAGESIZE))

    package init() {}

    deinit { close(descriptor) }

    /// Resident bytes; nil if the system does not say.
    package var bytes: Int? {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
            let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, 0)
            let text = unsafe buffer.prefix(max(0, count))
            guard let blank = unsafe text.firstIndex(of: UInt8(ascii: " ")) else { return nil }
            // The second field is the number of resident pages.
            let digits = unsafe text[(blank + 1)...].prefix { $0 != UInt8(ascii: " ") }
            return unsafe digits.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) } * pageSize
        }
    }
}

// MARK: The heap

/// The heap of jemalloc, the allocator.
///
/// Blocks of one size are adjacent, and a thread allocates and frees most blocks without a lock.
package enum HeapMemory {
    /// The current use of the heap; nil in a build for a sanitizer, which has another allocator.
    package static var use: HeapUse? {
        var (allocated, resident) = (0, 0)
        guard unsafe usher_heap_use(&allocated, &resident) else { return nil }
        return HeapUse(allocatedBytes: allocated, residentBytes: resident)
    }

    /// Returns freed memory to the system, on a separate thread.
    ///
    /// The allocator itself returns memory that was free for ten seconds, but only while the process allocates. The
    /// larger the heap, the longer the call takes: too long for a thread on which other work waits. While a call is in
    /// progress, further calls do nothing; the next release of memory calls this function again.
    package static func trim() {
        guard !isTrimming.exchange(true, ordering: .acquiring) else { return }
        let body: @Sendable () -> Void = {
            usher_purge_arenas()
            isTrimming.store(false, ordering: .releasing)
        }
        // If the system has no thread left, the system is probably short of memory, too, so this thread does the work.
        if !SystemThread.start(body) { body() }
    }

    private static let isTrimming = Atomic(false)
}

package struct HeapUse: Equatable, Sendable {
    /// Bytes of the blocks that are allocated.
    package let allocatedBytes: Int
    /// Bytes of resident pages: pages with allocated blocks, and pages that were not yet returned to the system.
    package let residentBytes: Int

    package init(allocatedBytes: Int, residentBytes: Int) {
        self.allocatedBytes = allocatedBytes
        self.residentBytes = residentBytes
    }
}
