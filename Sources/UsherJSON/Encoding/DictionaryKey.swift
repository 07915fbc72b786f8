/// The coding key with which the standard library encodes the dictionaries that are objects.
///
/// The type has no public name; so a dictionary is encoded once, to see it. Then a dictionary is known, and sorted,
/// even where a type passes it its own encoder.
enum DictionaryKey {
    static let identifier: ObjectIdentifier? = {
        let probe = Probe()
        try? ["": 0].encode(to: probe)
        return probe.seen.identifier
    }()

    private final class Seen {
        var identifier: ObjectIdentifier?
    }

    private struct Probe: Encoder {
        let seen = Seen()
        private let encoder: ValueEncoder

        init() {
            let run = EncodingRun(JSONWriter())
            encoder = ValueEncoder(run: run, depth: 0, owner: run.state.expectValue())
        }

        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            seen.identifier = ObjectIdentifier(type)
            return KeyedEncodingContainer(encoder.object(keyedBy: type, isDictionary: false))
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
        func singleValueContainer() -> any SingleValueEncodingContainer { encoder.singleValueContainer() }
    }
}
