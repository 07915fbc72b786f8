// swift-format-ignore-file
// As it was exported; USHER_RECORD=1 writes it anew.
import Testing
import Usher
import UsherTesting

@testable import Notes

/// The session 0e1d1c77… of the app "notes", as it was recorded.
@Test func recordedSession0e1d1c77() throws {
    let app = try AppUnderTest(
        NotesApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 8063029646939814933,
        time: Timestamp(milliseconds: 1795181309042))
    app.expectStack("n[main]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":"showSettings"}"#)
    app.expectStack("n[main] ⊕ sheet[settings]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"dismissed":2}"#)
    app.expectStack("n[main]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":{"showDetail":{"id":1}}}"#)
    app.expectStack("n[main, detail]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":{"showDetail":{"id":2}}}"#)
    app.expectStack("n[main, detail, detail]")

    app.advance(by: .milliseconds(3000))
    app.input(#"{"popped":4}"#)
    app.expectStack("n[main, detail]")

    app.advance(by: .milliseconds(3000))
    app.input(#"{"back":true}"#)
    app.expectStack("n[main]")
}
