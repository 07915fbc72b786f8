internal import Foundation

/// A control group of the system's with a limit of memory, where this user may make one (cgroups(7), versions 1 and 2).
///
/// It goes with this object; whatever ran in it has to have ended by then.
public final class MemoryGroup {
    private let folder: String
    private let isSecond: Bool

    /// Makes one; fails where that may not be.
    ///
    /// - Parameter memory: The bytes that all in it may have.
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

    /// A command that runs another one in it.
    public func command(_ command: [String]) -> [String] {
        ["bash", "-c", "echo $$ >'\(folder)/cgroup.procs' && exec \"$0\" \"$@\""] + command
    }

    /// The number of processes that the system has killed in it for want of memory.
    public var kills: Int {
        let words = text(of: isSecond ? "memory.events" : "memory.oom_control").split { $0 == " " || $0 == "\n" }
        let place = words.firstIndex(of: "oom_kill").map { words.index(after: $0) }
        return place.flatMap { $0 < words.endIndex ? Int(words[$0]) : nil } ?? 0
    }

    /// The most memory that was in use in it.
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

    // Not by Foundation, which would remove the files in it first.
    private func remove() { unsafe rmdir(folder) }
}
