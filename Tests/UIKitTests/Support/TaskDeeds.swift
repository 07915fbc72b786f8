import UIKit
import Usher

extension Deed {
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
        default: break
        }
    }

    /// The misuses of tasks.
    @MainActor
    func misuseTask(_ log: WorkLog) {
        switch self {
        case .foreign:
            Task {
                log.note("waits")
                await unsafe withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        case .elsewhere:
            Task { @MainActor in
                let end = TaskEnd(TaskEnd.ofForeign)
                await withCheckedContinuation { log.continuation = $0 }
                log.note("resumed")
                end.isReached = true
            }
            // By then the task waits, and is resumed during the input.
            DispatchQueue.main.async {
                let (resumed, waiting) = (DispatchSemaphore(value: 0), log.continuation)
                Thread.detachNewThread {
                    waiting?.resume()
                    resumed.signal()
                }
                resumed.wait()
            }
        case .swiftTask:
            let ends = TaskEnd.ofSwiftTask.continuation
            // This is what `Task` means in a file that imports only Foundation.
            _Concurrency.Task { @concurrent in
                ends.yield(UIKitSession.current == nil && UserDefaults.standard.object(forKey: "key") == nil)
            }
            UserDefaults.standard.set(1, forKey: "key")
        case .processTask: Task { await ProcessTask.shared.value }
        case .yieldForEver:
            Task {
                while !Task.isCancelled { await Task.yield() }
            }
        case .hopForEver:
            Task {
                let cache = WordCache()
                while !Task.isCancelled { await cache.touch() }
            }
        case .cleansUp:
            Task {
                let end = TaskEnd(TaskEnd.ofCleanup)
                try? await Task.sleep(for: .seconds(60))
                try? await Task.sleep(for: .seconds(1))
                _ = try? await LoadWord(word: "bye").output()
                await Task.yield()
                end.isReached = true
            }
        default: break
        }
    }

    @MainActor
    func performWithEffect(_ log: WorkLog) {
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

/// An effect that returns a word.
struct LoadWord: Effect {
    let word: String

    func run(_ context: EffectContext<NoServices>) async throws -> String { word }
}

/// An app's actor without a custom executor.
private actor WordCache {
    private var known: String?

    func word() async throws -> String {
        if let known { return known }
        let word = try await LoadWord(word: "cached").output()
        known = word
        return word
    }

    func touch() {}
}

/// A task of the process, which belongs to no session.
enum ProcessTask {
    static let shared = Task<Void, Never> {
        try? await Task.sleep(for: .seconds(600))
    }
}

/// An object that a task retains, and that reports its release, at the task's end or before.
final class TaskEnd {
    typealias Ends = (stream: AsyncStream<Bool>, continuation: AsyncStream<Bool>.Continuation)

    static let ofForeign: Ends = AsyncStream.makeStream()
    static let ofCleanup: Ends = AsyncStream.makeStream()
    static let ofSwiftTask: Ends = AsyncStream.makeStream()

    var isReached = false
    private let continuation: AsyncStream<Bool>.Continuation

    init(_ ends: Ends) {
        continuation = ends.continuation
    }

    deinit {
        continuation.yield(isReached)
    }
}
