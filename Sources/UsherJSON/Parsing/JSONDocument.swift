/// A parsed, fully validated JSON text (RFC 8259): a tape of tokens over the bytes.
///
/// The parser is strict: duplicate members, byte order marks, invalid UTF-8 and whatever else the RFC does not allow
/// are refused, with the place.
package struct JSONDocument: Sendable {
    /// The greatest depth to which objects and arrays may be nested in a text that comes from outside.
    package static let maximumDepth = 64
    /// That of a text which was written here: what came from outside stands in something else, and coordinators in each
    /// other.
    package static let writtenDepth = 512

    /// The value that the text is.
    package let root: JSONValue

    /// Parses a text.
    ///
    /// - Parameter bytes: The whole text in UTF-8.
    /// - Throws: A `JSONError` for a text that is no JSON, has two members of one name, or is nested too deeply.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        root = JSONValue(tape: try Parser.tape(of: bytes, depth: Self.maximumDepth), index: 0)
    }

    /// Parses a text that was written here, such as a report or a journal's entry.
    ///
    /// - Parameter bytes: The whole text in UTF-8.
    /// - Throws: As `init(parsing:)`.
    package init(written bytes: [UInt8]) throws(JSONError) {
        root = JSONValue(tape: try Parser.tape(of: bytes, depth: Self.writtenDepth), index: 0)
    }
}

/// A value inside a document: a cursor, cheap to copy, that keeps the document alive.
package struct JSONValue: Sendable {
    /// The type of a value (RFC 8259, section 3).
    package enum Kind: Sendable { case object, array, string, number, boolean, null }

    /// The document's tape, which all its values share.
    let tape: Tape
    /// The index of the value's token on the tape.
    let index: Int

    init(tape: Tape, index: Int) {
        self.tape = tape
        self.index = index
    }

    /// Another value of the same document.
    ///
    /// - Parameter index: The index of its token on the tape.
    func value(at index: Int) -> JSONValue { JSONValue(tape: tape, index: index) }

    @inline(__always)
    private var token: Token { tape.token(at: index) }

    /// The type of the value.
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

    /// The place of the value in its document: a JSON Pointer (RFC 6901) such as `/event/login`, or `the top level`.
    package var place: String { tape.place(of: index) }

    /// The members of an object, in the order of the text; none of anything else.
    package var members: JSONMembers { JSONMembers(of: self) }

    /// The elements of an array; none of anything else.
    package var elements: JSONElements { JSONElements(of: self) }

    /// The object's member with that name, compared byte by byte; nil if there is none or this is no object.
    package subscript(member name: String) -> JSONValue? {
        guard token.kind == .object, let key = tape.memberName(name.utf8.span, of: index) else { return nil }
        return value(at: key + 1)
    }

    /// The member of an object that is there and not null: what may be left out may be null, too.
    package subscript(given name: String) -> JSONValue? {
        guard let member = self[member: name], member.kind != .null else { return nil }
        return member
    }

    /// The value of an object's only member, where that has a name; nil for another shape.
    ///
    /// - Parameter name: The name, compared byte by byte.
    package func onlyMember(_ name: String) -> JSONValue? {
        hasOneMember && tape.string(at: index + 1, is: name.utf8.span) ? value(at: index + 2) : nil
    }

    /// True for an enum case of this name as Swift codes it: a bare name, or an object with one member.
    ///
    /// - Parameter name: The name, compared byte by byte.
    package func isCase(named name: Span<UInt8>) -> Bool {
        switch token.kind {
        case .string: tape.string(at: index, is: name)
        case .object: hasOneMember && tape.string(at: index + 1, is: name)
        default: false
        }
    }

    /// True for an object with one member.
    package var hasOneMember: Bool {
        let token = token
        guard token.kind == .object, Int(token.next) > index + 1 else { return false }
        return tape.next(after: index + 2) == Int(token.next)
    }

    /// True for a string.
    package var isString: Bool { token.kind == .string }

    /// The text of a string; nil for anything else.
    package var string: String? { token.kind == .string ? tape.string(at: index) : nil }

    /// The number, when it is whole, in whatever way it is written, and fits; nil for anything else.
    package var integer: Int? { tape.integer(at: index) }

    /// The truth value of `true` or `false`; nil for anything else.
    package var boolean: Bool? {
        switch token.kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The text of the value exactly as it came.
    package var bytes: ArraySlice<UInt8> { tape.text(at: index) }

    /// The range of that text in the bytes of the document.
    package var range: Range<Int> { Int(token.start)..<Int(token.end) }

    /// An error at the place of this value.
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

    /// The next member, or nil after the last.
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

    /// The next element, or nil after the last.
    package mutating func next() -> JSONValue? {
        guard element < end else { return nil }
        defer { element = array.tape.next(after: element) }
        return array.value(at: element)
    }
}
