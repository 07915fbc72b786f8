/// The state of one call of `JSONValue.decode`: the tape, and marks on the tokens that types have read.
///
/// Swift's synthesized decoders ignore unknown members. Each member that is read is therefore marked, and
/// `refuseUnread` rejects the unread members at the end.
///
/// Properties are accessed without exclusivity checks: the object belongs to one call, and no code of a type runs
/// during a change.
final class DecodingRun {
    struct Mark {
        /// A type read the value.
        fileprivate(set) var isTouched = false
        /// The value was opened as an object or an array, so all its children must be read.
        fileprivate(set) var isOpened = false
        /// The type read this member or element.
        fileprivate(set) var isRead = false
        /// A type listed the names of this object.
        fileprivate(set) var isListed = false
        /// A type listed this name, and the name matches a coding key.
        fileprivate(set) var isKnown = false
        /// The name of this object that was found last, where the next search starts.
        fileprivate var latest: UInt32 = 0

        fileprivate mutating func open() {
            isTouched = true
            isOpened = true
        }
    }

    let tape: Tape
    /// The index of the decoded value.
    let root: Int
    /// The indices of the value's tokens, each of which has a mark.
    let indices: Range<Int>
    let context: (any DecodingContext)?
    /// The marks of the first values, stored inline to avoid an allocation.
    @safe @exclusivity(unchecked) private var marks = InlineArray<16, Mark>(repeating: Mark())
    @safe @exclusivity(unchecked) private var otherMarks: [Mark] = []
    /// The names that types looked for, by object; nil except in a second run that explains an error.
    @safe @exclusivity(unchecked) private(set) var names: [Int: [String]]?
    /// The innermost value whose type threw an error, and that type.
    @safe @exclusivity(unchecked) private(set) var failed: (index: Int, type: any Any.Type)?
    /// Whether an attempt to decode failed, even if the type then succeeded in another way.
    private(set) var hasFailed = false
    /// The first error from a function that cannot throw.
    private(set) var refusal: (any Error)?
    /// The index of a null that an optional must not decode as nil.
    @safe @exclusivity(unchecked) private var valuedNull: Int?

    init(_ tape: Tape, at root: Int, _ context: (any DecodingContext)?, notingNames: Bool = false) {
        self.tape = tape
        self.root = root
        self.context = context
        indices = root..<tape.next(after: root)
        if indices.count > marks.count {
            otherMarks = Array(repeating: Mark(), count: indices.count - marks.count)
        }
        names = notingNames ? [:] : nil
    }

    func json(at index: Int) -> JSONValue { JSONValue(tape: tape, index: index) }

    /// Decodes the value at `index`, and requires an empty object if the type reads nothing.
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

    func markListed(_ object: Int) { change(object) { $0.isListed = true } }

    /// Returns the coding key for a name and marks it as known, or nil if no key has exactly this name.
    @inline(__always)  // Without inlining, the type of an optional key is looked up twice.
    func key<Key: CodingKey>(_ type: Key.Type, at name: Int) -> Key? {
        guard let key = Key(stringValue: tape.string(at: name)),
            tape.string(at: name, is: key.stringValue.utf8.span)
        else { return nil }
        change(name) { $0.isKnown = true }
        return key
    }

    /// Returns the token of a member's name and marks it as read, or nil if there is no such member.
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

    /// Notes a failure from which a type may recover.
    func noteFailure() { hasFailed = true }

    /// Notes an error from a function that cannot throw; keeps only the first error.
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

    /// Returns `true` if an optional decodes the value at `index` as nil.
    func isNil(_ index: Int) -> Bool { isNull(index) && valuedNull != index }

    /// Decodes an optional value; a null that is a value of the wrapped type is decoded as that value.
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value? {
        if isNull(index), !readsNull(as: type, at: index) { return nil }
        return try decode(type, at: index)
    }

    /// Returns `true` if the context says that null is a value of this type.
    private func readsNull(as type: any Decodable.Type, at index: Int) -> Bool {
        guard isNull(index), let context else { return false }
        return context.readsNull(as: type)
    }

    private func readsNull(asOptional type: any Decodable.Type, at index: Int) -> Bool {
        guard isNull(index), context != nil, let optional = type as? any OptionalDecodable.Type else { return false }
        return readsNull(as: optional.wrapped, at: index)
    }
}

private protocol OptionalDecodable {
    static var wrapped: any Decodable.Type { get }
}

extension Optional: OptionalDecodable where Wrapped: Decodable {
    fileprivate static var wrapped: any Decodable.Type { Wrapped.self }
}
