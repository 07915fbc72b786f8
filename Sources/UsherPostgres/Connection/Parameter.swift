import UsherJournal

/// A parameter of a statement in PostgreSQL's binary format.
///
/// A statement that writes several rows has an array for each column, and splits the arrays with `unnest`.
struct Parameter {
    /// The types of array elements, with PostgreSQL's object identifiers as raw values.
    private enum ElementType: UInt32 {
        case bytes = 17
        case integer = 20
        case key = 2950
    }

    /// The value; nil for NULL.
    let bytes: [UInt8]?

    static func integer(_ number: (some FixedWidthInteger)?) -> Parameter {
        value(number) { $0.append(Int64(truncatingIfNeeded: $1)) }
    }

    static func bytes(_ bytes: [UInt8]) -> Parameter { Parameter(bytes: bytes) }
    static func text(_ text: String) -> Parameter { Parameter(bytes: Array(text.utf8)) }
    /// The digest of a build's executable.
    static func build(_ build: UInt64) -> Parameter { text(String(build, radix: 16)) }
    static func key(_ key: JournalKey?) -> Parameter { value(key) { $0.append($1) } }
    static func keys(_ keys: [JournalKey]) -> Parameter { array(of: .key, keys, size: { _ in 16 }) { $0.append($1) } }

    static func integers(_ numbers: [Int64?]) -> Parameter {
        array(of: .integer, numbers, size: { _ in 8 }) { $0.append($1) }
    }

    static func integers(_ numbers: [some FixedWidthInteger]) -> Parameter {
        integers(numbers.map { Int64?(Int64(truncatingIfNeeded: $0)) })
    }

    static func bytes(ofEach items: [[UInt8]?]) -> Parameter {
        array(of: .bytes, items, size: { $0.count }) { $0 += $1 }
    }

    static func texts(_ texts: [String?]) -> Parameter { bytes(ofEach: texts.map { $0.map { Array($0.utf8) } }) }

    private static func value<Value>(_ value: Value?, _ write: (inout [UInt8], Value) -> Void) -> Parameter {
        guard let value else { return Parameter(bytes: nil) }
        var bytes: [UInt8] = []
        write(&bytes, value)
        return Parameter(bytes: bytes)
    }

    /// Returns a one-dimensional array.
    private static func array<Item>(
        of type: ElementType, _ items: [Item?], size: (Item) -> Int, _ write: (inout [UInt8], Item) -> Void
    ) -> Parameter {
        var bytes: [UInt8] = []
        bytes.append(Int32(items.isEmpty ? 0 : 1))
        // This flag means that the array may contain NULL.
        bytes.append(Int32(1))
        bytes.append(type.rawValue)
        guard !items.isEmpty else { return Parameter(bytes: bytes) }
        bytes.append(Int32(items.count))
        // The index of the first element.
        bytes.append(Int32(1))
        for item in items {
            bytes.append(Int32(item.map(size) ?? -1))
            if let item { write(&bytes, item) }
        }
        return Parameter(bytes: bytes)
    }
}

extension [UInt8] {
    /// Appends a number in network byte order.
    mutating func append(_ number: some FixedWidthInteger) {
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
    }

    /// Appends a key as a UUID; UUIDs have the same order as keys.
    mutating func append(_ key: JournalKey) {
        append(key.high)
        append(key.low)
    }
}
