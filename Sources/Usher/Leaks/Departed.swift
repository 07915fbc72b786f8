/// A coordinator or view model that has left its tree and must be dead at the end of the input.
///
/// An object itself, for to copy a weak reference costs more than to count it.
final class Departed {
    private(set) weak var object: AnyObject?
    private let path: String

    init(_ object: AnyObject, path: String) {
        self.object = object
        self.path = path
    }

    var isAlive: Bool { object != nil }

    /// The leak, if it is still alive.
    func leak(revision: Int, input: String) -> Leak? {
        guard let object else { return nil }
        return Leak(
            type: String(describing: type(of: object)), coordinator: path, revision: revision, input: input)
    }
}
