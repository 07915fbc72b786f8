/// The few fields that decide where a request ends and whom it is for, found in one walk over the header section.
struct DecisiveFields {
    /// A field that may be there once: where its first value lies, and how often it is there.
    struct Found {
        var value = 0..<0
        var count = 0

        mutating func note(_ range: Range<Int>) {
            if count == 0 { value = range }
            count += 1
        }
    }

    private let bytes: [UInt8]
    private(set) var host = Found()
    private(set) var expectation = Found()
    private(set) var length = Found()
    private(set) var coding = Found()

    init(_ headers: HeaderFields) {
        bytes = headers.bytes
        for entry in headers.entries {
            switch entry.name.count {
            case 4 where headers.matches(entry, "Host"): host.note(entry.value)
            case 6 where headers.matches(entry, "Expect"): expectation.note(entry.value)
            case 14 where headers.matches(entry, "Content-Length"): length.note(entry.value)
            case 17 where headers.matches(entry, "Transfer-Encoding"): coding.note(entry.value)
            default: break
            }
        }
    }

    func value(_ found: Found) -> ArraySlice<UInt8> {
        bytes[found.value]
    }

    /// Whether a field is there once, with this value but for the case of its letters.
    func isOnly(_ found: Found, _ lowercased: StaticString) -> Bool {
        found.count == 1
            && value(found).lazy.map(FieldGrammar.lowercased).elementsEqual(lowercased.description.utf8)
    }
}
