/// The encoder of a slot's value.
struct ValueEncoder: Encoder {
    private let run: EncodingRun
    private let depth: Int
    private let slot: Int

    init(run: EncodingRun, depth: Int, slot: Int) {
        self.run = run
        self.depth = depth
        self.slot = slot
    }

    var codingPath: [any CodingKey] { run.state.path(depth: depth) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let isDictionary = ObjectIdentifier(type) == DictionaryKey.identifier
        return object(keyedBy: type, isDictionary: isDictionary)
    }

    /// Starts an object, whose members are sorted if the value is a dictionary.
    func object<Key: CodingKey>(keyedBy type: Key.Type, isDictionary: Bool) -> KeyedEncodingContainer<Key> {
        run.state.beginContainer(isObject: true, isDictionary: isDictionary, of: slot, depth: depth)
        return KeyedEncodingContainer(ObjectEncoder(run: run, depth: depth, slot: slot))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        run.state.beginContainer(isObject: false, isDictionary: false, of: slot, depth: depth)
        return ArrayEncoder(run: run, depth: depth, slot: slot)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueEncoder(run: run, depth: depth, slot: slot)
    }
}

private struct SingleValueEncoder: SingleValueEncodingContainer {
    let run: EncodingRun
    let depth: Int
    let slot: Int

    var codingPath: [any CodingKey] { run.state.path(depth: depth) }

    private var scalar: EncodingRun {
        get throws(JSONError) {
            try run.state.fill(slot)
            return run
        }
    }

    func encodeNil() throws { try scalar.state.writeNull() }
    func encode(_ value: Bool) throws { try scalar.state.write(value) }
    func encode(_ value: String) throws { try scalar.state.write(value) }
    func encode(_ value: Double) throws { try scalar.state.write(value) }
    func encode(_ value: Float) throws { try scalar.state.write(value) }
    func encode(_ value: Int) throws { try scalar.state.write(value) }
    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws { try scalar.state.write(value) }
    func encode<Value: Encodable>(_ value: Value) throws { try run.encode(value, as: slot) }
}

private struct ObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let run: EncodingRun
    let depth: Int
    let slot: Int

    var codingPath: [any CodingKey] { run.state.path(depth: depth) }

    private func begin(_ key: some CodingKey) throws(JSONError) {
        try run.state.beginMember(key.stringValue, of: slot, depth: depth)
    }

    @inline(__always)
    private func member(_ key: Key, _ write: (inout EncodingState) throws(JSONError) -> Void) throws(JSONError) {
        try begin(key)
        try write(&run.state)
    }

    func encodeNil(forKey key: Key) throws { try member(key) { $0.writeNull() } }
    func encode(_ value: Bool, forKey key: Key) throws { try member(key) { $0.write(value) } }
    func encode(_ value: String, forKey key: Key) throws { try member(key) { $0.write(value) } }
    func encode(_ value: Double, forKey key: Key) throws {
        try member(key) { state throws(JSONError) in try state.write(value) }
    }
    func encode(_ value: Float, forKey key: Key) throws {
        try member(key) { state throws(JSONError) in try state.write(value) }
    }
    func encode(_ value: Int, forKey key: Key) throws { try member(key) { $0.write(value) } }
    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number, forKey key: Key) throws {
        try member(key) { $0.write(value) }
    }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try begin(key)
        try run.encode(value, as: run.state.reserveSlot())
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(PathKey(stringValue: "super")) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func encoder(_ key: some CodingKey) -> ValueEncoder {
        run.nestedEncoder(depth: depth + 1) { () throws(JSONError) in try begin(key) }
    }
}

private struct ArrayEncoder: UnkeyedEncodingContainer {
    let run: EncodingRun
    let depth: Int
    let slot: Int

    var codingPath: [any CodingKey] { run.state.path(depth: depth) }
    var count: Int { run.state.count(of: slot, depth: depth) }

    private var element: EncodingRun {
        get throws(JSONError) {
            try run.state.beginElement(of: slot, depth: depth)
            return run
        }
    }

    func encodeNil() throws { try element.state.writeNull() }
    func encode(_ value: Bool) throws { try element.state.write(value) }
    func encode(_ value: String) throws { try element.state.write(value) }
    func encode(_ value: Double) throws { try element.state.write(value) }
    func encode(_ value: Float) throws { try element.state.write(value) }
    func encode(_ value: Int) throws { try element.state.write(value) }
    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws { try element.state.write(value) }
    func encode<Value: Encodable>(_ value: Value) throws { try element.encode(value, as: run.state.reserveSlot()) }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        encoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> ValueEncoder {
        run.nestedEncoder(depth: depth + 1) { () throws(JSONError) in _ = try element }
    }
}

extension EncodingRun {
    /// Returns the encoder of a nested container; if the container cannot be started, the encoder writes nothing.
    ///
    /// The result is an encoder even after an error, because a function that creates a nested container cannot throw.
    fileprivate func nestedEncoder(depth: Int, _ begin: () throws(JSONError) -> Void) -> ValueEncoder {
        do throws(JSONError) {
            try begin()
            return ValueEncoder(run: self, depth: depth, slot: state.reserveSlot())
        } catch {
            _ = state.fail(error)
            return ValueEncoder(run: self, depth: depth, slot: -1)
        }
    }
}
