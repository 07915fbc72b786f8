/// The decoder of the value at one index of the tape.
package struct ValueDecoder: Decoder {
    private let run: DecodingRun
    private let index: Int

    init(run: DecodingRun, index: Int) {
        self.run = run
        self.index = index
    }

    package var codingPath: [any CodingKey] { run.path(to: index) }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// The decoded value.
    package var json: JSONValue { run.json(at: index) }
    /// The context that was passed to `decode`.
    package var context: (any DecodingContext)? { run.context }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        switch run.tape.token(at: index).kind {
        case .object:
            run.markOpened(index)
            return KeyedDecodingContainer(ObjectDecoder<Key>(run: run, index: index))
        case .string:
            run.markTouched(index)
            return KeyedDecodingContainer(CaseNameDecoder<Key>(run: run, index: index))
        default:
            throw run.mismatch([String: Any].self, "an object", at: index)
        }
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try ArrayDecoder(run: run, index: index)
    }

    package func singleValueContainer() throws -> any SingleValueDecodingContainer {
        run.markTouched(index)
        return SingleValueDecoder(run: run, index: index)
    }
}

private struct SingleValueDecoder: SingleValueDecodingContainer {
    let run: DecodingRun
    let index: Int

    var codingPath: [any CodingKey] { run.path(to: index) }

    func decodeNil() -> Bool { run.isNil(index) }
    func decode(_ type: Bool.Type) throws -> Bool { try run.boolean(at: index) }
    func decode(_ type: String.Type) throws -> String { try run.string(at: index) }
    func decode(_ type: Double.Type) throws -> Double { try run.number(at: index) }
    func decode(_ type: Float.Type) throws -> Float { try run.number(at: index) }
    func decode(_ type: Int.Type) throws -> Int { try run.integer(at: index) }
    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try run.integer(at: index)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // The inner `decode` resets the mark, so set the mark again: this type has read the value.
        defer { run.markTouched(index) }
        return try run.decode(type, at: index)
    }
}

private struct ObjectDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let run: DecodingRun
    let index: Int

    var codingPath: [any CodingKey] { run.path(to: index) }

    var allKeys: [Key] {
        run.markListed(index)
        var keys: [Key] = []
        let end = run.tape.next(after: index)
        var name = index + 1
        while name < end {
            if let key = run.key(Key.self, at: name) { keys.append(key) }
            name = run.tape.next(after: name + 1)
        }
        return keys
    }

    func contains(_ key: Key) -> Bool { run.memberName(key.stringValue, of: index) != nil }

    /// Returns the index of a member's value, or throws if there is no such member.
    private func value(_ key: some CodingKey) throws -> Int {
        guard let name = run.memberName(key.stringValue, of: index) else { throw run.missing(key, of: index) }
        return name + 1
    }

    func decodeNil(forKey key: Key) throws -> Bool { try run.isNull(value(key)) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try run.boolean(at: value(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try run.string(at: value(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try run.number(at: value(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try run.number(at: value(key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try run.integer(at: value(key)) }
    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number {
        try run.integer(at: value(key))
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try run.decode(type, at: value(key))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let name = run.memberName(key.stringValue, of: index) else { return nil }
        return try run.decodeIfPresent(type, at: name + 1)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        let index = try value(key)
        // The payload of a case is an object even if no type reads from it. A string would be a case's name instead.
        guard run.tape.token(at: index).kind == .object else {
            throw run.mismatch([String: Any].self, "an object", at: index)
        }
        run.markOpened(index)
        return KeyedDecodingContainer(ObjectDecoder<Nested>(run: run, index: index))
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

private struct ArrayDecoder: UnkeyedDecodingContainer {
    private let run: DecodingRun
    private let index: Int
    private let end: Int
    private var element: Int
    private(set) var currentIndex = 0

    init(run: DecodingRun, index: Int) throws {
        guard run.tape.token(at: index).kind == .array else {
            throw run.mismatch([Any].self, "an array", at: index)
        }
        run.markOpened(index)
        self.run = run
        self.index = index
        element = index + 1
        end = run.tape.next(after: index)
    }

    var codingPath: [any CodingKey] { run.path(to: index) }
    var count: Int? { run.tape.children(of: index).count }
    var isAtEnd: Bool { element >= end }

    /// Reads the next element; if reading the element fails, it stays the next element.
    private mutating func next<Value>(_ type: any Any.Type, _ read: (Int) throws -> Value) throws -> Value {
        guard element < end else {
            let reason = "expected more than \(currentIndex) elements"
            throw DecodingError.valueNotFound(type, run.context(reason, at: index))
        }
        let value = try read(element)
        run.markRead(element)
        element = run.tape.next(after: element)
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard element < end, run.isNull(element) else { return false }
        return try next(Bool.self) { _ in true }
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type, run.boolean) }
    mutating func decode(_ type: String.Type) throws -> String { try next(type, run.string) }
    mutating func decode(_ type: Double.Type) throws -> Double { try next(type, run.number) }
    mutating func decode(_ type: Float.Type) throws -> Float { try next(type, run.number) }
    mutating func decode(_ type: Int.Type) throws -> Int { try next(type, run.integer) }
    mutating func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try next(type, run.integer)
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let run = run
        return try next(type) { try run.decode(type, at: $0) }
    }

    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        guard !isAtEnd else { return nil }
        let run = run
        return try next(type) { try run.decodeIfPresent(type, at: $0) }
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        let run = run
        return try next(ValueDecoder.self) { ValueDecoder(run: run, index: $0) }
    }
}

/// The keyed container for a string that names an enum case: decodes `"close"` like `{"close":{}}`.
///
/// Swift's decoder of an enum lists the keys and opens the payload of the case. All other calls come from types that
/// expect an object.
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

/// The keyed container for the payload of a case that a string names: an object without members.
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
