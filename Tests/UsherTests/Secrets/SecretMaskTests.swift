import Testing
import Usher
import UsherJSON

@Suite("Secrets: what is displayed")
struct SecretMaskTests {
    @Test func `a secret is shown as an ellipsis in text, in a mirror and in a dump`() {
        let secret: Secret<String> = "apple"
        #expect("\(secret)" == "…")
        #expect(String(reflecting: secret) == "…")
        #expect(Mirror(reflecting: secret).children.isEmpty)
        var text = ""
        dump(VaultScreen.Event.keep(password: secret), to: &text)
        dump([secret], to: &text)
        print(VaultScreen.Pair(left: secret, right: "pear"), to: &text)
        #expect(!text.contains("apple"))
        #expect(text.contains("…"))
    }

    @Test func `a secret is shown as an ellipsis in states, examples and reports`() throws {
        let vault = try Vault(options: #"{"key":"apple"}"#)
        #expect(vault.shown.contains(#""state":{"shown":"…","note":""}"#))
        #expect(vault.shown.contains(#""keep":{"password":"…"}"#))
        #expect(vault.shown.contains(#""pin":"…""#))
        #expect(!vault.shown.contains("apple"))
    }

    @Test func `a secret is shown as an ellipsis in the description of an app`() throws {
        var writer = JSONWriter()
        try VaultApp.describe(into: &writer)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text.contains(#""options":{"name":"vault","key":"…","reads":false}"#))
        #expect(text.contains(#""enter":{"code":"…"}"#))
        #expect(!text.contains("apple"))
        #expect(!text.contains("default"))
    }

    @Test func `a secret is shown as an ellipsis in the result of a session`() throws {
        let vault = try Vault()
        _ = try vault.event(#"{"end":{"_0":"apple"}}"#)
        #expect(vault.shown.contains(#""ended":{"reason":"finished","result":"…"}"#))
    }

    @Test func `a secret is shown as an ellipsis in a refusal that quotes it`() throws {
        let rejection = try Vault().rejection(of: #"{"fail":{"password":"apple"}}"#)
        #expect(rejection.reason == "… is no password, nor is …")
    }

    @Test(arguments: [
        (#"{"keep":{"password":null}}"#, "expected a secret that holds String at /event/keep/password"),
        (#"{"keep":{"password":7777}}"#, "expected a secret that holds String at /event/keep/password"),
        (
            #"{"fill":{"form":{"name":"kim","answers":["a",null]}}}"#,
            "expected a secret that holds String at /event/fill/form/answers/1"
        ),
        (
            #"{"fill":{"form":{"name":"kim","answers":[],"pin":7777.5}}}"#,
            "expected a secret that holds Int at /event/fill/form/pin"
        ),
        (#"{"keep":{}}"#, "missing member \"password\""),
    ])
    func `if a secret is invalid, the error names its place but does not show its text`(event: String, words: String)
        throws
    {
        let vault = try Vault()
        let rejection = try vault.rejection(of: event)
        #expect(rejection.kind == .invalid)
        #expect(rejection.reason.contains(words), "\(rejection.reason)")
        #expect(!rejection.reason.contains("7777"))
        #expect(vault.tree.inputSecrets.isEmpty)
    }

    @Test func `an option that is a secret may not be null`() throws {
        let error = try #require(throws: JSONError.self) { try Vault(options: #"{"key":null}"#) }
        #expect(error.description == "expected a secret that holds String at /key")
    }

    @Test func `an option that is a secret keeps its default if only other options are given`() throws {
        let vault = try Vault(options: #"{"name":"x","reads":true}"#)
        #expect(vault.entries[0].secrets.isEmpty)
        #expect(vault.tree.takeErasableRevisions().isEmpty)
        let error = #expect(throws: Refusal.self) { try Vault(options: #"{"key":"","reads":true}"#) }
        #expect(error?.reason == "a key has two letters")
    }
}
