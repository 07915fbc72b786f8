import Foundation
import Testing

@testable import UsherClient

struct JSONTests {
    @Test(
        "JSON is the same after decoding and encoding it",
        arguments: [
            "null", "true", "1", "-9223372036854775808", "18446744073709551615", "1.5", "\"ü\"", "[1,[],{}]",
            "{\"a\":[null,false,\"1\"]}",
        ])
    func roundTrip(text: String) throws {
        let value = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        #expect(try String(decoding: JSONEncoder().encode(value), as: UTF8.self) == text)
    }

    @Test("numbers with the same value are equal")
    func numbers() throws {
        #expect(try JSONDecoder().decode(JSON.self, from: Data("[1.0,1e2]".utf8)) == [1, 100])
        #expect(JSON.array([2.0]) == [2])
    }

    @Test("an infinite number is encoded as null, because JSON has no infinite numbers")
    func infinity() throws {
        #expect(try JSON(encoding: JSON.number(.infinity)) == .null)
    }

    private enum Event: Codable {
        case close
        case login(name: String)
    }

    @Test("an enum's case has the encoding that the server expects")
    func events() throws {
        #expect(try JSON(encoding: Event.close) == ["close": [:]])
        #expect(try JSON(encoding: Event.login(name: "kim")) == ["login": ["name": "kim"]])
    }
}
