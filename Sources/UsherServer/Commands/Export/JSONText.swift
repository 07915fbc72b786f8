/// JSON as text for people.
enum JSONText {
    /// The same value without the blanks and line ends between its parts.
    ///
    /// - Parameter json: Valid JSON.
    static func oneLine(_ json: [UInt8]) -> String {
        var isInString = false
        var isEscaped = false
        let bytes = json.filter { byte in
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                return true
            }
            isInString = byte == UInt8(ascii: "\"")
            // Outside of strings these are the only characters without a meaning (RFC 8259, section 2).
            return ![UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
