import UIKit
import Usher

/// The work that a screen starts.
enum Deed: String, Codable {
    case push, fail
    case async, asyncAfter, item, cancelItem, lateNotification, group, otherQueue, asyncForEver
    case timerOnce, repeats, invalidate, postpones, methods, runLoop, heldTimer
    case task, sleep, cancelTask, value, children, actor, yields, output, twoOutputs, perform, giveUp
    case foreign, elsewhere, swiftTask, processTask, yieldForEver, hopForEver, cleansUp
    case holdsAfter, holdsItem, holdsTimer, holdsTask, holdsLoop, popsAfter, popsInTask, keeps
}

extension Deed {
    @MainActor
    func performOnQueue(_ log: WorkLog) {
        switch self {
        case .async:
            DispatchQueue.main.async { log.note("first") }
            DispatchQueue.main.async {
                log.note("second")
                DispatchQueue.main.async { log.note("third") }
            }
            log.note("now")
        case .asyncAfter: DispatchQueue.main.asyncAfter(deadline: .now() + 1.5) { log.note("later") }
        case .item:
            let item = DispatchWorkItem { log.note("item") }
            item.notify(queue: .main) { log.note("notified") }
            log.item = item
            DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(1), execute: item)
        case .cancelItem: log.item?.cancel()
        case .lateNotification: log.item?.notify(queue: .main) { log.note("late") }
        case .asyncForEver: DispatchQueue.main.async { Deed.asyncForEver.performOnQueue(log) }
        case .group:
            let group = DispatchGroup()
            group.enter()
            DispatchQueue.global().async(group: group) { log.note("one") }
            DispatchQueue.main.async {
                log.note("two")
                group.leave()
            }
            group.notify(queue: .main) { log.note("all") }
        case .otherQueue:
            DispatchQueue(label: "own").async {
                let value = DispatchQueue(label: "other").sync { "value" }
                DispatchQueue.main.async { log.note(value) }
            }
        default: break
        }
    }

    @MainActor
    func performWithTimer(_ controller: WorkViewController, _ log: WorkLog) {
        switch self {
        case .timerOnce:
            log.timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { timer in
                log.note("fired \(timer.isValid)")
            }
        case .repeats:
            log.timer = Timer.scheduledTimer(withTimeInterval: 0.5, repeats: true) { _ in log.note("tick") }
        case .invalidate: log.timer?.invalidate()
        case .postpones:
            log.timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { timer in
                log.note("tick")
                timer.fireDate = timer.fireDate.addingTimeInterval(3)
            }
        case .methods:
            log.timer = Timer.scheduledTimer(
                timeInterval: 1, target: controller, selector: WorkViewController.tick, userInfo: nil, repeats: false)
            Timer.scheduledTimer(
                timeInterval: 1, target: controller, selector: WorkViewController.tock, userInfo: "info",
                repeats: false)
        case .runLoop:
            let timer = Timer(timeInterval: 1, repeats: false) { _ in log.note("added") }
            RunLoop.main.add(timer, forMode: .common)
            RunLoop.main.perform { log.note("performed") }
        case .heldTimer: Timer.scheduledTimer(withTimeInterval: 60, repeats: true) { _ in controller.tick() }
        default: break
        }
    }
}
