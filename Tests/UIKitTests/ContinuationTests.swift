import Synchronization
import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of continuations, streams and groups of tasks in a session.
///
/// Each test ends with a replay.
@Suite
struct ContinuationTests {
    @Test(arguments: [Wait.ask, .askOrThrow])
    func `an input resumes a continuation, and its task continues in the same input`(_ wait: Wait) throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.begin(wait)
        app.expectNotes("asks")
        app.answer("yes")
        app.expectNotes("asks", "yes")
    }

    @Test func `if an input resumes a continuation with an error, the continuation throws the error`() throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.begin(.askOrThrow)
        app.send("fail")
        app.expectNotes("asks", "CancellationError()")
    }

    @Test func `a continuation can be resumed before its task waits`() throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.begin(.atOnce)
        app.expectNotes("at once")
    }

    @Test func `an effect that ends resumes the continuation that waits for the effect`() async throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.begin(.effect)
        app.expectPending("loadWord")
        await app.settle()
        app.expectNotes("word")
    }

    @Test func `cancelling a task does not resume its continuation, as on a phone`() throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.begin(.askOrThrow)
        app.send("cancel")
        app.expectNotes("asks")
        app.answer("yes")
        app.expectNotes("asks", "yes")
    }

    @Test func `a second resumption of a continuation is refused with file and line, and changes nothing`() throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.begin(.ask)
        app.expectRefusal(.failed, naming: "ask() tried to resume its continuation more than once (the Task at UIKit") {
            $0.send("answerTwice")
        }
        app.expectNotes("asks")
        app.answer("yes")
        app.expectNotes("asks", "yes")
    }

    @Test func `a continuation that is released without a resumption causes a warning`() throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.begin(.ask)
        app.expectWarning("ask() leaked its continuation without resuming it") { $0.send("forget") }
        app.expectNotes("asks")
    }

    @Test func `a warning appears if a task waits in a way that the session's end cannot stop`() throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.expectWarning("use withCheckedThrowingContinuation") { $0.begin(.choose) }
        app.send("choose")
        app.expectNotes("chosen")
    }

    @Test(arguments: [Wait.resumedElsewhere, .fedElsewhere])
    func `if another thread resumes a continuation during an input, the input is refused with file and line`(
        _ wait: Wait
    ) throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.expectRefusal(.failed, naming: "at UIKitTests/ContinuationTests.swift:") { $0.begin(wait) }
        app.expectNotes()
        app.begin(.atOnce)
        app.expectNotes("at once")
    }

    @Test
    func `if another thread resumes a continuation between inputs, nothing happens, and the next input is refused`()
        throws
    {
        let app = try AppUnderTest(WaitingApp.self)
        app.begin(.share)
        let continuation = Shared.continuation.withLock { $0 }
        continuation?.resume(returning: "foreign")
        app.expectRefusal(.failed, naming: "(the Task at UIKitTests/ContinuationTests.swift:") { $0.begin(.atOnce) }
        app.expectNotes()
        app.begin(.atOnce)
        app.expectNotes("at once")
    }

    @Test(arguments: [Wait.stream, .throwingStream])
    func `inputs add values to an async stream and finish the stream`(_ wait: Wait) throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.begin(wait)
        app.answer("one")
        app.expectNotes("one")
        app.answer("two")
        app.send("finish")
        app.expectNotes("one", "two", "end")
    }

    @Test func `if an input finishes a throwing stream with an error, the stream throws the error`() throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.begin(.throwingStream)
        app.answer("one")
        app.send("fail")
        app.expectNotes("one", "CancellationError()")
    }

    @Test func `a cancelled task stops waiting for its stream`() throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.begin(.stream)
        app.send("cancel")
        app.expectNotes("end")
    }

    @Test func `a stream whose values come from a function waits on the session's clock`() throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.begin(.unfolding)
        app.advance(by: .seconds(1))
        app.expectNotes("1")
        app.advance(by: .seconds(1))
        app.expectNotes("1", "2", "end")
    }

    @Test(arguments: [Wait.group, .throwingGroup])
    func `the tasks of a task group end in the order in which inputs resume the tasks`(_ wait: Wait) throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.begin(wait)
        app.advance(by: .seconds(1))
        app.answer("yes")
        app.advance(by: .seconds(1))
        app.expectNotes("asks", "after 1", "yes", "after 2", "end")
    }

    @Test func `async let waits for a continuation`() throws {
        let app = try AppUnderTest(WaitingApp.self)
        app.begin(.asyncLet)
        app.answer("yes")
        app.expectNotes("asks", "yes word")
    }

    @Test(.timeLimit(.minutes(5)), arguments: [Wait.endsWithAsk, .endsWithThrow, .endsWithStream])
    func `if a session ends while a task waits, the task is freed`(_ wait: Wait) async throws {
        let (ends, continuation) = _Concurrency.AsyncStream<String>.makeStream()
        Shared.ends.withLock { $0[wait] = continuation }
        var app: AppUnderTest? = try AppUnderTest(WaitingApp.self)
        app?.begin(wait)
        app = nil
        // The session's task ends, and the replay's.
        var iterator = ends.makeAsyncIterator()
        for _ in 0..<2 { #expect(await iterator.next() == "\(wait)") }
    }

    @Test func `outside a session, a second resumption is ignored`() async throws {
        let value: Int = await withCheckedContinuation { continuation in
            continuation.resume(returning: 1)
            continuation.resume(returning: 2)
        }
        #expect(value == 1)
        await #expect(throws: CancellationError.self) {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                Thread.detachNewThread { continuation.resume(throwing: CancellationError()) }
            }
        }
    }

    @Test func `outside a session, AsyncStream is Swift's own AsyncStream`() async {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        Thread.detachNewThread {
            continuation.yield(1)
            continuation.finish()
        }
        var values: [Int] = []
        for await value in stream { values.append(value) }
        #expect(values == [1])
    }
}

extension AppUnderTest {
    fileprivate func begin(_ wait: Wait, sourceLocation: SourceLocation = #_sourceLocation) {
        send("begin", ["wait": wait.rawValue])
    }

    fileprivate func answer(_ text: String) { send("answer", ["text": text]) }

    fileprivate func expectNotes(_ notes: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        expectVisible(WaitingScreen(notes: notes), sourceLocation: sourceLocation)
    }
}

enum Wait: String, Codable, CaseIterable, Sendable {
    case ask, askOrThrow, atOnce, effect, choose, resumedElsewhere, fedElsewhere, share
    case stream, throwingStream, unfolding, group, throwingGroup, asyncLet
    case endsWithAsk, endsWithThrow, endsWithStream
}

/// What tests share with a session.
private enum Shared {
    static let continuation = Mutex<CheckedContinuation<String, Never>?>(nil)
    static let ends = Mutex<[Wait: _Concurrency.AsyncStream<String>.Continuation]>([:])
}

/// An object that a task retains, and that reports its release.
private final class Held {
    private let wait: Wait

    init(_ wait: Wait) { self.wait = wait }

    deinit {
        let continuation = Shared.ends.withLock { [wait] in $0[wait] }
        continuation?.yield("\(wait)")
    }
}

private enum WaitingApp: App {
    static let screens: [any Screen.Type] = [WaitingScreen.self]

    static func root(_ options: NoOptions) -> sending AnyCoordinator {
        UIKitCoordinator { window in
            window.rootViewController = WaitingViewController()
            return nil
        }
    }
}

private struct WaitingScreen: Screen, Equatable {
    enum Event: Codable {
        case begin(wait: Wait), answer(text: String), answerTwice, fail, finish, forget, cancel, choose
    }

    static let examples: [Event] = [
        .begin(wait: .ask), .answer(text: "yes"), .answerTwice, .fail, .finish, .forget, .cancel, .choose,
    ]

    let notes: [String]
}

/// A type without a value for the end of a session.
private struct Choice: Sendable { let text: String }

private final class WaitingViewController: UIViewController, ScreenController {
    private var notes: [String] = []
    private var task: Task<Void, Never>?
    private var onAnswer: ((Result<String, any Error>?) -> Void)?
    private var onChoice: ((Choice) -> Void)?

    var content: WaitingScreen { WaitingScreen(notes: notes) }

    func handle(_ event: WaitingScreen.Event) {
        switch event {
        case .begin(let wait): begin(wait)
        case .answer(let text): onAnswer?(.success(text))
        case .answerTwice:
            onAnswer?(.success("once"))
            onAnswer?(.success("twice"))
        case .fail: onAnswer?(.failure(CancellationError()))
        case .finish: onAnswer?(nil)
        case .forget: onAnswer = nil
        case .cancel: task?.cancel()
        case .choose: onChoice?(Choice(text: "chosen"))
        }
    }

    private func begin(_ wait: Wait) {
        task = Task {
            do { try await run(wait) } catch { notes.append("\(error)") }
        }
        if wait == .resumedElsewhere || wait == .fedElsewhere {
            // By then the task waits, and is resumed during the input.
            DispatchQueue.main.async {
                let done = DispatchSemaphore(value: 0)
                nonisolated(unsafe) let answer = self.onAnswer
                Thread.detachNewThread {
                    unsafe answer?(.success("foreign"))
                    done.signal()
                }
                done.wait()
            }
        }
    }

    private func run(_ wait: Wait) async throws {
        switch wait {
        case .ask, .resumedElsewhere: notes.append(await ask())
        case .askOrThrow: notes.append(try await askOrThrow())
        case .atOnce: notes.append(await withCheckedContinuation { $0.resume(returning: "at once") })
        case .effect:
            notes.append(
                try await withCheckedThrowingContinuation { continuation in
                    LoadWord(word: "word").perform { continuation.resume(with: $0) }
                })
        case .choose: notes.append(await choose().text)
        case .share:
            await notes.append(
                withCheckedContinuation { continuation in Shared.continuation.withLock { $0 = continuation } })
        case .stream, .fedElsewhere:
            for await value in stream() { notes.append(value) }
            notes.append("end")
        case .throwingStream:
            for try await value in throwingStream() { notes.append(value) }
            notes.append("end")
        case .unfolding:
            let count = Atomic(0)
            let values = AsyncStream<Int> {
                guard count.load(ordering: .relaxed) < 2, (try? await Task.sleep(for: .seconds(1))) != nil else {
                    return nil
                }
                return count.add(1, ordering: .relaxed).newValue
            }
            for await value in values { notes.append("\(value)") }
            notes.append("end")
        case .group, .throwingGroup, .asyncLet: try await runChildren(wait)
        case .endsWithAsk, .endsWithThrow, .endsWithStream: try await runToEnd(wait)
        }
    }

    private func runChildren(_ wait: Wait) async throws {
        switch wait {
        case .group:
            await withTaskGroup(of: String.self) { group in
                group.addTask { await self.ask() }
                for seconds in [2, 1] {
                    group.addTask {
                        try? await Task.sleep(for: .seconds(seconds))
                        return "after \(seconds)"
                    }
                }
                for await value in group { notes.append(value) }
            }
            notes.append("end")
        case .throwingGroup:
            try await withThrowingTaskGroup(of: String.self) { group in
                group.addTask { try await self.askOrThrow() }
                for seconds in [2, 1] {
                    group.addTask {
                        try await Task.sleep(for: .seconds(seconds))
                        return "after \(seconds)"
                    }
                }
                while let value = try await group.next() { notes.append(value) }
            }
            notes.append("end")
        default:
            async let answer = ask()
            async let word = withCheckedContinuation { $0.resume(returning: "word") }
            notes.append(await answer + " " + word)
        }
    }

    private func runToEnd(_ wait: Wait) async throws {
        let held = Held(wait)
        defer { withExtendedLifetime(held) {} }
        switch wait {
        case .endsWithAsk: _ = await ask()
        case .endsWithThrow: _ = try await askOrThrow()
        default: for await _ in stream() {}
        }
    }

    private func ask() async -> String {
        await withCheckedContinuation { continuation in
            notes.append("asks")
            onAnswer = { answer in
                if case .success(let text) = answer { continuation.resume(returning: text) }
            }
        }
    }

    private func askOrThrow() async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            notes.append("asks")
            onAnswer = { answer in
                if let answer { continuation.resume(with: answer) }
            }
        }
    }

    private func choose() async -> Choice {
        await withCheckedContinuation { continuation in
            onChoice = { continuation.resume(returning: $0) }
        }
    }

    private func stream() -> AsyncStream<String> {
        AsyncStream { continuation in
            onAnswer = { answer in
                if case .success(let text)? = answer { continuation.yield(text) } else { continuation.finish() }
            }
        }
    }

    private func throwingStream() -> AsyncThrowingStream<String, any Error> {
        AsyncThrowingStream { continuation in
            onAnswer = { answer in
                switch answer {
                case .success(let text): continuation.yield(text)
                case .failure(let error): continuation.finish(throwing: error)
                case nil: continuation.finish()
                }
            }
        }
    }
}
