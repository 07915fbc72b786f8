/// A text as Swift source.
enum SwiftLiteral {
    /// A string literal of one line.
    ///
    /// - Parameter text: Any text; one with quotes becomes a raw literal where that can be read more easily.
    static func string(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard isPlain, text.contains("\""), !text.hasPrefix("\"") else { return escaped(text) }
        let hashes = String(repeating: "#", count: hashCount(text))
        return "\(hashes)\"\(text)\"\(hashes)"
    }

    /// So many that no quote and no backslash in the text means anything.
    private static func hashCount(_ text: String) -> Int {
        var longest = 0
        var run: Int?
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): run = 0
            case UInt8(ascii: "#"): run = run.map { $0 + 1 }
            default: run = nil
            }
            longest = max(longest, run ?? 0)
        }
        return longest + 1
    }

    private static func escaped(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        return "\"\(characters.joined())\""
    }
}
