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
