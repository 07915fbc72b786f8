import Glibc
import Synchronization

/// A mistake in a handler, which ends the process or blocks its thread.
enum Deed: String, Codable, Sendable {
    /// Reads beyond the end of an array.
    case index
    /// Calls itself forever.
    case recurse
    /// Loops forever.
    case loop
    /// Takes 10 GB of memory, and writes to all of it.
    case allocate
    /// Ends the process with status 3.
    case exit
    case abort
    /// Waits for something that never happens.
    case block
    /// Takes a second.
    case dawdle

    /// Makes the mistake.
    func callAsFunction() {
        switch self {
        case .index: Self.use([1, 2, 3][Self.three])
        case .recurse: Self.use(Self.recurse(1))
        case .loop: while true { Self.use(1) }
        case .allocate: Self.takeMemory()
        case .exit: Glibc.exit(3)
        case .abort: Glibc.abort()
        case .block: while true { pause() }
        case .dawdle: usleep(1_000_000)
        }
    }

    private static func recurse(_ depth: Int) -> Int {
        depth &+ (three == 3 ? recurse(depth + 1) : 0) &* three
    }

    private static func takeMemory() {
        var blocks: [[UInt8]] = []
        for _ in 0..<1_280 { blocks.append([UInt8](repeating: 1, count: 8 * 1_024 * 1_024)) }
        use(blocks.count)
    }

    // Numbers that the compiler cannot know.
    private static var three: Int { number.load(ordering: .relaxed) }
    private static let number = Atomic(3)
    private static let sum = Atomic(0)

    private static func use(_ number: Int) {
        sum.add(number, ordering: .relaxed)
    }
}
