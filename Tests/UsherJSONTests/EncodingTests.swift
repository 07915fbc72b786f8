import Testing
import UsherJSON

@Suite struct EncodingTests {
    private struct User: Codable, Equatable {
        var name: String
        var age: Int?
        var tags: [String: [Int]] = [:]
    }

    @Test func `a struct is written and read again`() throws {
        let user = User(name: "kim", age: nil, tags: ["b": [1, 2], "a": []])
        let text = try encode(user)
        #expect(text == #"{"name":"kim","tags":{"a":[],"b":[1,2]}}"#)
        #expect(try decode(User.self, text) == user)
    }
}
