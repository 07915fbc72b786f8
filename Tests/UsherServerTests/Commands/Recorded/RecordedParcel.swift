// swift-format-ignore-file
// As it was exported; USHER_RECORD=1 writes it anew.
import Testing
import Usher
import UsherTesting

/// The session d6ceeadd… of the app "parcel", as it was recorded.
@Test func recordedSessiond6ceeadd() throws {
    let app = try AppUnderTest(
        ParcelApp.self,
        optionsJSON: "{}",
        linkJSON: "[]",
        seed: 4077852389175622677,
        time: Timestamp(milliseconds: 1795181309042))
    app.expectStack("n[parcel]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":{"send":{"name":"kim"}}}"#)
    app.expectStack("n[parcel]")

    // A secret is masked in the next line: replace "…" with a secret.
    app.input(#"{"effect":"2.1","success":{"name":"it's kim","pin":"…"}}"#)
    app.expectStack("n[parcel] ⊕ sheet[receipt]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"back":true}"#)
    app.expectStack("n[parcel]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":{"send":{"name":"nobody"}}}"#)
    app.expectStack("n[parcel]")

    app.input(#"{"effect":"5.1","failure":{"code":"unknown","message":"it's \"nobody\""}}"#)
    app.expectStack("n[parcel] ⊕ sheet[receipt]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"back":true}"#)
    app.expectStack("n[parcel]")

    app.advance(by: .milliseconds(1500))
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

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":{"remind":{"after":2000}}}"#)
    app.expectStack("n[parcel]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":"look"}"#)
    app.expectStack("n[parcel, news]")

    app.advance(by: .milliseconds(1500), firingTimers: false)
    app.input(#"{"back":true}"#)
    app.expectStack("n[parcel]")

    app.input(#"{"timer":"12.1"}"#)
    app.expectStack("n[parcel, reminder]")

    // A secret is masked in the next line: replace "…" with a secret.
    app.input(#"{"effect":"15.1","success":{"name":"it's late","pin":"…"}}"#)
    app.expectStack("n[parcel, reminder]")

    app.advance(by: .milliseconds(1500))
    // A secret is masked in the next line: replace "…" with a secret.
    app.input(#"{"message":{"arrived":{"name":"kim","code":"…"}}}"#)
    app.expectStack("n[parcel, reminder, news]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"back":true}"#)
    app.expectStack("n[parcel, reminder]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"back":true}"#)
    app.expectStack("n[parcel]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":"refuse"}"#)
    app.expectStack("n[parcel]")

    app.expectWarning(#"parcel: the result of the effect "sendParcel" was refused: not this"#) { $0.input(#"{"refused":"20.1","reason":"not this"}"#) }
    app.expectStack("n[parcel]")
}
