import Testing
import UIKit
import UsherTesting

/// Tests of the leak verdict on a controller that has left, and is held by work.
///
/// Each test ends with a replay.
@Suite
struct HeldControllerTests {
    @Test(arguments: [Deed.holdsAfter, .holdsItem, .holdsTimer])
    func `a controller that only a one-shot timer retains is not a leak`(_ deed: Deed) throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.push)
        app.run(deed)
        app.back()
        app.advance(by: .seconds(2))
        app.expectLog("tick")
        app.expectPending()
    }

    @Test func `a controller that only a waiting task retains is not a leak`() async throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.push)
        app.run(.holdsTask)
        app.back()
        await app.settle()
        app.expectPending("timer")
        app.advance(by: .seconds(1))
        app.expectLog("word")
    }

    @Test(arguments: [Deed.popsAfter, .popsInTask])
    func `a controller that is removed by its own timer or task is not a leak`(_ deed: Deed) throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.push)
        app.run(deed)
        app.advance(by: .seconds(2))
        app.expectStack("n[work]")
        app.expectPending()
    }

    @Test func `a controller that a task retains forever is a leak, and the report names the task`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.push)
        app.run(.holdsLoop)
        app.back()
        app.advance(by: .seconds(5))
        app.expectLeak("the task that was begun at UIKitTests/HoldingDeeds.swift") { $0.advance(by: .seconds(10)) }
    }

    @Test
    func `after the work that retains a controller is done, the controller is a leak if another object retains it too`()
        throws
    {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.push)
        app.run(.holdsAfter)
        app.run(.keeps)
        app.back()
        app.expectLeak("application.kept.kept") { $0.advance(by: .seconds(2)) }
    }

    @Test func `a controller that only pending work retains when the session ends is not a leak`() throws {
        let app = try AppUnderTest(WorkApp.self)
        app.run(.push)
        app.run(.holdsAfter)
        app.run(.holdsTask)
        app.back()
    }
}
