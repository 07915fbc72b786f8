import Foundation

/// A JSON value: a screen's state, an event's payload, the options of an app.
///
/// Equal is what means the same: the order of members, and `1.0` for `1`, do not count.
public enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A whole number above those that `integer` holds.
    case unsigned(UInt64)
    /// Any other number, as precisely as a `Double` is.
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// The JSON that a value encodes to.
    ///
    /// - Throws: An `EncodingError`.
    public init(encoding value: some Encodable) throws {
        self = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(value))
    }

    /// A value of this JSON.
    ///
    /// - Throws: A `DecodingError` that says which member does not fit.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
    }

    /// A member of an object; nil where there is none.
    public subscript(name: String) -> JSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The text of a string.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// A whole number, where an `Int` holds it.
    public var int: Int? {
        if case .integer(let number) = self { Int(exactly: number) } else { nil }
    }

    /// The elements of an array.
    public var elements: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }
}

extension JSON: Codable {
    /// Reads whatever is there.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let members = try? container.decode([String: JSON].self) {
            self = .object(members)
        } else if let elements = try? container.decode([JSON].self) {
            self = .array(elements)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let truth = try? container.decode(Bool.self) {
            self = .bool(truth)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(UInt64.self) {
            self = .unsigned(number)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    /// Writes it; what is no number in JSON as null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let truth): try container.encode(truth)
        case .integer(let number): try container.encode(number)
        case .unsigned(let number): try container.encode(number)
        // JSON has no infinity.
        case .number(let number): if number.isFinite { try container.encode(number) } else { try container.encodeNil() }
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral
{
    /// A string.
    public init(stringLiteral text: String) { self = .string(text) }

    /// A truth value.
    public init(booleanLiteral truth: Bool) { self = .bool(truth) }

    /// Null.
    public init(nilLiteral: ()) { self = .null }

    /// A whole number.
    public init(integerLiteral number: Int64) { self = .integer(number) }

    /// A number; a whole one is `integer`.
    public init(floatLiteral number: Double) { self = Int64(exactly: number).map(JSON.integer) ?? .number(number) }
}

extension JSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// An object; of two members of a name the last counts.
    public init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
}
