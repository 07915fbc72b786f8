/// Reads an object, member by member.
struct ObjectDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let run: DecodingRun
    let index: Int

    var codingPath: [any CodingKey] { run.path(to: index) }

    var allKeys: [Key] {
        run.list(index)
        var keys: [Key] = []
        let end = run.tape.next(after: index)
        var name = index + 1
        while name < end {
            if let key = run.key(Key.self, at: name) { keys.append(key) }
            name = run.tape.next(after: name + 1)
        }
        return keys
    }

    func contains(_ key: Key) -> Bool { run.find(key.stringValue, of: index) != nil }

    /// The value of a member, which must be there.
    private func value(_ key: some CodingKey) throws -> Int {
        guard let name = run.find(key.stringValue, of: index) else { throw run.missing(key, of: index) }
        return name + 1
    }

    func decodeNil(forKey key: Key) throws -> Bool { try run.isNull(value(key)) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try run.boolean(at: value(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try run.string(at: value(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try run.number(at: value(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try run.number(at: value(key)) }
    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number {
        try run.integer(at: value(key))
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try run.decode(type, at: value(key))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let name = run.find(key.stringValue, of: index) else { return nil }
        return try run.decodeIfPresent(type, at: name + 1)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(PathKey(stringValue: "super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: some CodingKey) throws -> ValueDecoder {
        try ValueDecoder(run: run, index: value(key))
    }
}
