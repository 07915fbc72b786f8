import Glibc

/// The memory that the process may use: limited by its control groups (cgroups(7), versions 1 and 2) or by the machine.
package struct SystemMemory: Sendable {
    /// The bytes that the process may use; nil if the system does not say.
    package let limit: Int?
    /// The control group that sets the limit; nil if the machine's memory is the limit.
    private let group: ControlGroup?
    private let resident = ResidentMemory()

    /// Finds the limit in `/proc` and `/sys`, which tests put into another root folder.
    package init(root: String = "") {
        let machine = Self.machineBytes(root)
        let group = ControlGroup.all(root).min { $0.limit < $1.limit }
        // A group without a limit reports a number that is larger than any machine's memory, or as large as this
        // machine's memory.
        if let group, group.limit < machine ?? .max {
            self.group = group
            limit = group.limit
        } else {
            self.group = nil
            limit = machine
        }
    }

    /// A Boolean value indicating whether a control group sets the limit.
    package var isLimitedByGroup: Bool { group != nil }

    /// Returns the bytes in use that count toward the limit and that the system cannot reclaim; nil if unknown.
    ///
    /// - Parameter ofProcess: Pass true to count only the process, even if a control group sets the limit.
    package func usedBytes(ofProcess: Bool = false) -> Int? {
        let resident = resident.bytes
        guard !ofProcess, let used = group?.usedBytes else { return resident }
        return max(used, resident ?? 0)
    }

    /// Returns the memory in use; nil if the system does not say.
    ///
    /// `ofProcess` has the same meaning as in `usedBytes`. The heap's use is read only from `mark` bytes in use,
    /// because the allocator adds up all its arenas, which takes some 100,000 instructions.
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
    /// Resident bytes of the process or of its control group.
    package let bytes: Int
    /// The use of the process's heap; nil if it is unknown or was not read.
    package let heap: HeapUse?

    package init(bytes: Int, heap: HeapUse? = nil) {
        self.bytes = bytes
        self.heap = heap
    }
}

/// A control group of the process with a memory limit.
private struct ControlGroup: Sendable {
    /// The version of control groups; each version has its own layout of files.
    enum Version {
        case one
        case two
    }

    let limit: Int
    private let folder: String
    private let version: Version

    private init?(_ folder: String, _ version: Version) {
        let name = version == .one ? "memory.limit_in_bytes" : "memory.max"
        guard let limit = SystemFile("\(folder)/\(name)").fields.first.flatMap({ Int($0) }) else { return nil }
        self.limit = limit
        self.folder = folder
        self.version = version
    }

    /// Returns the visible groups of the process, including the groups that contain them.
    static func all(_ root: String) -> [ControlGroup] {
        let mounts = "\(root)/sys/fs/cgroup"
        return SystemFile("\(root)/proc/self/cgroup").fields.flatMap { line -> [ControlGroup] in
            // A line has a number, controllers and a path; in version 2 the controllers are empty.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            if parts[1].isEmpty {
                return ["", "/unified"].flatMap { chain("\(mounts)\($0)", parts[2], .two) }
            }
            guard parts[1].split(separator: ",").contains("memory") else { return [] }
            return chain("\(mounts)/memory", parts[2], .one)
        }
    }

    /// Returns a group and the groups that contain it; in a container, the group's path may exist only on the host.
    private static func chain(_ mount: String, _ path: Substring, _ version: Version) -> [ControlGroup] {
        var folders = [mount]
        for name in path.split(separator: "/") { folders.append("\(folders.last ?? mount)/\(name)") }
        return folders.compactMap { ControlGroup($0, version) }
    }

    /// The memory that the system cannot reclaim; pages of files do not count, because the system can reclaim them.
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
