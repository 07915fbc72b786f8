import Foundation
import Programs
import Testing
import UsherProcess

/// Tests with the system's files about memory, for both versions of control groups.
@Suite("The memory limit of the system")
struct SystemMemoryTests {
    private let root: TemporaryFolder
    private static let machine = ["proc/meminfo": "MemTotal:       16384 kB\nMemFree: 1 kB\n"]

    init() throws {
        root = try TemporaryFolder()
    }

    private func memory(_ files: [String: String]) throws -> SystemMemory {
        for (path, text) in files.merging(Self.machine, uniquingKeysWith: { given, _ in given }) {
            let folder = URL(filePath: root(path)).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try root.write(Array(text.utf8), to: path)
        }
        return SystemMemory(root: root.path)
    }

    @Test func `without a control group, the limit is the machine's memory`() throws {
        let memory = try memory([:])
        #expect(memory.limit == 16 << 20)
        #expect(!memory.isLimitedByGroup)
        #expect(memory.usedBytes() ?? 0 > 0)
        #expect(SystemMemory(root: "/nowhere").limit == nil)
    }

    @Test func `the heap is measured only above a threshold, because the measurement is slow`() throws {
        let memory = try memory([:])
        let used = try #require(memory.use(withHeapFrom: .max))
        #expect(used.bytes > 0 && used.heap == nil)
        // A build with a sanitizer has another allocator.
        #expect((memory.use(withHeapFrom: 0)?.heap == nil) == (HeapMemory.use == nil))
    }

    @Test func `with cgroup v2, the limit is the smallest limit of the group and of its parents`() throws {
        let memory = try memory([
            "proc/self/cgroup": "0::/user.slice/usher.service\n",
            "sys/fs/cgroup/user.slice/memory.max": "8388608\n",
            "sys/fs/cgroup/user.slice/usher.service/memory.max": "max\n",
            "sys/fs/cgroup/user.slice/memory.stat":
                "anon 1099511627776\nfile 99\nshmem 5\nsock 6\nkernel_stack 7\ninactive_anon 1000\nslab_unreclaimable 8\n",
        ])
        #expect(memory.limit == 8 << 20)
        #expect(memory.isLimitedByGroup)
        #expect(memory.usedBytes() == (1 << 40) + 5 + 6 + 7 + 8, "files' pages are given up when others need them")
        #expect(memory.usedBytes(ofProcess: true) ?? .max < 1 << 40)
    }

    @Test func `in a container with cgroup v2, the limit is read from the group at the root`() throws {
        let memory = try memory([
            "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "4194304\n",
        ])
        #expect(memory.limit == 4 << 20)
        #expect(memory.usedBytes() ?? 0 > 0, "the process's own, where the group does not tell")
    }

    @Test func `with cgroup v1, the limit is read from the memory controller`() throws {
        let memory = try memory([
            "proc/self/cgroup": "9:cpu,cpuacct:/docker/x\n5:memory:/docker/x\n1:name=systemd:/docker/x\n0::/\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "2097152\n",
            "sys/fs/cgroup/memory/memory.stat": "rss 1\ntotal_rss 1099511627776\ntotal_shmem 5\ntotal_cache 7\n",
            "sys/fs/cgroup/memory/memory.kmem.tcp.usage_in_bytes": "11\n",
        ])
        #expect(memory.limit == 2 << 20)
        #expect(memory.usedBytes() == (1 << 40) + 5 + 11)
    }

    @Test(arguments: ["9223372036854771712", "max", "", "99999999999999999999", "x"])
    func `a limit beyond the machine's memory, or an unreadable limit, is ignored`(text: String) throws {
        let memory = try memory([
            "proc/self/cgroup": "5:memory:/\n0::/\nx\n::\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": text,
            "sys/fs/cgroup/memory.max": text,
        ])
        #expect(memory.limit == 16 << 20)
        #expect(!memory.isLimitedByGroup)
    }
}
