import Synchronization

/// Takes a value that is not `Sendable` into a lock: a closure cannot capture it as *sending*.
final class Sent<Value>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: sending Value) {
        self.value = Mutex(value)
    }

    /// The value, once.
    func take() -> sending Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
