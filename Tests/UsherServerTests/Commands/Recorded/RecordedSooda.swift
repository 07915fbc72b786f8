// swift-format-ignore-file
// As it was exported; USHER_RECORD=1 writes it anew.
import Testing
import Usher
import UsherTesting

@testable import Sooda

/// The session 9b95e6e8… of the app "sooda", as it was recorded.
@Test func recordedSession9b95e6e8() throws {
    let app = try AppUnderTest(
        SoodaApp.self,
        optionsJSON: #"{"launch":{"home":{"workspaceID":7}}}"#,
        linkJSON: #"["tabBar","fly"]"#,
        seed: 18257149990173047829,
        time: Timestamp(milliseconds: 1795181309042))
    app.expectStack("n[splash]")

    app.advance(by: .milliseconds(1500))
    app.expectWarning(#"the waiting link was dropped: the coordinator "tabBar" has no flow "fly"; it takes: homeDefault, dm, search, setting"#) { $0.input(#"{"event":"done"}"#) }
    app.expectStack("tab(home){home[homeDefault], dm[dmList], search[search], setting[setting]}")

    app.advance(by: .milliseconds(1500))
    app.input(##"{"event":{"openChannel":{"id":3,"name":"it's \"#1\" \\ \\(x)"}}}"##)
    app.expectStack("tab(home){home[homeDefault, channelChat], dm[dmList], search[search], setting[setting]}")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"select":"dm"}"#)
    app.expectStack("tab(dm){home[homeDefault, channelChat], dm[dmList], search[search], setting[setting]}")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"open":["tabBar",{"homeDefault":{"workspaceID":7}},{"channel":{"id":4,"name":"ünï"}}]}"#)
    app.expectStack("tab(home){home[homeDefault, channelChat], dm[dmList], search[search], setting[setting]}")
}
