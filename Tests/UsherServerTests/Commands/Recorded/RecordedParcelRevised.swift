// swift-format-ignore-file
// As it was exported; USHER_RECORD=1 writes it anew.
import Testing
import Usher
import UsherTesting

/// The session d6e0de17… of the app "parcel", as it was recorded.
@Test func recordedSessiond6e0de17() throws {
    let app = try AppUnderTest(
        ParcelAppRevised.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 4082904894213356565,
        time: Timestamp(milliseconds: 1795181309042))
    app.expectStack("n[parcel]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":"chain"}"#)
    app.expectStack("n[parcel]")

    // A secret is masked in the next line: replace "…" with a secret.
    app.input(#"{"effect":"2.1","success":{"name":"it's first","pin":"…"}}"#)
    app.expectStack("n[parcel]")

    // A secret is masked in the next line: replace "…" with a secret.
    app.input(#"{"effect":"3.1","success":{"name":"it's second","pin":"…"}}"#)
    app.expectStack("n[parcel] ⊕ sheet[receipt]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"back":true}"#)
    app.expectStack("n[parcel]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":{"remind":{"after":5000}}}"#)
    app.expectStack("n[parcel]")

    app.advance(by: .milliseconds(3000))
    app.input(#"{"resumed":6,"reason":"input 7 (event look) once led to the screen news 3, and now to the screen receipt 3","dropped":{"inputs":1,"messages":0,"results":[],"effects":[],"timers":[]}}"#)
    app.expectStack("n[parcel]")

    app.input(#"{"event":"chain"}"#)
    app.expectStack("n[parcel]")

    // A secret is masked in the next line: replace "…" with a secret.
    app.input(#"{"effect":"8.1","success":{"name":"it's first","pin":"…"}}"#)
    app.expectStack("n[parcel]")

    // A secret is masked in the next line: replace "…" with a secret.
    app.input(#"{"effect":"9.1","success":{"name":"it's second","pin":"…"}}"#)
    app.expectStack("n[parcel] ⊕ sheet[receipt]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"back":true}"#)
    app.expectStack("n[parcel]")

    app.advance(by: .milliseconds(1500), firingTimers: false)
    app.input(#"{"event":"look"}"#)
    app.expectStack("n[parcel] ⊕ sheet[receipt]")

    app.advance(by: .milliseconds(1500), firingTimers: false)
    app.input(#"{"back":true}"#)
    app.expectStack("n[parcel]")

    app.input(#"{"timer":"6.1"}"#)
    app.expectStack("n[parcel, reminder]")

    // A secret is masked in the next line: replace "…" with a secret.
    app.input(#"{"effect":"14.1","success":{"name":"it's late","pin":"…"}}"#)
    app.expectStack("n[parcel, reminder]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"back":true}"#)
    app.expectStack("n[parcel]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":"refuse"}"#)
    app.expectStack("n[parcel]")

    app.expectWarning(#"parcel: the result of the effect "sendParcel" was refused: not this"#) { $0.input(#"{"refused":"17.1","reason":"not this"}"#) }
    app.expectStack("n[parcel]")
}
