/// One call of `JSONValue.decode`: the tape, and the marks of what types have read of it.
///
/// Swift's synthesized decoders never look at members that they do not know; so each member that is read is marked,
/// and `refuseUnread` names the rest at the end.
///
/// Its state is accessed without checks for exclusivity: it belongs to one call, and no type's code runs in the midst of a
/// change.
final class DecodingRun {
    /// The marks of one token.
    struct Mark {
        /// A type looked at the value.
        fileprivate(set) var isTouched = false
        /// The value was opened as an object or array, so all that it holds must be read.
        fileprivate(set) var isOpened = false
        /// The member with this name, or this element, was read.
        fileprivate(set) var isRead = false
        /// The names of the object were listed.
        fileprivate(set) var isListed = false
        /// The name was one that the coding keys know when it was listed.
        fileprivate(set) var isKnown = false
        /// The name that was found last in this object, where the next search begins.
        fileprivate var latest: UInt32 = 0

        fileprivate mutating func open() {
            isTouched = true
            isOpened = true
        }
    }

    /// The tape of the document.
    let tape: Tape
    /// The index of the value that is decoded.
    let root: Int
    /// The indices of the value's tokens, and so of the marks.
    let indices: Range<Int>
    /// The surroundings that types can find beside the text.
    let context: (any DecodingContext)?
    /// The marks of the first few values, which stand in place as their tokens do, and those of the others.
    @safe @exclusivity(unchecked) private var marks = InlineArray<16, Mark>(repeating: Mark())
    @safe @exclusivity(unchecked) private var otherMarks: [Mark] = []
    /// The names that were asked for, object by object; nil but in a second run that is there to explain an error.
    @safe @exclusivity(unchecked) private(set) var names: [Int: [String]]?
    /// The innermost value whose type threw, and the type.
    @safe @exclusivity(unchecked) private(set) var failed: (index: Int, type: any Any.Type)?
    /// True once anything went wrong, even if a type made good for it.
    private(set) var hasFailed = false
    /// The first error where nothing could be thrown.
    private(set) var refusal: (any Error)?
    /// The place of a null that an optional must not take for nil.
    @safe @exclusivity(unchecked) private var valuedNull: Int?

    init(_ value: JSONValue, _ context: (any DecodingContext)?, notingNames: Bool = false) {
        tape = value.tape
        self.context = context
        root = value.index
        indices = root..<tape.next(after: root)
        if indices.count > marks.count {
            otherMarks = Array(repeating: Mark(), count: indices.count - marks.count)
        }
        names = notingNames ? [:] : nil
    }

    /// A value of the same document.
    func json(at index: Int) -> JSONValue { JSONValue(tape: tape, index: index) }

    /// Decodes the value at `index`, and sees to it that the type looks at it.
    func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        change(index) { $0.isTouched = false }
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

    /// A type that looked at nothing, such as a struct without properties, is an empty object.
    private func requireEmptyObject(at index: Int) throws {
        guard tape.token(at: index).kind == .object else {
            throw mismatch([String: Int].self, "an object", at: index)
        }
        markOpened(index)
    }

    // MARK: Marks

    @inline(__always)
    func mark(_ index: Int) -> Mark {
        let place = index - root
        return place < marks.count ? marks[place] : otherMarks[place - marks.count]
    }

    @inline(__always)
    private func change(_ index: Int, _ change: (inout Mark) -> Void) {
        let place = index - root
        if place < marks.count { change(&marks[place]) } else { change(&otherMarks[place - marks.count]) }
    }

    func markTouched(_ index: Int) { change(index) { $0.isTouched = true } }
    func markOpened(_ index: Int) { change(index) { $0.open() } }
    func markRead(_ index: Int) { change(index) { $0.isRead = true } }

    /// Marks the names of an object as listed.
    func markListed(_ object: Int) { change(object) { $0.isListed = true } }

    /// The coding key for a name, marked as known; nil if there is none that is, byte for byte, the same.
    @inline(__always)  // Else the type of an optional key is looked up twice.
    func key<Key: CodingKey>(_ type: Key.Type, at name: Int) -> Key? {
        guard let key = Key(stringValue: tape.string(at: name)),
            tape.string(at: name, is: key.stringValue.utf8.span)
        else { return nil }
        change(name) { $0.isKnown = true }
        return key
    }

    /// The token of a member's name, marked as read; nil if the object has no such member.
    func memberName(_ name: String, of object: Int) -> Int? {
        if names != nil { note(name, of: object) }
        let latest = Int(mark(object).latest)
        guard let key = tape.memberName(name.utf8.span, of: object, from: latest) else { return nil }
        change(object) { $0.latest = UInt32(truncatingIfNeeded: key) }
        markRead(key)
        return key
    }

    @inline(never)
    private func note(_ name: String, of object: Int) { names?[object, default: []].append(name) }

    // MARK: Failures

    /// Notes that something went wrong, even if a type makes good for it.
    func noteFailure() { hasFailed = true }

    /// Notes an error where nothing can be thrown; the first counts.
    func refuse(_ error: @autoclosure () -> any Error) {
        if refusal == nil { refusal = error() }
    }

    // MARK: Scalars

    func boolean(at index: Int) throws -> Bool {
        switch tape.token(at: index).kind {
        case .true: return true
        case .false: return false
        default: throw mismatch(Bool.self, "a boolean", at: index)
        }
    }

    func string(at index: Int) throws -> String {
        guard tape.token(at: index).kind == .string else { throw mismatch(String.self, "a string", at: index) }
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

    // MARK: Null

    func isNull(_ index: Int) -> Bool { tape.token(at: index).kind == .null }

    /// True if an optional takes the value at `index` for nil.
    func isNil(_ index: Int) -> Bool { isNull(index) && valuedNull != index }

    /// Decodes what may be nil; null that stands for a value is none.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value? {
        if isNull(index), !readsNull(as: type, at: index) { return nil }
        return try decode(type, at: index)
    }

    /// True if null at `index` stands for a value of this type, as the context says.
    private func readsNull(as type: any Decodable.Type, at index: Int) -> Bool {
        guard isNull(index), let context else { return false }
        return context.readsNull(as: type)
    }

    /// True if null at `index`, where an optional is decoded, stands for a value of what it wraps.
    private func readsNull(asOptional type: any Decodable.Type, at index: Int) -> Bool {
        guard isNull(index), context != nil, let optional = type as? any OptionalDecodable.Type else { return false }
        return readsNull(as: optional.wrapped, at: index)
    }
}

/// An optional, as far as its decoding goes.
private protocol OptionalDecodable {
    /// The type that it wraps.
    static var wrapped: any Decodable.Type { get }
}

extension Optional: OptionalDecodable where Wrapped: Decodable {
    fileprivate static var wrapped: any Decodable.Type { Wrapped.self }
}
