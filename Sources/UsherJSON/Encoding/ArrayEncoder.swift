/// Writes an array, element by element.
struct ArrayEncoder: UnkeyedEncodingContainer {
    let run: EncodingRun
    let depth: Int
    let owner: Int

    var codingPath: [any CodingKey] { run.state.path(depth: depth) }
    var count: Int { run.state.count(owner, depth: depth) }

    /// The run, ready for the next element.
    private var element: EncodingRun {
        get throws(JSONError) {
            try run.state.ready(owner, depth: depth)
            return run
        }
    }

    func encodeNil() throws { try element.state.writeNull() }
    func encode(_ value: Bool) throws { try element.state.write(value) }
    func encode(_ value: String) throws { try element.state.write(value) }
    func encode(_ value: Double) throws { try element.state.write(value) }
    func encode(_ value: Float) throws { try element.state.write(value) }
    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws { try element.state.write(value) }
    func encode<Value: Encodable>(_ value: Value) throws { try element.encode(value, as: run.state.expectValue()) }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        nestedEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nestedEncoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { nestedEncoder() }

    private func nestedEncoder() -> ValueEncoder {
        do throws(JSONError) {
            return ValueEncoder(run: try element, depth: depth + 1, owner: run.state.expectValue())
        } catch {
            _ = run.state.fail(error)
            return ValueEncoder(run: run, depth: depth + 1, owner: -1)
        }
    }
}
