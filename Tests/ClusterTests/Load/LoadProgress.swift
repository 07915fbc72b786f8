import Glibc
import Synchronization

/// How far a load has come: those who make faults wait for it, and end it.
final class LoadProgress: Sendable {
    private let steps = Atomic(0)
    private let flag = Atomic(false)

    /// True once the clients have to come to their end.
    var isOver: Bool { flag.load(ordering: .acquiring) }

    /// The requests that were answered so far.
    var count: Int { steps.load(ordering: .relaxed) }

    func note() { steps.add(1, ordering: .relaxed) }

    func finish() { flag.store(true, ordering: .releasing) }

    /// Waits until so many more requests have been answered, or a time is over.
    func wait(for more: Int, atMost seconds: Int64 = 20) {
        let (goal, end) = (count + more, LoadClient.now + seconds * 1_000_000_000)
        while count < goal, LoadClient.now < end { Self.pause() }
    }

    /// Lets a time go by.
    func rest(_ time: Duration) {
        usleep(UInt32(clamping: Int64(time / .microseconds(1))))
    }

    /// A moment, between two looks at something that another process does.
    static func pause() { usleep(5_000) }
}
