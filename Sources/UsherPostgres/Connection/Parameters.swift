import UsherJournal

/// The parameters of a statement in PostgreSQL's binary format, in one buffer.
///
/// If a statement writes a group, each column is an array, which the statement splits with `unnest`.
struct Parameters {
    /// The types of array elements, with the object identifiers of PostgreSQL.
    private enum ElementType: UInt32 {
        case bytes = 17
        case integer = 20
        case key = 2950
    }

    private(set) var buffer: [UInt8] = []
    /// The places of the parameters in the buffer; nil for NULL.
    private(set) var places: [Range<Int>?] = []

    init() {}

    init(_ text: String) {
        bytes(text.utf8)
    }

    mutating func null() {
        places.append(nil)
    }

    mutating func integer(_ number: Int64) {
        add { $0.append(number) }
    }

    mutating func integer(_ number: UInt64) {
        integer(Int64(bitPattern: number))
    }

    mutating func integer(_ number: Int) {
        integer(Int64(number))
    }

    mutating func bytes(_ bytes: some Collection<UInt8>) {
        add { $0 += bytes }
    }

    mutating func key(_ key: JournalKey) {
        add { $0.append(key) }
    }

    mutating func keys(_ keys: some Collection<JournalKey>) {
        array(of: .key, keys) { buffer, key in
            buffer.append(Int32(16))
            buffer.append(key)
        }
    }

    mutating func integers(_ numbers: some Collection<Int64?>) {
        array(of: .integer, numbers) { buffer, number in
            guard let number else { return buffer.append(Int32(-1)) }
            buffer.append(Int32(8))
            buffer.append(number)
        }
    }

    mutating func integers(_ numbers: some Collection<Int>) {
        integers(numbers.map { Int64?(Int64($0)) })
    }

    mutating func marks(_ marks: some Collection<UInt64>) {
        integers(marks.map { Int64?(Int64(bitPattern: $0)) })
    }

    mutating func bytes(ofEach items: some Collection<[UInt8]?>) {
        array(of: .bytes, items) { buffer, bytes in
            guard let bytes else { return buffer.append(Int32(-1)) }
            buffer.append(Int32(bytes.count))
            buffer += bytes
        }
    }

    /// Adds a parameter that a closure writes.
    private mutating func add(_ write: (inout [UInt8]) -> Void) {
        let start = buffer.count
        write(&buffer)
        places.append(start..<buffer.count)
    }

    /// Adds a one-dimensional array.
    private mutating func array<Items: Collection>(
        of type: ElementType, _ items: Items, _ write: (inout [UInt8], Items.Element) -> Void
    ) {
        add { buffer in
            buffer.append(Int32(items.isEmpty ? 0 : 1))
            // This flag says that the array may contain NULL.
            buffer.append(Int32(1))
            buffer.append(Int32(bitPattern: type.rawValue))
            guard !items.isEmpty else { return }
            buffer.append(Int32(items.count))
            // The index of the first element.
            buffer.append(Int32(1))
            for item in items { write(&buffer, item) }
        }
    }
}

extension [UInt8] {
    /// Appends a number in network byte order.
    mutating func append(_ number: some FixedWidthInteger) {
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
    }

    /// Appends a key as a UUID; UUIDs have the same order as the keys.
    mutating func append(_ key: JournalKey) {
        append(key.high)
        append(key.low)
    }
}
