import AuthenticationServices
import LocalAuthentication
import Testing
import UIKit
import Usher
import UsherTesting

/// A system controller: what the app does to show it, what clients see, and what the app gets.
///
/// Each test's session is replayed at the end, with the same results.
private struct ChoiceRow: CustomTestStringConvertible, Sendable {
    let action: SystemMenuScreen.Event
    let screen: String
    let state: String
    let event: String
    let results: [String]

    init(_ action: SystemMenuScreen.Event, _ screen: String, _ state: String, _ event: String, _ results: String...) {
        (self.action, self.screen, self.state) = (action, screen, state)
        (self.event, self.results) = (event, results)
    }

    var testDescription: String { "\(action) \(event)" }

    static let photo = #"{"items":["camera","public.image"],"limit":1}"#
    static let document = #"{"items":["com.adobe.pdf","public.plain-text"],"limit":1}"#
    static let photos = #"{"items":["images","livePhotos"],"limit":2}"#
    static let unlock = #"{"items":["Open","deviceOwnerAuthenticationWithBiometrics"]}"#
    static let task = #"{"items":["Open","deviceOwnerAuthentication"]}"#
    static let web = #"{"items":["https://example.org/login","shop"]}"#
    static let appleID = #"{"items":["full_name","email","nonce=n"]}"#
    static let print = #"{"items":["Report","https://example.org/report.pdf"]}"#

    static let all: [ChoiceRow] = [
        .init(
            .photo, "imagePicker", photo, #"{"picked":{"url":"https://x.org/a.jpg"}}"#,
            "public.image a.jpg [true, true]"),
        .init(.photo, "imagePicker", photo, #""cancelled""#, "no photo"),
        .init(
            .video, "imagePicker", #"{"items":["photoLibrary","public.movie"],"limit":1}"#,
            #"{"picked":{"url":"https://x.org/a.mov","mediaType":"public.movie"}}"#,
            "public.movie a.mov [false, false]"),
        .init(
            .document, "documentPicker", document, #"{"picked":{"urls":["file:///a.pdf"]}}"#, #"["a.pdf"] true"#),
        .init(.document, "documentPicker", document, #""cancelled""#, "no document"),
        .init(
            .documents, "documentPicker", #"{"items":["com.adobe.pdf","public.plain-text"]}"#,
            #"{"picked":{"urls":["file:///a.pdf","file:///b.pdf"]}}"#, #"["a.pdf", "b.pdf"] true"#),
        .init(
            .export, "documentExporter", #"{"items":["file:///report.pdf"]}"#,
            #"{"picked":{"urls":["file:///b.pdf"]}}"#, #"["b.pdf"] true"#),
        .init(
            .photos, "photoPicker", photos, #"{"picked":{"identifiers":["a","b"]}}"#, #"["a", "b"]"#, "image true"),
        .init(.photos, "photoPicker", photos, #""cancelled""#, "[]"),
        .init(
            .anyPhotos, "photoPicker", #"{"items":[]}"#, #"{"picked":{"identifiers":["b","c","d"]}}"#,
            #"["b", "c", "d"]"#, "image false"),
        .init(.unlock, "authentication", unlock, #""succeeded""#, "unlocked true "),
        .init(.unlock, "authentication", unlock, #""failed""#, "unlocked false authenticationFailed"),
        .init(.unlock, "authentication", unlock, #""cancelled""#, "unlocked false userCancel"),
        .init(.unlock, "authentication", unlock, #""fallback""#, "unlocked false userFallback"),
        .init(.unlockInTask, "authentication", task, #""succeeded""#, "unlocked true"),
        .init(.unlockInTask, "authentication", task, #""cancelled""#, "user cancelled"),
        .init(
            .signIn, "webAuthentication", web, #"{"finished":{"callbackURL":"shop://callback?code=7"}}"#, "code=7 true"),
        .init(.signIn, "webAuthentication", web, #""cancelled""#, "cancelled"),
        .init(
            .appleID, "appleID", appleID, #"{"signedIn":{"user":"u","givenName":"Kim","identityToken":"a.b"}}"#,
            "u Kim a.b s"),
        .init(.appleID, "appleID", appleID, #"{"signedIn":{"user":"u"}}"#, "u - - s"),
        .init(.appleID, "appleID", appleID, #""failed""#, "error failed"),
        .init(.appleID, "appleID", appleID, #""cancelled""#, "error canceled"),
        .init(.product, "storeProduct", #"{"items":["7"]}"#, #""done""#, "loaded true", "product closed"),
        .init(.review, "storeReview", #"{"items":[]}"#, #""done""#, "asked"),
        .init(.print, "print", print, #""printed""#, "printed true true"),
        .init(.print, "print", print, #""failed""#, "printed false false"),
        .init(.print, "print", print, #""cancelled""#, "printed false true"),
    ]
}

@Suite("The user's choices in the system's pickers and prompts")
struct SystemChoiceTests {
    @Test(arguments: ChoiceRow.all)
    fileprivate func `the client gets a system controller as a screen, and the app gets the user's choice`(
        _ row: ChoiceRow
    ) throws {
        let app = try AppUnderTest(SystemMenuApp.self)
        show(row.action, row.screen, in: app)
        app.expectState(row.state)
        app.input(#"{"event":\#(row.event)}"#)
        app.expectStack("n[systemMenu]")
        #expect(results(of: app) == row.results)
    }

    @Test(arguments: [
        (SystemMenuScreen.Event.photo, "imagePicker", ["no photo"]), (.document, "documentPicker", ["no document"]),
        (.photos, "photoPicker", ["[]"]), (.unlock, "authentication", ["unlocked false userCancel"]),
        (.signIn, "webAuthentication", ["cancelled"]), (.appleID, "appleID", ["error canceled"]),
        (.product, "storeProduct", ["loaded true", "product closed"]), (.review, "storeReview", ["asked"]),
        (.print, "print", ["printed false true"]),
    ])
    func `pulling a system controller down counts as cancelling`(
        _ action: SystemMenuScreen.Event, _ screen: String, _ expected: [String]
    ) throws {
        let app = try AppUnderTest(SystemMenuApp.self)
        show(action, screen, in: app)
        app.back()
        app.expectStack("n[systemMenu]")
        #expect(results(of: app) == expected)
    }

    @Test(arguments: [
        (SystemMenuScreen.Event.photo, "imagePicker", #"{"picked":{"url":"photo"}}"#, "is not a URL with a scheme"),
        (
            .photo, "imagePicker", #"{"picked":{"url":"https://x.org/a.mov","mediaType":"public.movie"}}"#,
            "\"public.movie\" cannot be picked; the picker's media types are public.image"
        ),
        (.document, "documentPicker", #"{"picked":{"urls":[]}}"#, "nothing is picked: send at least one"),
        (
            .document, "documentPicker", #"{"picked":{"urls":["file:///a","file:///b"]}}"#,
            "2 items are picked: send at most 1"
        ),
        (.document, "documentPicker", #"{"picked":{"urls":["report"]}}"#, "\"report\" is not a URL with a scheme"),
        (.photos, "photoPicker", #"{"picked":{"identifiers":[]}}"#, "nothing is picked"),
        (.photos, "photoPicker", #"{"picked":{"identifiers":["a","b","c"]}}"#, "3 items are picked: send at most 2"),
        (.signIn, "webAuthentication", #"{"finished":{"callbackURL":"a code"}}"#, "is not a URL with a scheme"),
        (.signIn, "webAuthentication", #"{"finished":{"callbackURL":"https://x.org"}}"#, "must begin with shop:"),
        (.appleID, "appleID", #"{"signedIn":{"user":""}}"#, "the user is empty"),
    ])
    func `an impossible choice is refused, and the system controller stays`(
        _ action: SystemMenuScreen.Event, _ screen: String, _ event: String, _ words: String
    ) throws {
        let app = try AppUnderTest(SystemMenuApp.self)
        show(action, screen, in: app)
        app.expectRefusal(.refused, naming: words) { $0.input(#"{"event":\#(event)}"#) }
        app.expectStack("n[systemMenu] ⊕ sheet[\(screen)]")
    }

    @Test func `an event that names an unknown choice is refused`() throws {
        let app = try AppUnderTest(SystemMenuApp.self)
        show(.unlock, "authentication", in: app)
        app.expectRefusal(.invalid) { $0.send("forgotten") }
    }

    @Test(arguments: [
        (SystemMenuScreen.Event.unlockBriefly, "authentication", "unlocked false appCancel"),
        (.signInBriefly, "webAuthentication", "cancelled"), (.printBriefly, "print", "printed false true"),
    ])
    func `an app can withdraw a prompt`(
        _ action: SystemMenuScreen.Event, _ screen: String, _ result: String
    ) throws {
        let app = try AppUnderTest(SystemMenuApp.self)
        show(action, screen, in: app)
        app.advance(by: .seconds(1))
        app.expectStack("n[systemMenu]")
        #expect(results(of: app) == [result])
    }

    @Test func `an app can present a controller below a prompt`() throws {
        let app = try AppUnderTest(SystemMenuApp.self)
        app.send("unlockAndPick")
        app.expectStack("n[systemMenu] ⊕ sheet[documentPicker] ⊕ sheet[authentication]")
        app.send("succeeded")
        app.send("cancelled")
        app.expectState(#"{"results":["unlocked true ","no document"],"appearances":[1,0]}"#)
    }

    @Test func `a second prompt is shown above the first prompt`() throws {
        let app = try AppUnderTest(SystemMenuApp.self)
        app.send("unlockAndReview")
        app.expectStack("n[systemMenu] ⊕ sheet[authentication] ⊕ sheet[storeReview]")
        app.send("done")
        app.expectStack("n[systemMenu] ⊕ sheet[authentication]")
        app.send("succeeded")
        app.expectState(#"{"results":["asked","unlocked true "],"appearances":[1,0]}"#)
    }

    @Test func `signing in on a web page fails if the app provides no window`() throws {
        let app = try AppUnderTest(SystemMenuApp.self)
        app.send("signInWithoutWindow")
        app.expectStack("n[systemMenu]")
        #expect(results(of: app) == ["no window"])
    }

    @Test func `if a session ends while a prompt is shown, nothing stays in memory`() throws {
        let app = try AppUnderTest(SystemMenuApp.self)
        show(.unlock, "authentication", in: app)
        app.finishTest()
    }

    @Test func `outside a session, a prompt is cancelled immediately`() {
        let result = MainActor.assumeIsolated {
            var result = ""
            LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") { isDone, error in
                result = "\(isDone) \((error as? LAError)?.code == .userCancel)"
            }
            return result
        }
        #expect(result == "false true")
    }

    @Test(arguments: [
        (LAError(.userCancel) as any Error, -2), (ASAuthorizationError(.canceled), 1001),
        (ASWebAuthenticationSessionError(.canceledLogin), 1),
    ])
    func `an error of the system has Apple's code`(_ error: any Error, _ code: Int) {
        #expect((error as? any CustomNSError)?.errorCode == code)
    }

    private func show(
        _ action: SystemMenuScreen.Event, _ screen: String, in app: AppUnderTest,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        app.send(action.rawValue, sourceLocation: sourceLocation)
        app.expectStack("n[systemMenu] ⊕ sheet[\(screen)]", sourceLocation: sourceLocation)
    }

    private func results(of app: AppUnderTest) -> [String]? {
        struct State: Decodable { let results: [String] }
        let menu = app.screens.first.flatMap { try? JSONDecoder().decode(State.self, from: Data($0.state.utf8)) }
        return menu?.results
    }
}
