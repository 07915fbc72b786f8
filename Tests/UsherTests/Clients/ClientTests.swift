import Testing
import Usher
import UsherJSON

@Suite("The client that a session's request describes")
struct ClientTests {
    @Test(
        arguments: [
            ("{}", true), (#"{"screens":null}"#, true), (#"{"screens":{}}"#, false), (#"{"screens":{"*":1}}"#, false),
            (#"{"screens":{"*":2}}"#, true), (#"{"screens":{"*":3}}"#, true), (#"{"screens":{"cellar":2}}"#, true),
            (#"{"screens":{"cellar":1,"*":9}}"#, false), (#"{"screens":{"cellar":2.0,"*":1}}"#, true),
            (#"{"screens":{"Cellar":2}}"#, false), (#"{"screens":{"no such screen":2,"*":1}}"#, false),
        ])
    func `a client can draw each screen up to the version that it lists, or up to the version of "*"`(
        json: String, draws: Bool
    ) throws {
        let client = try client(json)
        #expect(client.shows(CellarScreen.self) == draws)
        #expect(client.shows("cellar", version: 2) == draws)
    }

    @Test(arguments: [
        #"{"name":"ios","version":"3.2","screens":{"*":1,"login":2},"locale":"ko-KR","timeZone":"Asia/Seoul"}"#,
        #"{"screens":{}}"#, "{}", #"{"timeZone":"America/Argentina/Buenos_Aires"}"#, #"{"timeZone":"UTC"}"#,
    ])
    func `the journal stores the client exactly as it was sent`(json: String) throws {
        let client = try client(json)
        var writer = JSONWriter()
        client.write(into: &writer)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == json)
        #expect(Client(recorded: try JSONDocument(parsing: writer.bytes).root) == client)
    }

    @Test func `in a recorded description of a client, unknown members and unknown time zones are ignored`() throws {
        let json = #"{"name":"ios","theme":"dark","timeZone":"Mars/Olympus","screens":{"login":"two","main":2}}"#
        let client = Client(recorded: try JSONDocument(parsing: Array(json.utf8)).root)
        #expect(client == Client(name: "ios", screens: ["main": 2], timeZone: "Mars/Olympus"))
    }

    @Test(
        arguments: [
            ("[]", "expected an object"), (#"{"device":"phone"}"#, "unknown member \"device\""),
            (#"{"name":5}"#, "/name"), (#"{"name":""}"#, "printable ASCII"), (#"{"name":"i\u0000os"}"#, "printable"),
            (#"{"name":"\#(String(repeating: "a", count: 65))"}"#, "1 to 64"), (#"{"version":3.2}"#, "/version"),
            (#"{"screens":["login"]}"#, "newest version"), (#"{"screens":{"login":0}}"#, "/screens/login"),
            (#"{"screens":{"login":-1}}"#, "whole number from 1"), (#"{"screens":{"login":1.5}}"#, "whole number"),
            (#"{"screens":{"login":"2"}}"#, "whole number"), (#"{"screens":{"login":null}}"#, "whole number"),
            (#"{"screens":{"login":99999999999999999999}}"#, "whole number"), (#"{"screens":{"":1}}"#, "1 to 128"),
            (#"{"screens":{"\#(String(repeating: "a", count: 129))":1}}"#, "1 to 128"),
            (#"{"timeZone":"Asia/"}"#, "IANA"), (#"{"timeZone":"/Seoul"}"#, "IANA"), (#"{"timeZone":""}"#, "IANA"),
            (#"{"timeZone":"Asia Seoul"}"#, "IANA"), (#"{"timeZone":"../Asia/Seoul"}"#, "IANA"),
            (#"{"timeZone":"Asia/9"}"#, "IANA"), (#"{"timeZone":"서울"}"#, "IANA"),
            (#"{"timeZone":"\#(String(repeating: "a", count: 65))"}"#, "IANA"), (#"{"timeZone":9}"#, "/timeZone"),
            (#"{"locale":9}"#, "BCP 47"),
        ])
    func `an invalid description of a client is refused`(json: String, words: String) throws {
        let error = try #require(throws: JSONError.self) { try client(json) }
        #expect(error.description.contains(words), "\(error)")
    }

    @Test func `a client may list at most as many screens as an app may have`() throws {
        let names = (1...513).map { #""screen\#($0)":1"# }
        _ = try client(#"{"screens":{\#(names.dropLast().joined(separator: ","))}}"#)
        let error = try #require(throws: JSONError.self) {
            try client(#"{"screens":{\#(names.joined(separator: ","))}}"#)
        }
        #expect(error.description.contains("at most 512"))
    }

    @Test(arguments: [
        "ko", "ko-KR", "zh-Hant-TW", "es-419", "de-CH-1996", "sl-rozaj-biske-1994", "zh-cmn-Hans-CN", "de-u-co-phonebk",
        "en-a-myext-b-another", "en-US-u-islamcal-x-own", "x-whatever", "X-a-1", "EN-us", "hy-Latn-IT-arevela",
    ])
    func `a valid language tag is accepted`(tag: String) throws {
        #expect(try client(#"{"locale":"\#(tag)"}"#).locale == tag)
    }

    @Test(arguments: [
        "", "k", "ko_KR", "ko-", "-KR", "ko--KR", "ko-K", "ko-KR-K", "1ko", "k0-KR", "ko-KR-u", "ko-u-x-a", "x", "x-",
        "abcdefghi", "ko-KR-Kore", "한국어", "ko KR", "en-abcdefghi", "i-klingon",
        "ko-x-" + Array(repeating: "12345678", count: 8).joined(separator: "-"),
    ])
    func `a malformed language tag is refused`(tag: String) throws {
        #expect(throws: JSONError.self) { try client(#"{"locale":"\#(tag)"}"#) }
    }

    @Test func `a coordinator can read its session's client, which is empty outside a tree`() throws {
        let said = Client(name: "ios", locale: "ko-KR")
        var seen: [Client] = []
        let root = ScriptedCoordinator(onEvent: [.one: { seen.append($0.client) }]) {
            seen.append($0.client)
            $0.show()
        }
        #expect(root.client == Client())
        let walker = try Walker(root, audience: SessionAudience(said) { _, _ in nil })
        try walker.send("one")
        #expect(seen == [said, said])
    }

    @Test(arguments: [
        (Client(name: "ios", version: "3.2"), "ios 3.2"), (Client(name: "web"), "web"), (Client(version: "3"), "3"),
        (Client(screens: ["*": 1]), "an unnamed client"),
    ])
    func `the text that describes a client has the client's name and version`(client: Client, text: String) {
        #expect("\(client)" == text)
    }

    private func client(_ json: String) throws -> Client {
        try Client(try JSONDocument(parsing: Array(json.utf8)).root)
    }
}
