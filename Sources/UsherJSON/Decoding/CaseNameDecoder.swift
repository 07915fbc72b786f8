/// The keyed container of a bare string, which is the name of an enum case: reads `"close"` as if it were
/// `{"close":{}}`.
///
/// Swift's decoder of an enum lists the keys and opens the case's payload; a type that asks for anything else wanted
/// an object.
struct CaseNameDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let run: DecodingRun
    private let index: Int

    init(run: DecodingRun, index: Int) {
        self.run = run
        self.index = index
    }

    var codingPath: [any CodingKey] { run.path(to: index) }

    var allKeys: [Key] {
        run.markListed(index)
        return run.key(Key.self, at: index).map { [$0] } ?? []
    }

    private var mismatch: DecodingError { run.mismatch([String: Any].self, "an object", at: index) }

    func contains(_ key: Key) -> Bool {
        run.refuse(mismatch)
        return false
    }

    func decodeNil(forKey key: Key) throws -> Bool { throw mismatch }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { throw mismatch }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        guard run.mark(index).isListed else { throw mismatch }
        return KeyedDecodingContainer(NoPayloadDecoder<Nested>(run: run, index: index))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw mismatch }
    func superDecoder() throws -> any Decoder { throw mismatch }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw mismatch }
}

/// The keyed container of the payload of a case that was named by a bare string: an object without members.
private struct NoPayloadDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
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
