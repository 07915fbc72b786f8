/// The decoder of the value at one place of the tape.
struct ValueDecoder: Decoder {
    let run: DecodingRun
    let index: Int

    var codingPath: [any CodingKey] { run.path(to: index) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        switch run.tape.tokens[index].kind {
        case .object:
            run.open(index)
            return KeyedDecodingContainer(ObjectDecoder<Key>(run: run, index: index))
        case .string:
            run.touch(index)
            return KeyedDecodingContainer(CaseNameDecoder<Key>(run: run, index: index))
        default:
            throw run.mismatch([String: Any].self, "an object", at: index)
        }
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try ArrayDecoder(run: run, index: index)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        run.touch(index)
        return SingleValueDecoder(run: run, index: index)
    }
}
