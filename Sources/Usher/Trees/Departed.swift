/// A coordinator that has left its tree and must be dead at the end of the input.
struct Departed {
    private weak var coordinator: AnyCoordinator?
    private let path: String

    init(_ coordinator: AnyCoordinator, path: String) {
        self.coordinator = coordinator
        self.path = path
    }

    /// The leak, if it is still alive.
    func leak(revision: Int) -> Leak? {
        guard let coordinator else { return nil }
        return Leak(type: String(describing: type(of: coordinator)), coordinator: path, revision: revision)
    }
}
