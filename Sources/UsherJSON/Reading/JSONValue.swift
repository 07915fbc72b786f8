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
