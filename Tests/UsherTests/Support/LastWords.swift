/// Does something when nobody holds it any more.
final class LastWords {
    private let words: () -> Void

    init(_ words: @escaping () -> Void) {
        self.words = words
    }

    deinit { words() }
}
