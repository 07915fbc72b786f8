/// An error in a JSON text or value, with its place.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, such as `expected an integer, found a string`.
    package let reason: String

    /// The place of the error: `line 1, column 14` for a syntax error, otherwise a JSON Pointer (RFC 6901) such as
    /// `/event/login/name`, or `the top level`.
    package let place: String

    /// The complete sentence, such as `expected an integer, found a string at /event/login/name`.
    package var description: String { "\(reason) at \(place)" }

    /// Creates an error.
    package init(_ reason: String, at place: String) {
        self.reason = reason
        self.place = place
    }
}

/// A key of a coding path: the name of a member or the index of an element.
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
    /// The coding path as a JSON Pointer (RFC 6901, section 3), or `the top level` if it is empty.
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
    /// The string in quotation marks, truncated to 60 characters.
    var abbreviated: String { unicodeScalars.count <= 60 ? "\"\(self)\"" : "\"\(String(unicodeScalars.prefix(60)))…\"" }
}

extension [String] {
    /// At most 16 of the strings, in quotation marks and separated by commas.
    var listed: String {
        prefix(16).map(\.abbreviated).joined(separator: ", ") + (count > 16 ? " and \(count - 16) more" : "")
    }
}
