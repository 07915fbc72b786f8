/// The encoder of one value.
struct ValueEncoder: Encoder {
    let run: EncodingRun
    /// How many containers are around the value.
    let depth: Int
    /// The number that lets the value be written.
    let owner: Int

    var codingPath: [any CodingKey] { run.path(depth: depth) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        run.begin(true, of: owner, depth: depth)
        return KeyedEncodingContainer(ObjectEncoder<Key>(run: run, depth: depth, owner: owner))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        run.begin(false, of: owner, depth: depth)
        return ArrayEncoder(run: run, depth: depth, owner: owner)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueEncoder(run: run, depth: depth, owner: owner)
    }
}
