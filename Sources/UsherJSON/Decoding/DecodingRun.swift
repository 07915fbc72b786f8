/// What one call of `JSONValue.decode` knows: the tape, and what has been read of it.
///
/// Swift's synthesized decoders never look at members that they do not know; so each member that is read is marked,
/// and `refuseLeftovers` names the rest at the end.
final class DecodingRun {
    /// What has been read of one token.
    struct Mark {
        /// The value was looked at.
        var isTouched = false
        /// The value was opened as an object or array, so all that it holds must be read.
        var isOpened = false
        /// The member with this name, or this element, was read.
        var isRead = false
        /// The names of the object were listed.
        var isListed = false
        /// The name was one that the coding keys know when it was listed.
        var isKnown = false
        /// The name that was found last in this object, where the next search begins.
        var latest: UInt32 = 0

        mutating func open() {
            isTouched = true
            isOpened = true
        }
    }

    let storage: JSONStorage
    let root: Int
    /// What types can find beside the text.
    let context: (any DecodingContext)?
    private(set) var marks: [Mark]
    /// The names that were asked for, object by object; kept only in a second run that is there to explain an error.
    var names: [Int: [String]]?
    /// The innermost value whose type threw, and the type.
    private(set) var failed: (index: Int, type: any Any.Type)?
    /// Whether anything went wrong, even if a type made good for it.
    var hasFailed = false
    /// What went wrong where nothing could be thrown.
    var refusal: (any Error)?
    /// The place of a null that an optional must not take for nil.
    private(set) var valuedNull: Int?

    init(_ value: JSONValue, _ context: (any DecodingContext)?) {
        self.context = context
        storage = value.storage
        root = value.index
        marks = Array(repeating: Mark(), count: value.storage.tape.next(after: value.index) - value.index)
    }

    @inline(__always)
    var tape: Tape { storage.tape }

    func mark(_ index: Int) -> Mark { marks[index - root] }
    func touch(_ index: Int) { marks[index - root].isTouched = true }
    func read(_ index: Int) { marks[index - root].isRead = true }

    func open(_ index: Int) { marks[index - root].open() }

    /// Marks the names of an object as listed.
    func list(_ object: Int) { marks[object - root].isListed = true }

    /// The coding key for a name, marked as known; nil if there is none that is, byte for byte, the same.
    func key<Key: CodingKey>(_ type: Key.Type, at name: Int) -> Key? {
        guard let key = Key(stringValue: tape.string(at: name)), tape.string(at: name, is: key.stringValue.utf8.span)
        else { return nil }
        marks[name - root].isKnown = true
        return key
    }

    /// Decodes the value at `index`, and sees to it that the type looks at it.
    func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        marks[index - root].isTouched = false
        if readsNull(asOptional: type, at: index) { valuedNull = index }
        do {
            let value = try Value(from: ValueDecoder(run: self, index: index))
            if !mark(index).isTouched { try requireEmptyObject(at: index) }
            if failed != nil { failed = nil }
            return value
        } catch {
            hasFailed = true
            if failed == nil { failed = (index, type) }
            throw error
        }
    }

    /// The token of a member's name, marked as read; nil if the object has no such member.
    func find(_ name: String, of object: Int) -> Int? {
        if names != nil { names?[object, default: []].append(name) }
        let latest = Int(marks[object - root].latest)
        let end = tape.next(after: object)
        let text = name.utf8.span
        let start = latest == 0 ? object + 1 : latest
        guard let key = find(text, from: start, to: end) ?? find(text, from: object + 1, to: start) else { return nil }
        marks[object - root].latest = UInt32(truncatingIfNeeded: key)
        marks[key - root].isRead = true
        return key
    }

    private func find(_ name: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        var key = start
        while key < end {
            if tape.string(at: key, is: name) { return key }
            key = tape.next(after: key + 1)
        }
        return nil
    }

    /// A type that looked at nothing, such as a struct without properties, is an empty object.
    private func requireEmptyObject(at index: Int) throws {
        guard tape.tokens[index].kind == .object else { throw mismatch([String: Int].self, "an object", at: index) }
        open(index)
    }
}

extension DecodingRun {
    func isNull(_ index: Int) -> Bool { tape.tokens[index].kind == .null }

    func boolean(at index: Int) throws -> Bool {
        switch tape.tokens[index].kind {
        case .yes: return true
        case .no: return false
        default: throw mismatch(Bool.self, "a boolean", at: index)
        }
    }

    func string(at index: Int) throws -> String {
        guard tape.tokens[index].kind == .string else { throw mismatch(String.self, "a string", at: index) }
        return tape.string(at: index)
    }

    func integer<Number: FixedWidthInteger>(at index: Int) throws -> Number {
        guard let number = tape.integer(at: index, as: Number.self) else { throw unfit(Number.self, at: index) }
        return number
    }

    func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(at index: Int) throws -> Number {
        guard let number = tape.number(at: index, as: Number.self) else { throw unfit(Number.self, at: index) }
        return number
    }
}

extension DecodingRun {
    /// Whether null at `index` stands for a value of this type, as the run's context says.
    func readsNull(as type: any Decodable.Type, at index: Int) -> Bool {
        guard isNull(index), let context else { return false }
        return context.readsNull(as: type)
    }

    /// Whether null at `index`, where an optional is decoded, stands for a value of what it wraps.
    func readsNull(asOptional type: any Decodable.Type, at index: Int) -> Bool {
        guard isNull(index), context != nil, let optional = type as? any OptionalDecodable.Type else { return false }
        return readsNull(as: optional.wrapped, at: index)
    }

    /// Decodes what may be nil; null that stands for a value is none.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value? {
        if isNull(index), !readsNull(as: type, at: index) { return nil }
        return try decode(type, at: index)
    }
}

/// An optional, as far as its decoding goes.
protocol OptionalDecodable {
    /// What it wraps.
    static var wrapped: any Decodable.Type { get }
}

extension Optional: OptionalDecodable where Wrapped: Decodable {
    static var wrapped: any Decodable.Type { Wrapped.self }
}
