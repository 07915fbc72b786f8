/// A parsed, fully validated JSON text (RFC 8259): a tape of tokens over the bytes.
///
/// The reader is strict: duplicate members, byte order marks, invalid UTF-8 and whatever else the RFC does not allow
/// are refused, with the place.
public struct JSONDocument: Sendable {
    /// How deep objects and arrays may be nested.
    public static let maximumDepth = 64

    private let storage: JSONStorage

    /// Parses a text.
    ///
    /// - Parameter bytes: The whole text in UTF-8.
    /// - Throws: A `JSONError` of the kind `syntax`, `duplicateMember` or `depth`.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        var parser = Parser(bytes)
        storage = JSONStorage(try parser.parse())
    }

    /// The value that the text is.
    public var root: JSONValue { JSONValue(storage: storage, index: 0) }
}

/// The tape of a document, shared by all its values.
final class JSONStorage: Sendable {
    let tape: Tape

    init(_ tape: Tape) { self.tape = tape }
}

/// A value inside a document: a cursor, cheap to copy, that keeps the document alive.
public struct JSONValue: Sendable {
    /// What a value is.
    public enum Kind: Sendable { case object, array, string, number, boolean, null }

    let storage: JSONStorage
    let index: Int

    private var token: Token { storage.tape.tokens[index] }

    /// What the value is.
    public var kind: Kind {
        switch token.kind {
        case .object: .object
        case .array: .array
        case .string: .string
        case .integer, .number: .number
        case .yes, .no: .boolean
        case .null: .null
        }
    }

    /// Where the value is in its document: a JSON Pointer (RFC 6901) such as `/event/login`, or `the top level`.
    public var place: String { storage.tape.place(of: index) }

    /// The members of an object, in the order of the text; none of anything else.
    public var members: JSONMembers { JSONMembers(of: self) }

    /// The elements of an array; none of anything else.
    public var elements: JSONElements { JSONElements(of: self) }

    /// The object's member with that name, compared byte by byte; nil if there is none or this is no object.
    public subscript(member name: String) -> JSONValue? {
        guard token.kind == .object, let key = storage.tape.name(name.utf8.span, of: index) else { return nil }
        return JSONValue(storage: storage, index: key + 1)
    }

    /// The text of a string; nil for anything else.
    public var string: String? { token.kind == .string ? storage.tape.string(at: index) : nil }

    /// The number, when it is written without fraction and exponent and fits; nil for anything else.
    public var integer: Int? { storage.tape.integer(at: index) }

    /// The truth value of `true` or `false`; nil for anything else.
    public var boolean: Bool? {
        switch token.kind {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    /// The text of the value exactly as it came.
    public var bytes: ArraySlice<UInt8> { storage.tape.text(at: index) }

    /// Where that text begins and ends in the bytes of the document.
    public var range: Range<Int> { Int(token.start)..<Int(token.end) }

    /// An error of the kind `shape` at the place of this value.
    public func error(_ reason: String) -> JSONError { JSONError(.shape, reason, at: place) }
}

/// The members of an object, in the order of the text.
public struct JSONMembers: Sequence, Sendable {
    private let object: JSONValue

    init(of object: JSONValue) { self.object = object }

    /// Starts at the first member.
    public func makeIterator() -> Iterator { Iterator(object) }

    /// Walks from member to member.
    public struct Iterator: IteratorProtocol, Sendable {
        private let storage: JSONStorage
        private var key: Int
        private let end: Int

        init(_ object: JSONValue) {
            storage = object.storage
            key = object.index + 1
            end = object.kind == .object ? storage.tape.next(after: object.index) : key
        }

        /// The next member, or nil after the last.
        public mutating func next() -> (name: String, value: JSONValue)? {
            guard key < end else { return nil }
            let value = JSONValue(storage: storage, index: key + 1)
            let name = storage.tape.string(at: key)
            key = storage.tape.next(after: value.index)
            return (name, value)
        }
    }
}

/// The elements of an array.
public struct JSONElements: Sequence, Sendable {
    private let array: JSONValue

    init(of array: JSONValue) { self.array = array }

    /// Starts at the first element.
    public func makeIterator() -> Iterator { Iterator(array) }

    /// Walks from element to element.
    public struct Iterator: IteratorProtocol, Sendable {
        private let storage: JSONStorage
        private var element: Int
        private let end: Int

        init(_ array: JSONValue) {
            storage = array.storage
            element = array.index + 1
            end = array.kind == .array ? storage.tape.next(after: array.index) : element
        }

        /// The next element, or nil after the last.
        public mutating func next() -> JSONValue? {
            guard element < end else { return nil }
            defer { element = storage.tape.next(after: element) }
            return JSONValue(storage: storage, index: element)
        }
    }
}
