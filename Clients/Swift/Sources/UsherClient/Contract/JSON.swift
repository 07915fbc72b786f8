import Foundation

/// A JSON value, such as a screen's state, an event's payload, or an app's options.
///
/// Values are equal if they mean the same: the order of members is ignored, and `1.0` equals `1`.
public enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A whole number above the maximum of `integer`.
    case unsigned(UInt64)
    /// Any other number, with the precision of `Double`.
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// Creates the JSON encoding of a value.
    ///
    /// - Throws: An `EncodingError`.
    public init(encoding value: some Encodable) throws {
        self = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(value))
    }

    /// Decodes a value from this JSON.
    ///
    /// - Throws: A `DecodingError` that names the member with the wrong type.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
    }

    /// Returns a member of an object, or nil if there is none.
    public subscript(name: String) -> JSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The text, if this is a string.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number, if this is a whole number that fits into `Int`.
    public var int: Int? {
        if case .integer(let number) = self { Int(exactly: number) } else { nil }
    }

    /// The elements, if this is an array.
    public var elements: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }
}

extension JSON: Codable {
    /// Decodes any JSON value.
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

    /// Encodes this value, with null for a number that is not finite.
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
    /// Creates a string.
    public init(stringLiteral text: String) { self = .string(text) }

    /// Creates a Boolean.
    public init(booleanLiteral truth: Bool) { self = .bool(truth) }

    /// Creates null.
    public init(nilLiteral: ()) { self = .null }

    /// Creates a whole number.
    public init(integerLiteral number: Int64) { self = .integer(number) }

    /// Creates a number, which is an `integer` if it is whole.
    public init(floatLiteral number: Double) { self = Int64(exactly: number).map(JSON.integer) ?? .number(number) }
}

extension JSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// Creates an object; if members have the same name, keeps only the last.
    public init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
}
