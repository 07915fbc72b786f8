/// What authors did that had no effect, kept for the answer to the input in which they did it.
///
/// Apart from the tree, so that an ended coordinator can still report misuse without keeping the tree alive.
final class Warnings {
    /// Never changed in place, as `Window.modals`.
    private(set) var messages: [String] = []

    /// More of one input are counted no further: they say the same.
    private static let limit = 32

    func add(_ message: String) {
        if messages.count < Self.limit { messages = messages + [message] }
    }

    func clear() {
        messages = []
    }
}
