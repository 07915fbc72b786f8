/// The logic of the lowest screen, which only calls its coordinator.
final class SubViewModel {
    private weak var coordinator: (any SubCoordinating)?

    init(coordinator: any SubCoordinating) {
        self.coordinator = coordinator
    }

    func handle(_ event: SubScreen.Event) {
        switch event {
        case .close: coordinator?.close()
        case .home: coordinator?.goHome()
        }
    }
}
