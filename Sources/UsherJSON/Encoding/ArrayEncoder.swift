/// Writes an array, element by element.
struct ArrayEncoder: UnkeyedEncodingContainer {
    let run: EncodingRun
    let depth: Int
    let owner: Int

    var codingPath: [any CodingKey] { run.path(depth: depth) }
    var count: Int { depth < run.open.count && run.open[depth].owner == owner ? run.open[depth].count : 0 }

    /// The place of the next element.
    private func element() throws(JSONError) -> SingleValueEncoder {
        try run.ready(owner, depth: depth)
        return SingleValueEncoder(run: run, depth: depth + 1, owner: run.expectValue())
    }

    func encodeNil() throws { try element().encodeNil() }
    func encode(_ value: Bool) throws { try element().encode(value) }
    func encode(_ value: String) throws { try element().encode(value) }
    func encode(_ value: Double) throws { try element().encode(value) }
    func encode(_ value: Float) throws { try element().encode(value) }
    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws { try element().encode(value) }
    func encode<Value: Encodable>(_ value: Value) throws { try element().encode(value) }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        superEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { superEncoder().unkeyedContainer() }

    func superEncoder() -> any Encoder {
        do throws(JSONError) {
            let element = try element()
            return ValueEncoder(run: run, depth: element.depth, owner: element.owner)
        } catch {
            run.fail(error)
            return ValueEncoder(run: run, depth: depth + 1, owner: -1)
        }
    }
}
