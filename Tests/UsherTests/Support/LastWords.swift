/// Runs a closure when it is deallocated.
final class LastWords {
    private let words: () -> Void

    init(_ words: @escaping () -> Void) {
        self.words = words
    }

    deinit { words() }
}
