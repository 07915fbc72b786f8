import Glibc

/// The memory that the process may use: what its control groups leave it (cgroups(7), versions 1 and 2), or the machine has.
package struct SystemMemory: Sendable {
    /// The bytes that the process may use; nil where the system does not tell.
    package let limit: Int?
    /// The folder of the control group that sets the limit; nil where the machine does.
    private let group: ControlGroup?
    private let resident = ResidentMemory()

    /// Finds the limit.
    ///
    /// - Parameter root: The folder under which `/proc` and `/sys` lie; a test's own.
    package init(root: String = "") {
        let machine = Self.machineBytes(root)
        let group = ControlGroup.all(root).min { $0.limit < $1.limit }
        // A group without a limit of its own has a number beyond all memory, or that of the machine.
        if let group, group.limit < machine ?? .max {
            self.group = group
            limit = group.limit
        } else {
            self.group = nil
            limit = machine
        }
    }

    /// True where a control group sets the limit.
    package var isLimitedByGroup: Bool { group != nil }

    /// The bytes in use that count to the limit and that the system cannot take back; nil where it does not tell.
    ///
    /// - Parameter ofProcess: True to count the process alone, whatever sets the limit.
    package func usedBytes(ofProcess: Bool = false) -> Int? {
        let resident = resident.bytes
        guard !ofProcess, let used = group?.usedBytes else { return resident }
        return max(used, resident ?? 0)
    }

    /// The memory in use; nil where the system does not tell.
    ///
    /// - Parameters:
    ///   - ofProcess: True to count the process alone, whatever sets the limit.
    ///   - mark: The bytes from which on the use of the heap is read, too: the allocator adds it up over all its arenas,
    ///     which takes some 100,000 instructions.
    package func use(ofProcess: Bool = false, withHeapFrom mark: Int = 0) -> MemoryUse? {
        usedBytes(ofProcess: ofProcess).map { MemoryUse(bytes: $0, heap: $0 < mark ? nil : HeapMemory.use) }
    }

    private static func machineBytes(_ root: String) -> Int? {
        let fields = SystemFile("\(root)/proc/meminfo").fields
        guard let label = fields.firstIndex(of: "MemTotal:"), label + 1 < fields.count else { return nil }
        return Int(fields[label + 1]).map { $0 * 1_024 }
    }
}

/// The memory in use at one moment.
package struct MemoryUse: Equatable, Sendable {
    /// Bytes in memory of the process, or of its control group.
    package let bytes: Int
    /// The use of the process's heap; nil if it is unknown, or was not asked for.
    package let heap: HeapUse?

    /// Creates a use.
    package init(bytes: Int, heap: HeapUse? = nil) {
        self.bytes = bytes
        self.heap = heap
    }
}

/// A control group of the process that has a limit of memory.
private struct ControlGroup: Sendable {
    /// The layout of a controller's files.
    enum Version {
        case one
        case two
    }

    let limit: Int
    private let folder: String
    private let version: Version

    /// Fails where the group says no limit.
    private init?(_ folder: String, _ version: Version) {
        let name = version == .one ? "memory.limit_in_bytes" : "memory.max"
        guard let limit = SystemFile("\(folder)/\(name)").fields.first.flatMap({ Int($0) }) else { return nil }
        self.limit = limit
        self.folder = folder
        self.version = version
    }

    /// The groups of the process with those above them, as far as they are to be seen.
    static func all(_ root: String) -> [ControlGroup] {
        let mounts = "\(root)/sys/fs/cgroup"
        return SystemFile("\(root)/proc/self/cgroup").fields.flatMap { line -> [ControlGroup] in
            // Number, controllers and path; version 2 has no controllers there.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            if parts[1].isEmpty {
                return ["", "/unified"].flatMap { chain("\(mounts)\($0)", parts[2], .two) }
            }
            guard parts[1].split(separator: ",").contains("memory") else { return [] }
            return chain("\(mounts)/memory", parts[2], .one)
        }
    }

    /// A group and those above it; in a container the path may be one that only its host can see.
    private static func chain(_ mount: String, _ path: Substring, _ version: Version) -> [ControlGroup] {
        var folders = [mount]
        for name in path.split(separator: "/") { folders.append("\(folders.last ?? mount)/\(name)") }
        return folders.compactMap { ControlGroup($0, version) }
    }

    /// The memory that can only be had back from the processes: not the files' pages, which are given up when others need
    /// them.
    var usedBytes: Int? {
        let words = SystemFile("\(folder)/memory.stat").fields
        let names: Set<Substring> =
            version == .one
            ? ["total_rss", "total_shmem"]
            : ["anon", "shmem", "sock", "kernel_stack", "pagetables", "slab_unreclaimable"]
        var sum: Int?
        for (name, value) in zip(words, words.dropFirst()) where names.contains(name) {
            guard let bytes = Int(value) else { continue }
            sum = (sum ?? 0) + bytes
        }
        guard version == .one, let used = sum else { return sum }
        let sockets = SystemFile("\(folder)/memory.kmem.tcp.usage_in_bytes").fields.first.flatMap { Int($0) }
        return used + (sockets ?? 0)
    }
}
