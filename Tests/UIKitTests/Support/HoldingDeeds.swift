import UIKit
import Usher

extension Deed {
    /// Starts work that retains the controller.
    @MainActor
    func hold(_ controller: WorkViewController, _ log: WorkLog) {
        switch self {
        case .holdsAfter: DispatchQueue.main.asyncAfter(deadline: .now() + 2) { controller.tick() }
        case .holdsItem:
            // Only the queue retains the item.
            let item = DispatchWorkItem { controller.tick() }
            DispatchQueue.main.asyncAfter(deadline: .now() + 2, execute: item)
        case .holdsTimer: Timer.scheduledTimer(withTimeInterval: 2, repeats: false) { _ in controller.tick() }
        case .holdsTask:
            Task {
                let word = try await LoadWord(word: "word").output()
                try await Task.sleep(for: .seconds(1))
                controller.log.note(word)
            }
        case .holdsLoop:
            Task {
                while true {
                    try await Task.sleep(for: .seconds(1))
                    controller.tick()
                }
            }
        case .popsAfter: DispatchQueue.main.asyncAfter(deadline: .now() + 2) { controller.pop() }
        case .popsInTask:
            Task {
                try await Task.sleep(for: .seconds(2))
                controller.pop()
            }
        case .keeps: log.kept = controller
        default: break
        }
    }
}
