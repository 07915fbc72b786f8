import Combine
import Foundation

@MainActor
final class KitchenTimerViewModel: ObservableObject {
    @Published private(set) var secondsLeft: Int
    @Published private(set) var isRunning = false

    var onDone: (() -> Void)?

    private var ticking: AnyCancellable?

    init(minutes: Int) {
        secondsLeft = minutes * 60
    }

    func toggle() {
        isRunning.toggle()
        guard isRunning else {
            ticking = nil
            return
        }
        ticking = Timer.publish(every: 1, on: .main, in: .common)
            .autoconnect()
            .sink { [weak self] _ in self?.tick() }
    }

    func close() {
        ticking = nil
        onDone?()
    }

    private func tick() {
        secondsLeft -= 1
        if secondsLeft <= 0 { close() }
    }
}
