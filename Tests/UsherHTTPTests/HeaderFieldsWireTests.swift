import Testing
import UsherHTTP

@Suite struct HeaderFieldsWireTests {
    /// A section in the form in which it is copied off the wire.
    private func section(_ fields: (String, String)...) -> [UInt8] {
        fields.flatMap { name, value in
            [UInt8(name.utf8.count), 0, UInt8(value.utf8.count), 0] + name.utf8 + [0] + value.utf8 + [0]
        }
    }

    @Test func `a legal section is taken as it is`() {
        var hasIllegal = false
        let fields = HeaderFields(
            wire: section(("Host", "a"), ("X", ""), ("host", "b\tc")), hasIllegal: &hasIllegal)
        #expect(fields == ["Host": "a", "X": "", "Host": "b\tc"] && fields.count == 3 && !hasIllegal)
        #expect(fields.onlyValue(of: .host) == nil && fields.hasOnly(FieldName("x"), []))
    }

    @Test func `blanks around a value are no part of it`() {
        var hasIllegal = false
        let fields = HeaderFields(wire: section(("Host", " \ta b\t "), ("X", "  ")), hasIllegal: &hasIllegal)
        #expect(fields == ["Host": "a b", "X": ""] && !hasIllegal)
        #expect(fields.hasOnly(.host, Array("a b".utf8)))
    }

    @Test(arguments: [("", "a"), ("a b", "a"), ("ä", "a"), ("a", "b\rc"), ("a", "\u{7F}"), ("a", "\0"), ("a:", "")])
    func `an illegal field is left out and told of, the others stay`(name: String, value: String) {
        var hasIllegal = false
        let fields = HeaderFields(wire: section(("Host", "a"), (name, value), ("X", "1 ")), hasIllegal: &hasIllegal)
        #expect(fields == ["Host": "a", "X": "1"] && fields.count == 2 && hasIllegal)
    }
}
