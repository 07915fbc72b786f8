import Synchronization
import Usher
import UsherSessions

/// A clock that stands until a test moves it.
final class ManualClock: Clock {
    private let milliseconds = Atomic<Int64>(0)

    func now() -> Timestamp {
        Timestamp(milliseconds: milliseconds.load(ordering: .relaxed))
    }

    func advance(by amount: Int64) {
        milliseconds.add(amount, ordering: .relaxed)
    }
}
