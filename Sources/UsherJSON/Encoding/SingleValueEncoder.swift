/// Writes a value that is one scalar, or whatever a type wraps.
struct SingleValueEncoder: SingleValueEncodingContainer {
    let run: EncodingRun
    let depth: Int
    let owner: Int

    var codingPath: [any CodingKey] { run.path(depth: depth) }

    private func write(_ write: (inout JSONWriter) -> Void) throws {
        try run.scalar(of: owner) { writer in
            write(&writer)
            return true
        }
    }

    func encodeNil() throws { try write { $0.null() } }
    func encode(_ value: Bool) throws { try write { $0.boolean(value) } }
    func encode(_ value: String) throws { try write { $0.string(value) } }
    func encode(_ value: Double) throws { try run.scalar(of: owner) { $0.number(value) } }
    func encode(_ value: Float) throws { try run.scalar(of: owner) { $0.number(value) } }
    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws { try write { $0.integer(value) } }
    func encode<Value: Encodable>(_ value: Value) throws { try run.encode(value, as: owner) }
}
