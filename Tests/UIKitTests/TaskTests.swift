import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of `Task` on a session's thread.
///
/// Each test ends with a replay.
@Suite
struct TaskTests {
    @Test func `the body of a task runs at the end of the input, in order with other work`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.task)
        app.expectLog("now", "task", "after it")
    }

    @Test func `a task sleeps on the session's clock, even if its screen has left`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.push)
        app.run(.sleep)
        app.expectPending("timer")
        app.back()
        app.advance(by: .seconds(1))
        app.expectLog("begun")
        app.advance(by: .seconds(1))
        app.expectLog("begun", "slept")
        app.expectPending()
    }

    @Test func `cancelling a sleeping task wakes it in the same input`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.sleep)
        app.run(.cancelTask)
        app.expectLog("begun", "cancelled true")
        app.expectPending()
    }

    @Test func `an input is refused if its task awaits something outside the session, and the error names the line`()
        throws
    {
        let app = try AppUnderTest(WorkApp.self)
        app.expectRefusal(.failed, naming: "UIKitTests/TaskDeeds.swift:") { $0.run(.foreign) }
        app.expectLog()
        app.run(.task)
        app.expectLog("now", "task", "after it")
    }

    @Test(.timeLimit(.minutes(5)))
    func `an input is refused if another thread resumes its task, and the task is freed after the session`()
        async throws
    {
        let app = try AppUnderTest(WorkApp.self)
        app.expectRefusal(.failed, naming: "UIKitTests/TaskDeeds.swift:") { $0.run(.elsewhere) }
        app.expectLog()
        var ends = TaskEnd.ofForeign.stream.makeAsyncIterator()
        #expect(await ends.next() == true)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a detached Swift task cannot access the session from another thread`() async throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.swiftTask)
        var ends = TaskEnd.ofSwiftTask.stream.makeAsyncIterator()
        #expect(await ends.next() == true)
    }

    @Test func `an input is refused if its task awaits a task of the process`() throws {
        let foreign = ProcessTask.shared
        let app = try AppUnderTest(WorkApp.self)
        app.expectRefusal(.failed, naming: "UIKitTests/TaskDeeds.swift:") { $0.run(.processTask) }
        foreign.cancel()
    }

    @Test(arguments: [
        (Deed.yieldForEver, "the app's main queue never becomes empty"), (.hopForEver, "never finish"),
    ])
    func `if an input's task runs forever, the input is refused, and the task ends when the session ends`(
        _ deed: Deed, _ words: String
    ) throws {
        let app = try AppUnderTest(WorkApp.self)
        app.expectRefusal(.failed, naming: words) { $0.run(deed) }
        app.run(.task)
        app.expectLog("now", "task", "after it")
    }

    @Test(.timeLimit(.minutes(5)))
    func `when a session ends, a waiting task runs its cleanup code and finishes`() async throws {
        var app: AppUnderTest? = try AppUnderTest(WorkApp.self)
        app?.run(.cleansUp)
        app = nil
        // The session's task ends, and the replay's.
        var ends = TaskEnd.ofCleanup.stream.makeAsyncIterator()
        #expect(await ends.next() == true)
        #expect(await ends.next() == true)
    }

    @Test func `a task can await the value of another task`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.value)
        app.advance(by: .seconds(1))
        app.expectLog("value 5")
    }

    @Test func `a task that calls Task.yield lets the other tasks run first`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.yields)
        app.expectLog("first", "later")
    }

    @Test func `the child tasks of a task run on the session's thread`() async throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.children)
        app.expectPending("loadWord", "loadWord")
        await app.settle()
        app.expectLog("one two")
    }

    @Test func `the code of an actor runs on the session's thread`() async throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.actor)
        await app.settle()
        app.expectLog("cached")
    }

    @Test func `after a session is rebuilt from its inputs, the session's tasks are at the same point as before`()
        async throws
    {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.twoOutputs)
        app.run(.sleep)
        app.expectRefusal(.refused) { $0.run(.fail) }
        await app.settle()
        app.advance(by: .seconds(2))
        app.expectLog("begun", "one two", "slept")
    }

    @Test func `if a session ends while its tasks wait, nothing stays in memory`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.sleep)
        app.run(.output)
        app.run(.value)
    }

    @Test func `outside a session, Task is Swift's own Task`() async throws {
        let task = Task {
            try await Task.sleep(for: .milliseconds(1))
            await Task.yield()
            return 5
        }
        #expect(try await task.value == 5)
    }
}

/// Tests of effects that an app awaits, or passes closures to.
@Suite
struct EffectOfSessionTests {
    @Test func `a task can await an effect, even if the screen that began the effect has left`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.push)
        app.run(.output)
        app.back()
        app.resolve(LoadWord.self, .success("answer"))
        app.expectLog("answer")
    }

    @Test func `awaiting a failed effect throws its failure`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.output)
        app.resolve(LoadWord.self, .failure(EffectFailure(code: "gone", message: "it is gone")))
        #expect(app.visible?.state.contains("it is gone") == true)
    }

    @Test func `cancelling a task cancels the effect that the task awaits`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.output)
        app.run(.cancelTask)
        app.expectPending()
        app.expectLog("CancellationError()")
    }

    @Test func `an effect's closure is called with the effect's result`() async throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.perform)
        await app.settle()
        app.expectLog("word")
    }

    @Test func `a cancelled effect calls no closure`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.perform)
        app.run(.giveUp)
        app.expectPending()
        app.expectLog()
    }

    @Test func `outside a session, effects do not begin`() async throws {
        await #expect(throws: EffectFailure.self) { try await LoadWord(word: "word").output() }
        #expect(!LoadWord(word: "word").perform { _ in }.isPending)
    }
}
