/// Writes an object, member by member.
struct ObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let run: EncodingRun
    let depth: Int
    let owner: Int

    var codingPath: [any CodingKey] { run.state.path(depth: depth) }

    /// Writes a member's name, and gives the run, ready for its value.
    private func member(_ key: some CodingKey) throws(JSONError) -> EncodingRun {
        try run.state.member(key.stringValue, of: owner, depth: depth)
        return run
    }

    func encodeNil(forKey key: Key) throws { try member(key).state.writeNull() }
    func encode(_ value: Bool, forKey key: Key) throws { try member(key).state.write(value) }
    func encode(_ value: String, forKey key: Key) throws { try member(key).state.write(value) }
    func encode(_ value: Double, forKey key: Key) throws { try member(key).state.write(value) }
    func encode(_ value: Float, forKey key: Key) throws { try member(key).state.write(value) }
    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number, forKey key: Key) throws {
        try member(key).state.write(value)
    }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try member(key).encode(value, as: run.state.expectValue())
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nestedEncoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nestedEncoder(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nestedEncoder(PathKey(stringValue: "super")) }
    func superEncoder(forKey key: Key) -> any Encoder { nestedEncoder(key) }

    private func nestedEncoder(_ key: some CodingKey) -> ValueEncoder {
        do throws(JSONError) {
            return ValueEncoder(run: try member(key), depth: depth + 1, owner: run.state.expectValue())
        } catch {
            _ = run.state.fail(error)
            return ValueEncoder(run: run, depth: depth + 1, owner: -1)
        }
    }
}
