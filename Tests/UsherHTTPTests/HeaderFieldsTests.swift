import Testing
import UsherHTTP

@Suite struct HeaderFieldsTests {
    private static let tokenCharacters = Set("!#$%&'*+-.^_`|~0123456789".utf8)
        .union(UInt8(ascii: "a")...UInt8(ascii: "z")).union(UInt8(ascii: "A")...UInt8(ascii: "Z"))

    /// Returns `true` if a section with this field is accepted unchanged.
    private static func isTaken(name: [UInt8], value: [UInt8]) -> Bool {
        let section = [UInt8(name.count), 0, UInt8(value.count), 0] + name + [0] + value + [0]
        var hasIllegal = false
        let fields = HeaderFields(wire: section, hasIllegal: &hasIllegal)
        return !hasIllegal && fields.count == 1
    }

    @Test(arguments: 1...18) func `a byte that is illegal in a field's name or value is illegal at every position`(
        count: Int
    ) {
        let letters = Array(repeating: UInt8(ascii: "a"), count: count + 2)
        for place in 0..<count {
            let wrong = (UInt8.min...UInt8.max).filter { byte in
                var name = Array(letters[..<count])
                name[place] = byte
                var value = letters
                value[place + 1] = byte
                return Self.isTaken(name: name, value: letters) != Self.tokenCharacters.contains(byte)
                    || Self.isTaken(name: letters, value: value) != (byte >= 0x20 && byte != 0x7F || byte == 0x09)
            }
            #expect(wrong.isEmpty)
        }
    }

    @Test func `fields are found by name without regard to case, in the order in which they were added`() {
        var fields: HeaderFields = ["Accept": "a"]
        fields.append(name: "X", value: "1")
        fields.append(name: "ACCEPT", value: "b")
        #expect(fields["accept"] == "a")
        #expect(fields.texts(of: "Accept") == ["a", "b"])
        #expect(fields["Accep"] == nil)
        #expect(fields.contains("x"))
        #expect(fields.all.map(\.name) == ["Accept", "X", "ACCEPT"])
    }

    @Test(arguments: ["", "a b", "a:", "a\r", "ä", "a\0", "(a)", "a\"", "\u{7F}"])
    func `a field name that is not a token is refused`(name: String) {
        var fields = HeaderFields()
        let isAppended = fields.append(name: name, value: "x")
        #expect(!isAppended && fields.isEmpty)
    }

    @Test(arguments: ["a\rb", "a\nb", "a\r\nb", "a\0b", "a\u{7F}", "\u{1}", " a", "a ", "\ta"])
    func `a field value with a line break or with padding is refused`(value: String) {
        var fields: HeaderFields = ["X": "1"]
        let isAppended = fields.append(name: "Y", value: value)
        let isSet = fields.set(name: "X", value: value)
        #expect(!isAppended && !isSet && fields == ["X": "1"])
    }

    @Test(arguments: ["", "a", "a b", "a\tb", "ä", "\"\\,;"])
    func `a field value may contain every byte except control characters other than tab`(value: String) {
        #expect(HeaderFields(dictionaryLiteral: ("X", value))["X"] == value)
    }

    @Test func `setting a field replaces all fields with its name, and removing a name deletes them`() {
        var fields: HeaderFields = ["a": "1", "b": "2", "A": "3"]
        fields.set(name: "A", value: "4")
        #expect(fields == ["b": "2", "A": "4"])
        fields.remove("B")
        #expect(fields == ["A": "4"])
        #expect(fields.count == 1)
    }

    @Test func `fields are equal if their values are equal and their names differ at most in case`() {
        #expect(HeaderFields(dictionaryLiteral: ("A", "x")) == ["a": "x"])
        #expect(HeaderFields(dictionaryLiteral: ("A", "x")) != ["A": "X"])
        #expect(HeaderFields(dictionaryLiteral: ("A", "x"), ("B", "y")) != ["B": "y", "A": "x"])
    }
}

extension HeaderFields {
    /// The names and values of all fields, in order.
    var all: [(name: String, value: String)] {
        lines.map { line in
            (String(decoding: bytes[line.name], as: UTF8.self), String(decoding: bytes[line.value], as: UTF8.self))
        }
    }
}

@Suite struct HeaderFieldsWireTests {
    /// Returns a section in the form in which it is copied from the wire.
    private func section(_ fields: (String, String)...) -> [UInt8] {
        fields.flatMap { name, value in
            [UInt8(name.utf8.count), 0, UInt8(value.utf8.count), 0] + name.utf8 + [0] + value.utf8 + [0]
        }
    }

    @Test func `the fields of a legal header section are read unchanged`() {
        var hasIllegal = false
        let fields = HeaderFields(
            wire: section(("Host", "a"), ("X", ""), ("host", "b\tc")), hasIllegal: &hasIllegal)
        #expect(fields == ["Host": "a", "X": "", "Host": "b\tc"] && fields.count == 3 && !hasIllegal)
        #expect(fields.onlyValue(of: .host) == nil && fields.hasOnly(FieldName("x"), []))
    }

    @Test func `blanks around a field value are removed`() {
        var hasIllegal = false
        let fields = HeaderFields(wire: section(("Host", " \ta b\t "), ("X", "  ")), hasIllegal: &hasIllegal)
        #expect(fields == ["Host": "a b", "X": ""] && !hasIllegal)
        #expect(fields.hasOnly(.host, Array("a b".utf8)))
    }

    @Test(arguments: [("", "a"), ("a b", "a"), ("ä", "a"), ("a", "b\rc"), ("a", "\u{7F}"), ("a", "\0"), ("a:", "")])
    func `an illegal field is dropped and reported, and the other fields are kept`(name: String, value: String) {
        var hasIllegal = false
        let fields = HeaderFields(wire: section(("Host", "a"), (name, value), ("X", "1 ")), hasIllegal: &hasIllegal)
        #expect(fields == ["Host": "a", "X": "1"] && fields.count == 2 && hasIllegal)
    }
}
