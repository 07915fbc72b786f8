import Testing
import UsherHTTP

@Suite struct MethodTests {
    @Test(arguments: ["", "GE T", "GET\r", "G/T", "GÉT", "\0"])
    func `a method that is not a token is refused`(text: String) {
        #expect(Method(rawValue: text) == nil)
    }

    @Test func `methods are case-sensitive`() {
        #expect(Method(rawValue: "GET") == .get)
        #expect(Method(rawValue: "get") != .get)
    }

    @Test(arguments: [0, 99, 600, -1])
    func `a response status that cannot be sent becomes 500`(code: Int) {
        #expect(Status(code: code, reason: "x") == .internalServerError)
    }
}
