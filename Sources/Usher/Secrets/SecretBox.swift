/// What the copies of one secret share: the value, and its share in how its input's secrets are used.
final class SecretBox<Value: Sendable>: Sendable {
    /// Nil where the journal has it no more.
    let value: Value?
    let use: SecretUse?

    init(_ value: Value?, use: SecretUse?) {
        self.value = value
        self.use = use
        use?.hold()
    }

    deinit {
        use?.release()
    }
}
