import UIKit

/// The time for which chosen seats are held for the user.
@MainActor
final class SeatHold {
    private(set) var secondsLeft: Int
    var onTick: (() -> Void)?
    var onExpire: (() -> Void)?
    private var timer: Timer?

    init(seconds: Int) {
        secondsLeft = seconds
    }

    func start() {
        timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in
            MainActor.assumeIsolated { self?.tick() }
        }
    }

    func cancel() {
        timer?.invalidate()
        timer = nil
    }

    private func tick() {
        secondsLeft -= 1
        onTick?()
        guard secondsLeft == 0 else { return }
        cancel()
        onExpire?()
    }
}
