import Testing
import UIKit
import Usher
import UsherTesting

/// Tests of `DispatchQueue`, `Timer` and `RunLoop` on a session's clock.
///
/// Each test ends with a replay.
@Suite
struct QueueTests {
    @Test func `work on the main queue runs in order at the end of the input`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.async)
        app.expectLog("now", "first", "second", "third")
        app.expectPending()
    }

    @Test func `delayed work runs in its own input, even if the screen that began the work has left`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.push)
        app.run(.asyncAfter)
        app.back()
        app.advance(by: .milliseconds(1_499))
        app.expectLog()
        app.advance(by: .milliseconds(1))
        app.expectLog("later")
    }

    @Test func `a work item runs at its time and notifies its observer`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.item)
        app.advance(by: .seconds(1))
        app.expectLog("item", "notified")
    }

    @Test func `a work item that is cancelled does not run and is no longer pending`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.item)
        app.run(.cancelItem)
        app.expectPending()
        app.advance(by: .seconds(2))
        app.expectLog()
    }

    @Test func `a work item that has already run notifies an observer at once`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.item)
        app.advance(by: .seconds(1))
        app.run(.lateNotification)
        app.expectLog("item", "notified", "late")
    }

    @Test func `an input is refused if its work adds more work endlessly`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.expectRefusal(.failed, naming: "the app's main queue never becomes empty") { $0.run(.asyncForEver) }
        app.expectLog()
    }

    @Test func `a dispatch group runs its notify closure when all of the group's work is done`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.group)
        app.expectLog("one", "two", "all")
    }

    @Test func `work on another queue runs on the session's thread`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.otherQueue)
        app.expectLog("value")
    }

    @Test func `a timer fires once and is invalid afterwards`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.timerOnce)
        app.advance(by: .seconds(5))
        app.expectLog("fired false")
        app.expectPending()
    }

    @Test func `a repeating timer fires until it is invalidated, even if its screen has left`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.push)
        app.run(.repeats)
        app.back()
        app.advance(by: .milliseconds(1_100))
        app.expectLog("tick", "tick")
        app.run(.invalidate)
        app.expectPending()
        app.advance(by: .seconds(5))
        app.expectLog("tick", "tick")
    }

    @Test func `if the clock jumps ahead, a repeating timer skips the firings that were due meanwhile`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.repeats)
        app.advance(by: .milliseconds(1_700), firingTimers: false)
        app.advance(by: .zero)
        app.expectLog("tick")
        app.advance(by: .milliseconds(300))
        app.expectLog("tick", "tick")
    }

    @Test func `if a timer's block sets a fire date, the timer fires next at that date`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.postpones)
        app.advance(by: .milliseconds(3_999))
        app.expectLog("tick")
        app.advance(by: .milliseconds(1))
        app.expectLog("tick", "tick")
        app.run(.invalidate)
    }

    @Test func `a timer can call a method of its target`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.methods)
        app.advance(by: .seconds(1))
        app.expectLog("tick", "tock info")
    }

    @Test func `a run loop fires the timers that were added to it and performs the work given to it`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.runLoop)
        app.expectLog("performed")
        app.advance(by: .seconds(1))
        app.expectLog("performed", "added")
    }

    @Test func `a timer still fires after its session's tree was rebuilt from the inputs`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.repeats)
        app.run(.asyncAfter)
        app.advance(by: .seconds(1))
        // After a refusal, the tree is rebuilt from the previous inputs.
        app.expectRefusal(.refused) { $0.run(.fail) }
        app.advance(by: .milliseconds(500))
        app.expectLog("tick", "tick", "later", "tick")
        app.run(.invalidate)
        app.expectPending()
    }

    @Test func `a timer that is never invalidated leaks its controller, and the report names the timer`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.push)
        app.run(.heldTimer)
        withKnownIssue {
            app.back()
        } matching: { issue in
            issue.comments.contains { "\($0)".contains("a timer, given at UIKitTests/Deeds.swift") }
        }
    }

    @Test func `outside a session, DispatchQueue.main is the process's main queue`() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(1)) {
                DispatchQueue.main.async { continuation.resume() }
            }
        }
    }
}

extension AppUnderTest {
    func run(_ deed: Deed) {
        send("run", ["deed": deed.rawValue])
    }

    func expectLog(_ lines: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        expectVisible(WorkScreen(log: lines), sourceLocation: sourceLocation)
    }
}
