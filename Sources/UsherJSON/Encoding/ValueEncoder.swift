/// The encoder of one value.
struct ValueEncoder: Encoder {
    let run: EncodingRun
    /// How many containers are around the value.
    let depth: Int
    /// The number that lets the value be written.
    let owner: Int

    var codingPath: [any CodingKey] { run.state.path(depth: depth) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let isDictionary = ObjectIdentifier(type) == DictionaryKey.identifier
        return KeyedEncodingContainer(object(keyedBy: type, isDictionary: isDictionary))
    }

    func object<Key: CodingKey>(keyedBy type: Key.Type, isDictionary: Bool) -> ObjectEncoder<Key> {
        run.state.begin(isObject: true, isDictionary: isDictionary, of: owner, depth: depth)
        return ObjectEncoder(run: run, depth: depth, owner: owner)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        run.state.begin(isObject: false, isDictionary: false, of: owner, depth: depth)
        return ArrayEncoder(run: run, depth: depth, owner: owner)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueEncoder(run: run, depth: depth, owner: owner)
    }
}

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
