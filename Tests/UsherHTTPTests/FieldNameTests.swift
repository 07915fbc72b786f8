import Testing
import UsherHTTP

@Suite struct FieldNameTests {
    private let name = FieldName("If-Match")

    @Test(arguments: ["If-Match", "if-match", "IF-MATCH", "iF-mATCH"])
    func `a prepared name matches fields without regard to case`(text: String) {
        var fields: HeaderFields = ["Host": "a", "If-Matched": "b"]
        #expect(!fields.contains(name) && fields[name] == nil && fields.onlyValue(of: name) == nil)
        fields.append(name: text, value: "c")
        #expect(fields.contains(name) && fields[name] == "c")
        #expect(fields.hasOnly(name, Array("c".utf8)) && !fields.hasOnly(name, Array("C".utf8)))
        #expect(fields.onlyValue(of: name).map(Array.init) == Array("c".utf8))
    }

    @Test func `a field that occurs twice has no single value`() {
        let fields: HeaderFields = ["If-Match": "a", "X": "", "if-match": "a"]
        #expect(fields.onlyValue(of: name) == nil && !fields.hasOnly(name, Array("a".utf8)))
        #expect(fields[name] == "a" && fields.texts(of: "If-Match") == ["a", "a"])
    }

    @Test func `field names of equal length that differ only in the middle are told apart`() {
        // A name with the same length, and the same first and last characters.
        var fields: HeaderFields = ["Sec-Fetch-Site": "a"]
        #expect(!fields.contains("Sec-Fetch-Mode") && fields.texts(of: "Sec-Fetch-Mode").isEmpty)
        #expect(!fields.contains(FieldName("Sec-Fetch-Mode")))
        fields.append(name: "Sec-Fetch-Mode", value: "b")
        #expect(fields.hasOnly(FieldName("Sec-Fetch-Site"), Array("a".utf8)))
        #expect(fields.hasOnly(FieldName("Sec-Fetch-Mode"), Array("b".utf8)))
        fields.remove("Sec-Fetch-Site")
        #expect(!fields.contains(FieldName("Sec-Fetch-Site")) && fields["Sec-Fetch-Mode"] == "b")
    }

    @Test func `after header fields are appended to other fields, all fields are found`() {
        var fields: HeaderFields = ["A": "1"]
        fields.append(contentsOf: ["If-Match": "2", "A": "3"])
        #expect(fields.hasOnly(name, Array("2".utf8)))
        #expect(fields.onlyValue(of: FieldName("a")) == nil && fields.texts(of: "A") == ["1", "3"])
    }

    @Test func `a field is added by its prepared name only if its name and value are legal`() {
        var fields = HeaderFields()
        let areAdded = [("a", name), ("a\n", name), ("", name), ("a", FieldName("no token"))].map { value, name in
            fields.append(name, value.utf8.span)
        }
        #expect(areAdded == [true, false, true, false])
        #expect(fields.texts(of: "if-match") == ["a", ""])
    }
}
