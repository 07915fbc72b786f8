/// The decoder of the value at one place of the tape.
package struct ValueDecoder: Decoder {
    let run: DecodingRun
    let index: Int

    package var codingPath: [any CodingKey] { run.path(to: index) }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// The value itself, with its place in the text.
    package var json: JSONValue { JSONValue(storage: run.storage, index: index) }
    /// What the caller of `decode` gave types to find beside the text.
    package var context: (any DecodingContext)? { run.context }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
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

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try ArrayDecoder(run: run, index: index)
    }

    package func singleValueContainer() throws -> any SingleValueDecodingContainer {
        run.touch(index)
        return SingleValueDecoder(run: run, index: index)
    }
}
