extension DecodingRun {
    /// The way from the value that is decoded to the one at `index`.
    func path(to index: Int) -> [any CodingKey] { tape.path(to: index, from: root) }

    func context(_ reason: String, at index: Int) -> DecodingError.Context {
        hasFailed = true
        return DecodingError.Context(codingPath: path(to: index), debugDescription: reason)
    }

    /// The error for a value of the wrong kind.
    func mismatch(_ type: any Any.Type, _ expected: String, at index: Int) -> DecodingError {
        let found = tape.tokens[index].kind
        let context = context("expected \(expected), found \(found.words)", at: index)
        return found == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The error for a number that the type cannot hold.
    func unfit<Number: FixedWidthInteger>(_ type: Number.Type, at index: Int) -> DecodingError {
        switch tape.tokens[index].kind {
        case .integer:
            let range = "an integer from \(Number.min) to \(Number.max)"
            return .dataCorrupted(context("expected \(range), found \(literal(at: index))", at: index))
        case .number:
            let reason = "expected an integer without fraction or exponent, found \(literal(at: index))"
            return .dataCorrupted(context(reason, at: index))
        default:
            return mismatch(type, "an integer", at: index)
        }
    }

    /// The error for a number that overflows.
    func unfit<Number: BinaryFloatingPoint>(_ type: Number.Type, at index: Int) -> DecodingError {
        switch tape.tokens[index].kind {
        case .integer, .number:
            let largest = Number.greatestFiniteMagnitude
            let reason = "expected a number from -\(largest) to \(largest), found \(literal(at: index))"
            return .dataCorrupted(context(reason, at: index))
        default:
            return mismatch(type, "a number", at: index)
        }
    }

    func missing(_ key: any CodingKey, of object: Int) -> DecodingError {
        .keyNotFound(key, context("missing member \(key.stringValue.abbreviated)", at: object))
    }

    private func literal(at index: Int) -> String {
        let text = tape.text(at: index)
        return String(decoding: text.prefix(40), as: UTF8.self) + (text.count > 40 ? "…" : "")
    }
}

extension Token.Kind {
    /// The kind in words, with its article.
    var words: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .integer, .number: "a number"
        case .yes, .no: "a boolean"
        case .null: "null"
        }
    }
}
