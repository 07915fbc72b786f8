import UIKit
import Usher

/// An app whose screens start all kinds of work, and show its notes.
enum WorkApp: App {
    static let screens: [any Screen.Type] = [WorkScreen.self]

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            let log = WorkLog()
            window.rootViewController = UINavigationController(rootViewController: WorkViewController(log))
            return log
        }
    }
}

struct WorkScreen: Screen, Equatable {
    enum Event: Codable {
        case run(deed: Deed)
    }

    static let examples: [Event] = [.run(deed: .push)]

    let log: [String]
}

/// The notes of a session, and the work that can be cancelled.
@MainActor
final class WorkLog {
    private(set) var lines: [String] = []
    var item: DispatchWorkItem?
    var timer: Timer?
    var task: Task<Void, Never>?
    var work: SessionWork?
    /// A planted mistake: a continuation that the session does not end.
    var continuation: CheckedContinuation<Void, Never>?
    /// A planted mistake: a controller that nothing releases.
    var kept: UIViewController?

    func note(_ line: String) {
        lines.append(line)
    }
}

/// A controller that starts work.
final class WorkViewController: UIViewController, ScreenController {
    let log: WorkLog

    init(_ log: WorkLog) {
        self.log = log
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    var content: WorkScreen { WorkScreen(log: log.lines) }

    func handle(_ event: WorkScreen.Event) throws {
        switch event {
        case .run(let deed): try deed.perform(self, log)
        }
    }

    func tick() { log.note("tick") }

    func pop() { navigationController?.popViewController(animated: true) }

    func tock(_ timer: Timer) { log.note("tock \(timer.userInfo as? String ?? "")") }
}

extension Deed {
    @MainActor
    func perform(_ controller: WorkViewController, _ log: WorkLog) throws {
        switch self {
        case .push: controller.show(WorkViewController(log), sender: nil)
        case .fail: throw Refusal("no")
        default:
            performOnQueue(log)
            performWithTimer(controller, log)
            performInTask(log)
            performWithEffect(log)
            misuseTask(log)
            hold(controller, log)
        }
    }
}
