extension Unicode.Scalar {
    /// A Boolean value that indicates whether the character is invisible and affects how the text around it is shown.
    ///
    /// These are the control characters (C0, DEL and C1), line and paragraph separators, and the characters that embed,
    /// override or isolate a writing direction (Unicode Standard Annex 9).
    package var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// A Boolean value that indicates whether the text has a control character.
    package var hasControls: Bool { unicodeScalars.contains(where: \.isControl) }

    /// Returns the text with control characters escaped as in JSON, such as `\u001b`, except the characters in `kept`.
    package func escapingControls(except kept: String = "") -> String {
        let isEscaped = { (scalar: Unicode.Scalar) in scalar.isControl && !kept.unicodeScalars.contains(scalar) }
        guard unicodeScalars.contains(where: isEscaped) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            guard isEscaped(scalar) else { return text.unicodeScalars.append(scalar) }
            let digits = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
