internal import Foundation

/// A control group with a memory limit, if this user may create one (cgroups(7), versions 1 and 2).
///
/// The group is removed with this object; by then, its processes must have ended.
public final class MemoryGroup {
    private let folder: String
    private let isSecond: Bool

    /// Creates a group; nil if that is not permitted.
    ///
    /// - Parameter memory: The bytes that all processes in it may use together.
    public init?(memory: Int) {
        let mounts = "/sys/fs/cgroup"
        let first = FileManager.default.fileExists(atPath: "\(mounts)/memory/memory.limit_in_bytes")
        isSecond = !first
        folder = "\(mounts)\(first ? "/memory" : "")/usher-test-\(UUID().uuidString)"
        guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)) != nil
        else { return nil }
        guard write("\(memory)", to: first ? "memory.limit_in_bytes" : "memory.max") else {
            remove()
            return nil
        }
    }

    deinit { remove() }

    /// Returns a command that runs another one in the group.
    public func command(_ command: [String]) -> [String] {
        ["bash", "-c", "echo $$ >'\(folder)/cgroup.procs' && exec \"$0\" \"$@\""] + command
    }

    /// The number of processes in the group that the system has killed because of memory.
    public var kills: Int {
        let words = text(of: isSecond ? "memory.events" : "memory.oom_control").split { $0 == " " || $0 == "\n" }
        let place = words.firstIndex(of: "oom_kill").map { words.index(after: $0) }
        return place.flatMap { $0 < words.endIndex ? Int(words[$0]) : nil } ?? 0
    }

    /// The peak memory use of the group.
    public var peak: Int {
        let name = isSecond ? "memory.peak" : "memory.max_usage_in_bytes"
        return Int(text(of: name).filter(\.isNumber)) ?? 0
    }

    private func text(of name: String) -> String {
        (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
    }

    private func write(_ text: String, to name: String) -> Bool {
        (try? text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)) != nil
    }

    // Foundation would remove the files in the folder first.
    private func remove() { unsafe rmdir(folder) }
}
