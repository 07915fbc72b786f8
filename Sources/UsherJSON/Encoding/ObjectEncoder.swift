/// Writes an object, member by member.
struct ObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let run: EncodingRun
    let depth: Int
    let owner: Int

    var codingPath: [any CodingKey] { run.path(depth: depth) }

    /// Writes a member's name, and gives the place of its value.
    private func member(_ key: some CodingKey) throws(JSONError) -> SingleValueEncoder {
        try run.ready(owner, depth: depth)
        run.key(key)
        return SingleValueEncoder(run: run, depth: depth + 1, owner: run.expectValue())
    }

    func encodeNil(forKey key: Key) throws { try member(key).encodeNil() }
    func encode(_ value: Bool, forKey key: Key) throws { try member(key).encode(value) }
    func encode(_ value: String, forKey key: Key) throws { try member(key).encode(value) }
    func encode(_ value: Double, forKey key: Key) throws { try member(key).encode(value) }
    func encode(_ value: Float, forKey key: Key) throws { try member(key).encode(value) }
    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number, forKey key: Key) throws {
        try member(key).encode(value)
    }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try member(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        superEncoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        superEncoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(PathKey(stringValue: "super")) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func encoder(_ key: some CodingKey) -> ValueEncoder {
        do throws(JSONError) {
            let member = try member(key)
            return ValueEncoder(run: run, depth: member.depth, owner: member.owner)
        } catch {
            run.fail(error)
            return ValueEncoder(run: run, depth: depth + 1, owner: -1)
        }
    }
}
