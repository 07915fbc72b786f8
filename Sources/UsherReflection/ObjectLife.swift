import Synchronization

/// Shows whether an object is still alive; the object itself reports the end of its life.
///
/// This type replaces a weak reference, because reference counting is slower for objects with weak references. An
/// object that is removed from the tree is still retained and released many times in the rest of the input.
package final class ObjectLife: Sendable {
    /// Sendable because only `object` reads it, while the lock keeps the object from being deallocated.
    private struct Target: @unchecked Sendable {
        unowned(unsafe) let object: AnyObject
    }

    /// The object; nil once its `deinit` has reported the end.
    ///
    /// Locked, because any thread may release the object.
    private let target: Mutex<Target?>
    /// A Boolean value indicating whether the end was reported; read without the lock.
    private let hasEnded = Atomic(false)

    /// Begins the life of an object.
    package init(of object: borrowing AnyObject) {
        target = Mutex(Target(object: copy object))
    }

    /// Reports the end; called by the object's `deinit`.
    package func end() {
        target.withLock { $0 = nil }
        hasEnded.store(true, ordering: .releasing)
    }

    /// A Boolean value that indicates whether the object's `deinit` has begun.
    package var isOver: Bool { hasEnded.load(ordering: .acquiring) }

    /// The object; nil once its `deinit` has begun.
    package var object: AnyObject? {
        var living: AnyObject?
        target.withLock { target in
            guard let object = unsafe target?.object else { return }
            // If the object's `deinit` already waits for the lock on another thread, this weak reference is nil.
            weak let reference = object
            // The object is released last, after the lock. A release within the lock could begin the `deinit`, which
            // needs the lock.
            withExtendedLifetime(object) { living = reference }
        }
        return living
    }
}
