import Usher
import UsherProcess
import UsherSessions

/// The machine's clock.
struct SystemClock: Clock {
    func now() -> Timestamp {
        Timestamp(milliseconds: WallTime.milliseconds())
    }
}
