import Testing
import UsherJSON

private enum Event: Codable, Equatable {
    case close
    case search(work: String)
    case pair(String, Int)
    case filter(tag: String?)
    case open(Flow)
}

private enum Flow: String, Codable, CaseIterable { case home, chat }

private enum Plain: Codable, CaseIterable { case start, stop }

/// Tests of Swift's encoding of enum cases, and of bare names.
@Suite struct CaseTests {
    @Test(arguments: [
        (#""close""#, Event.close), (#"{"close":{}}"#, .close), (#"{"search":{"work":"iOS"}}"#, .search(work: "iOS")),
        (#"{"pair":{"_0":"a","_1":2}}"#, .pair("a", 2)), (#"{"filter":{}}"#, .filter(tag: nil)),
        (#"{"filter":{"tag":null}}"#, .filter(tag: nil)), (#""filter""#, .filter(tag: nil)),
        (#"{"filter":{"tag":"x"}}"#, .filter(tag: "x")), (#"{"open":{"_0":"chat"}}"#, .open(.chat)),
        (#""clos\u0065""#, .close),
    ])
    private func `an enum case is decoded in Swift's standard encoding`(text: String, event: Event) throws {
        #expect(try decode(Event.self, text) == event)
    }

    @Test(arguments: [
        (#""shut""#, #"unknown case "shut" at the top level"#),
        (#"{"shut":{}}"#, #"unknown case "shut" at the top level"#),
        (#"{"close":5}"#, #"expected an object, found a number at /close"#),
        (#"{"close":"a"}"#, "expected an object, found a string at /close"),
        (#"{"filter":"x"}"#, "expected an object, found a string at /filter"),
        (#"{"close":{"a":1}}"#, #"unknown member "a" at /close"#),
        (#"{"close":{},"x":1}"#, #"unknown member "x"; expected "close" at the top level"#),
        (#"{"close":{},"search":{"work":"a"}}"#, #"expected one case, found "close", "search" at the top level"#),
        (#"{}"#, "expected one case, found {} at the top level"),
        (#"5"#, "expected an object, found a number at the top level"),
        (#"null"#, "expected an object, found null at the top level"),
        (#""search""#, #"missing member "work" of the case "search" at the top level"#),
        (#"{"search":"work"}"#, #"expected an object, found a string at /search"#),
        (#"{"search":{}}"#, #"missing member "work" at /search"#),
        (#"{"search":{"work":1}}"#, "expected a string, found a number at /search/work"),
        (#"{"search":{"work":"a","x":1}}"#, #"unknown member "x"; expected "work" at /search"#),
        (#"{"open":{"_0":"map"}}"#, #"unknown case "map"; expected one of "home", "chat" at /open/_0"#),
    ])
    func `an unknown case is refused with a message`(text: String, error: String) {
        #expect(sentence { () throws(JSONError) in try decode(Event.self, text) } == error)
    }

    @Test func `if the type is CaseIterable, the message for an unknown case lists the cases`() {
        #expect(
            sentence { () throws(JSONError) in try decode(Plain.self, #""go""#) }
                == #"unknown case "go"; expected one of "start", "stop" at the top level"#)
        #expect(
            sentence { () throws(JSONError) in try decode(Flow.self, #""go""#) }
                == #"unknown case "go"; expected one of "home", "chat" at the top level"#)
    }
}
