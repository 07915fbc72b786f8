/// One thing that is wrong with a JSON text or value, and its place.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason in plain words: `expected an integer, found a string`.
    package let reason: String

    /// The place: `line 1, column 14` for syntax; otherwise a JSON Pointer (RFC 6901) such as `/event/login/name`,
    /// or `the top level`.
    package let place: String

    /// The whole sentence: `expected an integer, found a string at /event/login/name`.
    package var description: String { "\(reason) at \(place)" }

    /// Makes an error.
    package init(_ reason: String, at place: String) {
        self.reason = reason
        self.place = place
    }
}

/// One key of a coding path: a member's name or an element's index.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}

extension [PathKey] {
    /// The coding path as a JSON Pointer (RFC 6901, section 3), or `the top level` when it is empty.
    var pointer: String {
        guard !isEmpty else { return "the top level" }
        var text = ""
        for key in self {
            text += "/"
            for scalar in key.stringValue.unicodeScalars {
                switch scalar {
                case "~": text += "~0"
                case "/": text += "~1"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }
}

extension String {
    /// The string in quotation marks, cut when it is too long for a sentence.
    var abbreviated: String { unicodeScalars.count <= 60 ? "\"\(self)\"" : "\"\(String(unicodeScalars.prefix(60)))…\"" }
}

extension [String] {
    /// The strings in quotation marks, with commas; not more than a sentence can bear.
    var listed: String {
        prefix(16).map(\.abbreviated).joined(separator: ", ") + (count > 16 ? " and \(count - 16) more" : "")
    }
}
