import UIKit
import Usher

/// The work that a screen begins.
enum Deed: String, Codable {
    case push, fail
    case async, asyncAfter, item, cancelItem, group, otherQueue
    case timerOnce, repeats, invalidate, methods, runLoop, heldTimer
    case task, sleep, cancelTask, foreign, value, children, actor, yields, output, twoOutputs, perform, giveUp
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

    @MainActor
    func performInTask(_ log: WorkLog) {
        switch self {
        case .task:
            Task { log.note("task") }
            DispatchQueue.main.async { log.note("after it") }
            log.note("now")
        case .sleep:
            log.task = Task {
                log.note("begun")
                do {
                    try await Task.sleep(for: .seconds(1))
                    try await Task.sleep(nanoseconds: 1_000_000_000)
                    log.note("slept")
                } catch {
                    log.note("cancelled \(Task.isCancelled)")
                }
            }
        case .cancelTask: log.task?.cancel()
        case .foreign:
            Task {
                log.note("waits")
                await unsafe withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        case .value:
            let task = Task {
                try await Task.sleep(for: .seconds(1))
                return 5
            }
            Task { log.note("value \(try await task.value)") }
        case .yields:
            Task {
                await Task.yield()
                log.note("later")
            }
            Task { log.note("first") }
        default: performWithEffect(log)
        }
    }

    @MainActor
    private func performWithEffect(_ log: WorkLog) {
        switch self {
        case .children:
            Task {
                async let first = LoadWord(word: "one").output()
                async let second = LoadWord(word: "two").output()
                log.note(try await first + " " + second)
            }
        case .actor: Task { log.note(try await WordCache().word()) }
        case .output:
            log.task = Task {
                do { log.note(try await LoadWord(word: "word").output()) } catch { log.note("\(error)") }
            }
        case .twoOutputs:
            Task {
                let word = try await LoadWord(word: "one").output()
                log.note(try await LoadWord(word: word + " two").output())
            }
        case .perform:
            log.work = LoadWord(word: "word").perform { result in log.note((try? result.get()) ?? "failure") }
        case .giveUp: log.work?.cancel()
        default: break
        }
    }
}

/// An effect that says a word.
struct LoadWord: Effect {
    let word: String

    func run(_ context: EffectContext<NoServices>) async throws -> String { word }
}

/// An actor of an app, without an executor of its own.
private actor WordCache {
    private var known: String?

    func word() async throws -> String {
        if let known { return known }
        let word = try await LoadWord(word: "cached").output()
        known = word
        return word
    }
}
