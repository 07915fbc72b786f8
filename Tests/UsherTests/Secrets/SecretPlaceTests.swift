import Testing
import Usher
import UsherJSON

@Suite("Secrets: their places in inputs")
struct SecretPlaceTests {
    /// Events, and their secret parts.
    static let events: [(event: String, secrets: [String])] = [
        (#""drop""#, []),
        (#"{"ignore":{"_0":"apple"}}"#, [#""apple""#]),
        (#" { "keep" : { "password" : "a\"p\u0070le…" } } "#, [#""a\"p\u0070le…""#]),
        (#" { "k\u0065ep" : { "p\u0061ssword" : "" } } "#, [#""""#]),
        (#"{"fill":{"form":{"name":"kim","answers":[ "a" ,"b"],"pin": 12 }}}"#, [#""a""#, #""b""#, "12"]),
        (#"{"fill":{"form":{"pin":12,"answers":["a"],"name":"kim"}}}"#, ["12", #""a""#]),
        (
            #"{"fill":{"form":{"name":"kim","answers":[],"pair":{"left":"l","right":"r"}}}}"#,
            [#"{"left":"l","right":"r"}"#]
        ),
        (#"{"offer":{"code":"c"}}"#, [#""c""#]),
        (#"{"several":{"_0":["a" , "b"]}}"#, [#""a""#, #""b""#]),
    ]

    @Test(arguments: events)
    func `the secrets of an event are found and can be erased`(event: String, secrets: [String]) throws {
        let vault = try Vault()
        try vault.handle(#" { "screen" : 1 , "event" :\#(event)} "#)
        #expect(vault.entries[1].found == secrets)
        try vault.replay()
        if !secrets.isEmpty { vault.erase(2) }
        try vault.replay()
        #expect(vault.tree.takeErasableRevisions().isEmpty)
        #expect(vault.tree.inputSecrets.isEmpty)
    }

    @Test(
        arguments: [
            (#"{}"#, []), (#"{"key":"apple"}"#, [#""apple""#]),
            (#" { "name" : "x" , "sp\u0061re" : "\u0061" , "key" : "b" , "reads":false} "#, [#""\u0061""#, #""b""#]),
        ] as [(String, [String])])
    func `the secrets of the options are found and can be erased`(options: String, secrets: [String]) throws {
        let vault = try Vault(options: options)
        #expect(vault.entries[0].found == secrets)
        // The coordinator retains the secrets for its whole life.
        #expect(vault.tree.takeErasableRevisions().isEmpty)
        vault.erase(1)
        try vault.replay()
    }

    @Test func `the secrets of a link are found and can be erased`() throws {
        let vault = try Vault(
            options: #"{"key":"k"}"#, link: #"[ {"enter":{"code":"a"}} ,{ "enter" : {"code": "b"} } ]"#)
        #expect(vault.entries[0].found == [#""k""#, #""a""#, #""b""#])
        try vault.handle(#"{"open":[ {"enter":{"code":"c"}} , {"enter":{"code":"d"}}]}"#)
        #expect(vault.entries[1].found == [#""c""#, #""d""#])
        #expect(try vault.event(#""drop""#) == [2])
        vault.erase(1)
        vault.erase(2)
        try vault.replay()
    }

    @Test func `the secrets of a flow with a former name are found and can be erased`() throws {
        let vault = try Vault(link: #"[ {"pass":{"code":"a"}} ,{ "enter" : {"code": "b"} } ]"#)
        #expect(vault.entries[0].found == [#""a""#, #""b""#])
        try vault.handle(#"{"open":[ { "p\u0061ss" : {  "code" : "c\u0063" } } , {"pass":{"code":"d"}}]}"#)
        #expect(vault.entries[1].found == [#""c\u0063""#, #""d""#])
        try vault.handle(#"{"open":[ {"linger":{"code":"f"}},{"pass":{"code":"g"}}]}"#)
        #expect(vault.entries[2].found == [#""f""#, #"{"code":"g"}"#])
        let step = try JSONDocument(parsing: Array(#" {"pass": {"code":"a"}}"#.utf8)).root
        let masked = try #require(VaultApp.masked(step))
        #expect(String(decoding: masked.json, as: UTF8.self) == #"{"pass": {"code":"…"}}"#)
        vault.erase(1)
        vault.erase(2)
        try vault.replay()
    }

    @Test func `a secret that is not part of the input has no place in the input`() throws {
        let vault = try Vault(options: #"{"key":"k"}"#)
        _ = try vault.event(#"{"keep":{"password":"a"}}"#)
        #expect(!vault.tree.inputSecrets.isEmpty)
        _ = try vault.event(#""useKept""#)
        #expect(vault.tree.inputSecrets.isEmpty)
    }

    @Test func `an input that has more than 64 secrets is masked completely and kept`() throws {
        let vault = try Vault()
        let answers = Array(repeating: #""a""#, count: 65).joined(separator: ",")
        let event = #"{"fill":{"form":{"name":"kim","answers":[\#(answers)]}}}"#
        #expect(try vault.event(event) == [])
        #expect(vault.entries[1].found == [event])
        try vault.replay()
    }
}
