/// Writes a value that is one scalar, or whatever a type wraps.
struct SingleValueEncoder: SingleValueEncodingContainer {
    let run: EncodingRun
    let depth: Int
    let owner: Int

    var codingPath: [any CodingKey] { run.state.path(depth: depth) }

    private var claimed: EncodingRun {
        get throws(JSONError) {
            try run.state.claim(owner)
            return run
        }
    }

    func encodeNil() throws { try claimed.state.writeNull() }
    func encode(_ value: Bool) throws { try claimed.state.write(value) }
    func encode(_ value: String) throws { try claimed.state.write(value) }
    func encode(_ value: Double) throws { try claimed.state.write(value) }
    func encode(_ value: Float) throws { try claimed.state.write(value) }
    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws { try claimed.state.write(value) }
    func encode<Value: Encodable>(_ value: Value) throws { try run.encode(value, as: owner) }
}
