/// A parsed and validated JSON text (RFC 8259): the bytes and a tape of tokens.
///
/// The parser is strict. It rejects everything that the RFC does not allow, including byte order marks and invalid
/// UTF-8, and also duplicate members.
package struct JSONDocument: Sendable {
    /// The maximum nesting of objects and arrays in a text from outside.
    package static let maximumDepth = 64
    /// The maximum nesting in a text of the server, which can contain texts from outside and nested coordinators.
    package static let writtenDepth = 512

    /// The value of the whole text.
    package let root: JSONValue

    /// Parses a text from outside, in UTF-8.
    ///
    /// - Throws: A `JSONError` if the text is not JSON, has duplicate members, or is nested too deeply.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        root = JSONValue(tape: try Parser.tape(of: bytes, depth: Self.maximumDepth), index: 0)
    }

    /// Parses a text in UTF-8 that the server wrote, such as a report; throws errors like `init(parsing:)`.
    package init(written bytes: [UInt8]) throws(JSONError) {
        root = JSONValue(tape: try Parser.tape(of: bytes, depth: Self.writtenDepth), index: 0)
    }
}

/// A value in a document: a cursor that is cheap to copy and keeps the document alive.
package struct JSONValue: Sendable {
    /// The kinds of values (RFC 8259, section 3).
    package enum Kind: Sendable { case object, array, string, number, boolean, null }

    let tape: Tape
    /// The index of the value's token.
    let index: Int

    init(tape: Tape, index: Int) {
        self.tape = tape
        self.index = index
    }

    /// Returns the value of the same document with another token.
    func value(at index: Int) -> JSONValue { JSONValue(tape: tape, index: index) }

    @inline(__always)
    private var token: Token { tape.token(at: index) }

    /// The kind of the value.
    package var kind: Kind {
        switch token.kind {
        case .object: .object
        case .array: .array
        case .string: .string
        case .integer, .number: .number
        case .true, .false: .boolean
        case .null: .null
        }
    }

    /// The value's place in the document: a JSON Pointer (RFC 6901) such as `/event/login`, or `the top level`.
    package var place: String { tape.place(of: index) }

    /// The members of an object, in the order of the text; empty for other values.
    package var members: JSONMembers { JSONMembers(of: self) }

    /// The elements of an array; empty for other values.
    package var elements: JSONElements { JSONElements(of: self) }

    /// The object's member whose name has the same bytes as `name`; nil if there is no such member.
    package subscript(member name: String) -> JSONValue? {
        guard token.kind == .object, let key = tape.memberName(name.utf8.span, of: index) else { return nil }
        return value(at: key + 1)
    }

    /// The object's member whose name has the same bytes as `name`; nil if the member is missing or null.
    package subscript(given name: String) -> JSONValue? {
        guard let member = self[member: name], member.kind != .null else { return nil }
        return member
    }

    /// Returns the value of an object's only member if its name is the given name, compared by bytes; otherwise nil.
    package func onlyMember(_ name: String) -> JSONValue? {
        hasOneMember && tape.string(at: index + 1, is: name.utf8.span) ? value(at: index + 2) : nil
    }

    /// Returns whether this string, or object with one member, encodes the enum case with a name, compared by bytes.
    package func isCase(named name: Span<UInt8>) -> Bool {
        switch token.kind {
        case .string: tape.string(at: index, is: name)
        case .object: hasOneMember && tape.string(at: index + 1, is: name)
        default: false
        }
    }

    /// A Boolean value that indicates whether this is an object with exactly one member.
    package var hasOneMember: Bool {
        let token = token
        guard token.kind == .object, Int(token.next) > index + 1 else { return false }
        return tape.next(after: index + 2) == Int(token.next)
    }

    /// A Boolean value that indicates whether this is a string.
    package var isString: Bool { token.kind == .string }

    /// The unescaped text of a string; nil for other values.
    package var string: String? { token.kind == .string ? tape.string(at: index) : nil }

    /// The number if it is whole, in any spelling, and fits into `Int`; otherwise nil.
    package var integer: Int? { tape.integer(at: index) }

    /// The value of `true` or `false`; nil for other values.
    package var boolean: Bool? {
        switch token.kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The text of the value, unchanged.
    package var bytes: ArraySlice<UInt8> { tape.text(at: index) }

    /// The range of the value in the bytes of the document.
    package var range: Range<Int> { Int(token.start)..<Int(token.end) }

    /// Creates an error at the place of this value.
    package func error(_ reason: String) -> JSONError { JSONError(reason, at: place) }
}

/// The members of an object, in the order of the text.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    private let object: JSONValue
    private var key: Int
    private let end: Int

    fileprivate init(of object: JSONValue) {
        self.object = object
        key = object.index + 1
        end = object.kind == .object ? object.tape.next(after: object.index) : key
    }

    /// Returns the next member, or nil after the last.
    package mutating func next() -> (name: String, value: JSONValue)? {
        guard key < end else { return nil }
        let value = object.value(at: key + 1)
        let name = object.tape.string(at: key)
        key = object.tape.next(after: value.index)
        return (name, value)
    }
}

/// The elements of an array.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let array: JSONValue
    private var element: Int
    private let end: Int

    fileprivate init(of array: JSONValue) {
        self.array = array
        element = array.index + 1
        end = array.kind == .array ? array.tape.next(after: array.index) : element
    }

    /// Returns the next element, or nil after the last.
    package mutating func next() -> JSONValue? {
        guard element < end else { return nil }
        defer { element = array.tape.next(after: element) }
        return array.value(at: element)
    }
}
