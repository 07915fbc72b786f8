/// A collection without a defined order, which is encoded sorted so that equal values have equal bytes.
protocol UnorderedCollection {
    /// The number of values in an array that form one element: 2 for an array of a dictionary's keys and values.
    static var valuesPerElement: Int { get }
}

extension Dictionary: UnorderedCollection {
    static var valuesPerElement: Int { 2 }
}

extension Set: UnorderedCollection {
    static var valuesPerElement: Int { 1 }
}

/// The type of coding key that the standard library uses for dictionaries that are encoded as objects.
///
/// The type has no public name, so encoding a dictionary once reveals the type. A dictionary is thus recognized and
/// sorted even if a type passes its own encoder to it.
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
            encoder = ValueEncoder(run: run, depth: 0, slot: run.state.reserveSlot())
        }

        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            seen.identifier = ObjectIdentifier(type)
            return encoder.object(keyedBy: type, isDictionary: false)
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
        func singleValueContainer() -> any SingleValueEncodingContainer { encoder.singleValueContainer() }
    }
}

extension JSONWriter {
    /// Sorts the value from `start` to the end of the text: an object by its members' names, an array by its elements.
    ///
    /// - Throws: A `JSONError` if two members have the same name.
    mutating func sortValue(from start: Int, valuesPerElement size: Int) throws(JSONError) {
        let tape = try Parser.tape(of: Array(bytes[start...]), depth: JSONDocument.maximumDepth)
        let isObject = tape.token(at: 0).kind == .object
        var parts = tape.parts(valuesPerElement: isObject ? 2 : size)
        guard parts.count > 1 else { return }
        parts.sort { $0.key.lexicographicallyPrecedes($1.key) }
        bytes.removeSubrange(start...)
        bytes.append(isObject ? ASCII.openBrace : ASCII.openBracket)
        for part in parts {
            separate()
            bytes.append(contentsOf: part.text)
        }
        bytes.append(isObject ? ASCII.closeBrace : ASCII.closeBracket)
    }
}

extension Tape {
    /// Returns the texts of the root's children, grouped into elements, each with the bytes to sort by.
    fileprivate func parts(valuesPerElement size: Int) -> [(key: ArraySlice<UInt8>, text: ArraySlice<UInt8>)] {
        let isObject = token(at: 0).kind == .object
        var parts: [(key: ArraySlice<UInt8>, text: ArraySlice<UInt8>)] = []
        var child = 1
        while child < tokenCount {
            let last = size == 2 ? next(after: child) : child
            let text = bytes[Int(token(at: child).start)..<Int(token(at: last).end)]
            parts.append((isObject ? bytes[content(at: child)] : text, text))
            child = next(after: last)
        }
        return parts
    }
}
