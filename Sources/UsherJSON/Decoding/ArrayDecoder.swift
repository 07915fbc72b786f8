/// Reads an array, element by element.
struct ArrayDecoder: UnkeyedDecodingContainer {
    private let run: DecodingRun
    private let index: Int
    private let end: Int
    private var element: Int
    private(set) var currentIndex = 0

    init(run: DecodingRun, index: Int) throws {
        guard run.tape.tokens[index].kind == .array else { throw run.mismatch([Any].self, "an array", at: index) }
        run.open(index)
        self.run = run
        self.index = index
        element = index + 1
        end = run.tape.next(after: index)
    }

    var codingPath: [any CodingKey] { run.path(to: index) }
    var count: Int? { run.tape.count(of: index) }
    var isAtEnd: Bool { element >= end }

    /// Reads the element at hand; only when that goes well it is behind us.
    private mutating func take<Value>(_ type: any Any.Type, _ read: (Int) throws -> Value) throws -> Value {
        guard element < end else {
            let reason = "expected more than \(currentIndex) elements"
            throw DecodingError.valueNotFound(type, run.context(reason, at: index))
        }
        let value = try read(element)
        run.read(element)
        element = run.tape.next(after: element)
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard element < end, run.isNull(element) else { return false }
        return try take(Bool.self) { _ in true }
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type, run.boolean) }
    mutating func decode(_ type: String.Type) throws -> String { try take(type, run.string) }
    mutating func decode(_ type: Double.Type) throws -> Double { try take(type, run.number) }
    mutating func decode(_ type: Float.Type) throws -> Float { try take(type, run.number) }
    mutating func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try take(type, run.integer)
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let run = run
        return try take(type) { try run.decode(type, at: $0) }
    }

    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        guard !isAtEnd else { return nil }
        let run = run
        return try take(type) { try run.decodeIfPresent(type, at: $0) }
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        let run = run
        return try take(ValueDecoder.self) { ValueDecoder(run: run, index: $0) }
    }
}
