/// A reference to a controller or a window that keeps nothing; nil once its target is gone.
///
/// In place of a weak reference: each count of references to an object that somebody refers to weakly is slow. The target
/// owns its back reference, and clears it in `deinit`, on the thread of its session.
@MainActor
final class BackReference<Target: AnyObject> {
    // Unchecked, for it is only read and set; safe, because the target clears it before it is gone.
    @safe @exclusivity(unchecked) nonisolated(unsafe) private unowned(unsafe) var target: Target?

    init(_ target: Target) {
        self.target = target
    }

    /// The target, while it is there.
    var object: Target? { target }

    /// True once the target is gone.
    var isDangling: Bool { target == nil }

    nonisolated func clear() { target = nil }
}
