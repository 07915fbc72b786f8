/// One step of the way from the root of a JSON text to a value: a member's name or an element's index.
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
    /// The path as a JSON Pointer (RFC 6901, section 3), or `the top level` when it is empty.
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
