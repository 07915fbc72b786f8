/// An unretained reference to a controller or a window; nil once that object is deallocated.
///
/// The class replaces weak references, because reference counting is slow for objects with weak references. The target
/// owns its back reference and clears it in `deinit`, on the thread of its session.
@safe
@MainActor
final class BackReference<Target: AnyObject> {
    // The target clears the value before its deallocation.
    // Unchecked, because the value is only read and replaced, on the thread of one session.
    @exclusivity(unchecked) nonisolated(unsafe) private var target: Unmanaged<Target>?

    init(_ target: Target) {
        unsafe self.target = .passUnretained(target)
    }

    var object: Target? { unsafe target?.takeUnretainedValue() }

    var isDangling: Bool { unsafe target == nil }

    /// Reads the target without counting a reference; `body` must not run app code, which may release the target.
    func read<Value>(_ body: (Target) -> Value) -> Value? {
        guard let target = unsafe target else { return nil }
        return unsafe target._withUnsafeGuaranteedRef(body)
    }

    nonisolated func clear() { unsafe target = nil }
}
