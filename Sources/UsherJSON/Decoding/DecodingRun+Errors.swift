// The errors that types throw, as `Codable` defines them.
extension DecodingRun {
    func path(to index: Int) -> [any CodingKey] { tape.path(to: index, from: root) }

    /// Creates the context of an error, and marks the decoding as failed.
    func context(_ reason: String, at index: Int) -> DecodingError.Context {
        noteFailure()
        return DecodingError.Context(codingPath: path(to: index), debugDescription: reason)
    }

    func mismatch(_ type: any Any.Type, _ expected: String, at index: Int) -> DecodingError {
        let found = tape.token(at: index).kind
        let context = context("expected \(expected), found \(found.words)", at: index)
        return found == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// Returns the error for a value that an integer type cannot hold.
    func unfit<Number: FixedWidthInteger>(_ type: Number.Type, at index: Int) -> DecodingError {
        switch tape.token(at: index).kind {
        case _ where tape.isWhole(at: index):
            let range = "an integer from \(Number.min) to \(Number.max)"
            return .dataCorrupted(context("expected \(range), found \(literal(at: index))", at: index))
        case .number:
            let reason = "expected a whole number, found \(literal(at: index))"
            return .dataCorrupted(context(reason, at: index))
        default:
            return mismatch(type, "an integer", at: index)
        }
    }

    func unfit<Number: BinaryFloatingPoint>(_ type: Number.Type, at index: Int) -> DecodingError {
        switch tape.token(at: index).kind {
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
    /// The kind with its article, for messages.
    fileprivate var words: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .integer, .number: "a number"
        case .true, .false: "a boolean"
        case .null: "null"
        }
    }
}

// The errors that `decode` throws.
extension DecodingRun {
    /// Turns an error that a type threw into a sentence with the place in the document.
    func explain(_ error: any Error) -> JSONError {
        switch error {
        case let error as JSONError:
            return error
        case DecodingError.keyNotFound(let key, let context):
            return explainMissing(key, at: tape.value(at: context.codingPath, from: root))
        case DecodingError.typeMismatch(let type, let context):
            let index = tape.value(at: context.codingPath, from: root)
            return isUnknownCase(at: index) ? explainCase(of: type, at: index) : shape(context.debugDescription, index)
        case DecodingError.valueNotFound(_, let context):
            return shape(context.debugDescription, tape.value(at: context.codingPath, from: root))
        case DecodingError.dataCorrupted(let context):
            return explainCorrupted(context)
        default:
            return shape(String(describing: error), failed?.index ?? root)
        }
    }

    private func shape(_ reason: String, _ index: Int) -> JSONError {
        JSONError(reason, at: tape.place(of: index))
    }

    private func explainMissing(_ key: any CodingKey, at index: Int) -> JSONError {
        var reason = "missing member \(key.stringValue.abbreviated)"
        if tape.token(at: index).kind == .string {
            reason += " of the case \(tape.string(at: index).abbreviated)"
        }
        return shape(reason, index)
    }

    /// Returns `true` if a type listed the names at `index` to find an enum case, and then read nothing.
    private func isUnknownCase(at index: Int) -> Bool {
        guard mark(index).isListed else { return false }
        if tape.token(at: index).kind == .object {
            return !tape.children(of: index).contains { mark($0).isRead }
        }
        return !mark(index).isKnown
    }

    private func explainCase(of type: any Any.Type, at index: Int) -> JSONError {
        let names = tape.token(at: index).kind == .object ? tape.children(of: index) : [index]
        guard names.count == 1, let name = names.first else { return notOneCase(index) }
        return shape(unknownCase(tape.string(at: name), of: type), index)
    }

    private func explainCorrupted(_ context: DecodingError.Context) -> JSONError {
        let index = tape.value(at: context.codingPath, from: root)
        // Recognizes the standard library's error for a raw value that no case has.
        if let failed, failed.index == index, failed.type is any RawRepresentable.Type,
            context.debugDescription.hasPrefix("Cannot initialize")
        {
            let isString = tape.token(at: index).kind == .string
            let name =
                isString
                ? tape.string(at: index) : String(decoding: tape.text(at: index), as: UTF8.self)
            return shape(unknownCase(name, of: failed.type), index)
        }
        return shape(context.debugDescription, index)
    }

    private func unknownCase(_ name: String, of type: any Any.Type) -> String {
        let names = caseNames(of: type)
        return "unknown case \(name.abbreviated)" + (names.isEmpty ? "" : "; expected one of \(names.listed)")
    }

    /// Returns the encoded names of the cases, if the type is `CaseIterable` and `Encodable`.
    private func caseNames(of type: any Any.Type) -> [String] {
        guard let type = type as? any CaseIterable.Type else { return [] }
        return encodedCases(of: type).compactMap { value in
            let json = try? JSONWriter.bytes { writer throws(JSONError) in try writer.encode(value) }
            guard let json, let value = try? JSONDocument(parsing: json).root else { return nil }
            return value.string ?? value.members.first { _ in true }?.name ?? String(decoding: json, as: UTF8.self)
        }
    }

    private func encodedCases<Cases: CaseIterable>(of type: Cases.Type) -> [any Encodable] {
        type.allCases.compactMap { $0 as? any Encodable }
    }
}
