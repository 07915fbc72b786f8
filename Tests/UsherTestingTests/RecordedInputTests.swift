import Testing
import Usher
import UsherTesting

@Suite("AppUnderTest: inputs of a recorded session")
struct RecordedInputTests {
    @Test func `recorded results, failures and refused results are delivered without running an effect`() throws {
        let app = try AppUnderTest(LoadApp.self, services: LoadServices { throw CancellationError() })
        for _ in 1...3 { app.send("load") }
        app.input(#"{"effect":"3.1","success":"second"}"#)
        app.expectState(#"{"note":"second"}"#)
        app.input(#"{"effect":"2.1","failure":{"code":"offline","message":"no network"}}"#)
        app.expectState(#"{"note":"offline"}"#)
        app.expectWarning("the result of the effect \"load\" was refused: no more") {
            $0.input(#"{"refused":"4.1","reason":"no more"}"#)
        }
        app.expectPending()
        #expect(app.revision == 7)
        app.finishTest()
    }

    @Test func `a recorded timer fires when the test delivers it, however late that is`() throws {
        let app = try AppUnderTest(LoadApp.self)
        app.send("wait")
        app.advance(by: .seconds(5), firingTimers: false)
        app.expectPending("timer", "timer", "timer")
        app.input(#"{"timer":"2.2"}"#)
        app.expectState(#"{"note":"one at 5000;"}"#)
        app.advance(by: .zero)
        app.expectState(#"{"note":"one at 5000;another;three at 5000;"}"#)
        app.finishTest()
    }

    @Test func `the root coordinator is notified of a resumption, also in a replay`() throws {
        let app = try AppUnderTest(LoadApp.self)
        app.send("load")
        var dropped = Dropped()
        dropped.results = ["load"]
        app.resume(dropped: dropped)
        app.expectState(#"{"note":"lost load"}"#)
        #expect(app.revision == 3)
        app.input(
            #"{"resumed":1,"version":"2","reason":"input 2 differs","#
                + #""dropped":{"inputs":1,"messages":0,"results":["all"],"effects":[],"timers":[]}}"#)
        app.expectState(#"{"note":"lost all"}"#)
        app.expectRefusal(.refused, naming: "nothing was lost") { $0.resume(dropped: Dropped()) }
        app.finishTest()
    }

    @Test func `a recorded message is delivered to the root coordinator`() throws {
        let app = try AppUnderTest(LoadApp.self)
        app.input(#"{"message":{"text":"hello"}}"#)
        app.expectState(#"{"note":"hello"}"#)
        app.expectRefusal(.refused, naming: "nothing to tell") { $0.input(#"{"message":{"text":""}}"#) }
    }

    @Test(arguments: [
        #"{"effect":"2.2","success":""}"#, #"{"effect":"3.1","success":""}"#, #"{"timer":"2.1"}"#,
        #"{"refused":"1.1","reason":"no"}"#,
    ])
    func `a recorded result of an effect that is not pending is refused`(input: String) throws {
        let app = try AppUnderTest(LoadApp.self)
        app.send("load")
        app.expectRefusal(.stale, naming: "no such effect or timer is pending") { $0.input(input) }
    }

    @Test(arguments: [
        (#"{"effect":"2","success":""}"#, "such as \"7.1\""),
        (#"{"effect":"2.1"}"#, "the member \"success\" or \"failure\""),
        (#"{"refused":"2.1"}"#, "the member \"reason\""),
        (#"{"timer":"2.1","success":""}"#, "cannot have the member \"success\""),
        (#"{"event":"load","message":{"text":""}}"#, "cannot have the member \"event\""),
        (#"{"efect":"2.1"}"#, "efect"),
    ])
    func `an unknown kind of recorded input is refused with an explanation`(input: String, words: String) throws {
        let app = try AppUnderTest(LoadApp.self)
        app.send("load")
        app.expectRefusal(.invalid, naming: words) { $0.input(input) }
    }
}
