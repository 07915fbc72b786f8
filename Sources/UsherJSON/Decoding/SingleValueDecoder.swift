/// Reads a value as one scalar, or as whatever a type wraps.
struct SingleValueDecoder: SingleValueDecodingContainer {
    let run: DecodingRun
    let index: Int

    var codingPath: [any CodingKey] { run.path(to: index) }

    func decodeNil() -> Bool { run.isNull(index) && run.valuedNull != index }
    func decode(_ type: Bool.Type) throws -> Bool { try run.boolean(at: index) }
    func decode(_ type: String.Type) throws -> String { try run.string(at: index) }
    func decode(_ type: Double.Type) throws -> Double { try run.number(at: index) }
    func decode(_ type: Float.Type) throws -> Float { try run.number(at: index) }
    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try run.integer(at: index)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Only what the wrapped type itself looks at counts.
        defer { run.touch(index) }
        return try run.decode(type, at: index)
    }
}
