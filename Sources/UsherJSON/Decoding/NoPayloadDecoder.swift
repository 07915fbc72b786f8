/// Reads the payload of a case that was named by a bare string: an object without members.
struct NoPayloadDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let run: DecodingRun
    let index: Int

    var codingPath: [any CodingKey] { run.path(to: index) }
    var allKeys: [Key] { [] }

    private func missing(_ key: some CodingKey) -> DecodingError { run.missing(key, of: index) }

    func contains(_ key: Key) -> Bool { false }
    func decodeNil(forKey key: Key) throws -> Bool { throw missing(key) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { throw missing(key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw missing(key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw missing(key) }
    func superDecoder() throws -> any Decoder { throw missing(PathKey(stringValue: "super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw missing(key) }
}
