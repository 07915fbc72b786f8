import Testing
import UsherHTTP

@Suite struct ProblemTests {
    @Test func `the response for a problem has the problem's status and members, and the media type for problems`() {
        let response = Problem(.conflict, "The screen is gone.").response
        #expect(response.status == .conflict)
        #expect(response.headers["Content-Type"] == "application/problem+json")
        #expect(
            response.text
                == #"{"type":"about:blank","title":"Conflict","status":409,"detail":"The screen is gone."}"#)
    }

    @Test func `a problem can add header fields and JSON members`() {
        let problem = Problem(
            .serverFull, "No room.", headers: ["Retry-After": "1"],
            members: [(name: "current", json: Array("[1]".utf8))])
        #expect(problem.response.headers["Retry-After"] == "1")
        #expect(
            problem.response.text
                == ##"{"type":"urn:usher:problem:server-full","title":"Service Unavailable","status":503,"##
                + ##""detail":"No room.","current":[1]}"##)
    }

    @Test func `a client's text in a problem's detail is escaped`() {
        let response = Problem(.badRequest, "\"\\\n\u{0}ä").response
        #expect(response.text.hasSuffix(#""detail":"\"\\\n\u0000ä"}"#))
    }
}

extension Response {
    var text: String { String(decoding: body, as: UTF8.self) }
}
