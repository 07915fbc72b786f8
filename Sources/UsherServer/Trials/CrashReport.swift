import UsherProcess

/// A crash report as `CrashReporter` writes it in a child: the signal, the revision, and the stack, a frame a line.
struct CrashReport {
    /// The signal; 0 for an exit, nil where there is no report.
    private(set) var signal: Int32?
    /// The revision of the entry that was handled again; nil where that was none.
    private(set) var revision: Int?
    /// The frames, innermost first.
    private var frames: [Frame] = []

    /// The name under which children run, by which frames of the executable are known.
    static let program = "usher"
    private static let frameLimit = 64

    /// A frame of the executable: an address in it, or a symbol that the linker has exported.
    private enum Frame {
        case address(UInt64)
        case symbol(String)
    }

    /// Modules whose code is no author's.
    private static let ownModules: Set<Substring> = [
        "MicroHTTPD", "Usher", "UsherExploration", "UsherFuture", "UsherHTTP", "UsherJSON", "UsherJournal",
        "UsherMetrics",
        "UsherProcess", "UsherReflection", "UsherSQLite", "UsherServer", "UsherSessions", "UsherSupervisor", "Swift",
        "Synchronization",
        "_Concurrency", "_StringProcessing", "Dispatch", "Foundation", "FoundationEssentials", "Glibc",
    ]

    private let executable: String

    /// Makes an empty report.
    ///
    /// - Parameter executable: The path of the executable that the child runs.
    init(of executable: String) {
        self.executable = executable
    }

    /// Takes in a line.
    ///
    /// - Returns: False for one that is no part of a report.
    mutating func read(_ line: String) -> Bool {
        guard signal != nil else { return begin(line) }
        if frames.count < Self.frameLimit, let frame = Self.frame(line) { frames.append(frame) }
        return true
    }

    private mutating func begin(_ line: String) -> Bool {
        let words = line.split(separator: " ")
        guard words.count == 3, words[0] == "crash", let signal = Int32(words[1]), let revision = Int(words[2]) else {
            return false
        }
        self.signal = signal
        self.revision = revision > 0 ? revision : nil
        return true
    }

    /// A line such as `usher(+0x1a01) [0x55b3621a8a01]`, or `usher(symbol+0x6) [0x…]`.
    private static func frame(_ line: String) -> Frame? {
        guard line.hasPrefix("\(program)("), let close = line.firstIndex(of: ")") else { return nil }
        let inside = line[..<close].dropFirst(program.utf8.count + 1)
        guard let plus = inside.lastIndex(of: "+") else { return nil }
        guard inside[..<plus].isEmpty else { return .symbol(String(inside[..<plus])) }
        return UInt64(inside[plus...].dropFirst(3), radix: 16).map { .address($0) }
    }

    /// The innermost function of an author's code; nil where the executable names none.
    var symbol: String? {
        // A return address is behind its call, which may be the last of a function.
        let addresses = frames.compactMap { if case .address(let address) = $0 { address &- 1 } else { nil } }
        guard !frames.isEmpty, var names = ExecutableSymbols(executable)?.names(at: addresses)[...] else { return nil }
        for frame in frames {
            let name: String? = if case .symbol(let name) = frame { name } else { names.popFirst() ?? nil }
            guard let name, let module = ExecutableSymbols.module(ofMangled: name), !Self.ownModules.contains(module)
            else {
                continue
            }
            return ExecutableSymbols.demangled(name)
        }
        return nil
    }
}
