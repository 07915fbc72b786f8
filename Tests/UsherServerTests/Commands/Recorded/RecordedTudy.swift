// swift-format-ignore-file
// As it was exported; USHER_RECORD=1 writes it anew.
import Testing
import Usher
import UsherTesting

@testable import Tudy

/// The session d44f2058… of the app "tudy", as it was recorded.
@Test func recordedSessiond44f2058() throws {
    let app = try AppUnderTest(
        TudyApp.self,
        optionsJSON: #"{"loggedIn":true}"#,
        linkJSON: "[]",
        seed: 3897767206478052373,
        time: Timestamp(milliseconds: 1795181309042))
    app.expectStack("tab(home){home[home], chat[chatList]}")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"select":"chat"}"#)
    app.expectStack("tab(chat){home[home], chat[chatList]}")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"select":"home"}"#)
    app.expectStack("tab(home){home[home], chat[chatList]}")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":{"showMyPage":{}}}"#)
    app.expectStack("tab(home){home[home, myPage], chat[chatList]}")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":{"logout":{}}}"#)
    app.expectStack("tab(home){home[home], chat[chatList]}")

    app.advance(by: .milliseconds(3000))
    app.input(#"{"select":"home"}"#)
    app.expectStack("tab(home){home[home], chat[chatList]}")

    app.advance(by: .milliseconds(3000))
    app.input(#"{"event":{"showLogin":{}}}"#)
    app.expectStack("tab(home){home[home], chat[chatList]} ⊕ fullScreen[login]")

    app.advance(by: .milliseconds(6000))
    app.input(#"{"event":{"showSignUp":{}}}"#)
    app.expectStack("tab(home){home[home], chat[chatList]} ⊕ fullScreen[login, setName]")

    app.advance(by: .milliseconds(3000))
    app.input(#"{"event":{"next":{"name":"Park"}}}"#)
    app.expectStack("tab(home){home[home], chat[chatList]} ⊕ fullScreen[login, setName, setInterestedJob]")

    app.advance(by: .milliseconds(3000))
    app.input(#"{"event":{"next":{"job":"iOS"}}}"#)
    app.expectStack("tab(home){home[home], chat[chatList]} ⊕ fullScreen[login, setName, setInterestedJob, setSubway]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":{"next":{"station":"Hongdae"}}}"#)
    app.expectStack("tab(home){home[home], chat[chatList]} ⊕ fullScreen[login, setName, setInterestedJob, setSubway, welcome]")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":{"done":{}}}"#)
    app.expectStack("tab(home){home[home], chat[chatList]}")

    app.advance(by: .milliseconds(4500))
    app.input(#"{"event":{"showFastSearch":{"work":"iOS"}}}"#)
    app.expectStack("tab(home){home[home, fastSearch], chat[chatList]}")

    app.advance(by: .milliseconds(1500))
    app.input(#"{"event":{"showProjectDetail":{"project":{"id":2,"title":"An iOS app for walkers","writer":{"id":2,"name":"Lee"}}}}}"#)
    app.expectStack("tab(home){home[home, fastSearch, projectDetail], chat[chatList]}")

    app.advance(by: .milliseconds(9000))
    app.input(#"{"popped":12}"#)
    app.expectStack("tab(home){home[home, fastSearch], chat[chatList]}")

    app.advance(by: .milliseconds(3000))
    app.input(#"{"event":{"showProjectDetail":{"project":{"id":2,"title":"An iOS app for walkers","writer":{"id":2,"name":"Lee"}}}}}"#)
    app.expectStack("tab(home){home[home, fastSearch, projectDetail], chat[chatList]}")
}
