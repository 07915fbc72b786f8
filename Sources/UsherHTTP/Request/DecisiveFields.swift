/// The few fields that decide where a request ends and whom it is for.
struct DecisiveFields {
    /// A field that may be there once: where its first value lies, and how often it is there.
    struct Found {
        var value = 0..<0
        /// 0, 1, or 2 for several.
        var count = 0

        fileprivate init(_ name: borrowing FieldName, in headers: borrowing HeaderFields) {
            guard let entry = headers.first(name) else { return }
            value = entry.value
            count = headers.isRepeated(name, behind: entry) ? 2 : 1
        }
    }

    let host: Found
    let expectation: Found
    let length: Found
    let coding: Found

    init(_ headers: borrowing HeaderFields) {
        host = Found(.host, in: headers)
        expectation = Found(.expect, in: headers)
        length = Found(.contentLength, in: headers)
        coding = Found(.transferEncoding, in: headers)
    }
}

extension HeaderFields {
    /// Whether a field is there once, with this value but for the case of its letters.
    func isOnly(_ found: DecisiveFields.Found, _ lowercased: StaticString) -> Bool {
        found.count == 1
            && bytes[found.value].lazy.map(FieldGrammar.lowercased).elementsEqual(lowercased.description.utf8)
    }
}
