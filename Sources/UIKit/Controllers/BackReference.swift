/// A reference to a controller or a window that does not retain it; nil after its target is deallocated.
///
/// It replaces a weak reference, because reference counting is slow for objects with weak references. The target owns
/// its back reference and clears it in `deinit`, on the thread of its session.
@MainActor
final class BackReference<Target: AnyObject> {
    // Unchecked because it is only read and set; safe because the target clears it before it is deallocated.
    @safe @exclusivity(unchecked) nonisolated(unsafe) private unowned(unsafe) var target: Target?

    init(_ target: Target) {
        self.target = target
    }

    /// The target, if it still exists.
    var object: Target? { target }

    /// A Boolean value that indicates whether the target was deallocated.
    var isDangling: Bool { target == nil }

    nonisolated func clear() { target = nil }
}
