package import UsherJSON

/// A value that people must not see, such as a password in an event, an option or a flow.
///
/// In answers, reports, logs and exports, `"…"` replaces the value. The journal stores the value only as long as a
/// replay needs it. If no handler has read the value, the journal erases it when no object holds the secret any more.
/// Therefore pass a secret unread to code outside of the coordinators, and call ``reveal()`` in a handler only if
/// necessary.
///
/// ```swift
/// enum Event: Codable { case close, login(name: String, password: Secret<String>) }
/// static let examples: [Event] = [.close, .login(name: "kim", password: "usher")]
/// ```
///
/// Secrets cannot be compared, because equality would reveal the value.
public struct Secret<Value: Codable & Sendable>: Sendable {
    /// All copies share the box, so that the value is released with the last copy.
    private let box: SecretBox<Value>

    /// Creates a secret that hides a value.
    public init(_ value: Value) {
        box = SecretBox(value, use: nil)
    }

    init(_ box: SecretBox<Value>) {
        self.box = box
    }

    /// Returns the value.
    ///
    /// If a coordinator's handler reads the value, the journal stores the value for the rest of the session, because a
    /// replay reads it again.
    ///
    /// - Throws: `SecretError.erased` if the value was erased from the journal.
    public func reveal() throws(SecretError) -> Value {
        box.use?.noteReading()
        return try peek()
    }

    /// Returns the value without recording that it was read.
    func peek() throws(SecretError) -> Value {
        guard let value = box.value else { throw .erased }
        return value
    }
}

extension Secret: ExpressibleByUnicodeScalarLiteral where Value: ExpressibleByStringLiteral {}

extension Secret: ExpressibleByExtendedGraphemeClusterLiteral where Value: ExpressibleByStringLiteral {}

extension Secret: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
    /// Creates a secret text, for examples and tests.
    public init(stringLiteral text: Value.StringLiteralType) {
        self.init(Value(stringLiteral: text))
    }
}

/// The reason why a secret cannot be revealed.
public enum SecretError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The value was erased from the session's journal, because it was no longer needed.
    case erased

    /// One sentence for the log.
    public var description: String {
        "the secret was erased, because nothing held it any more and no handler had read it"
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// An ellipsis, whatever the value is.
    public var description: String { secretMask }

    /// An ellipsis, whatever the value is.
    public var debugDescription: String { secretMask }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The text that people see in place of a secret.
let secretMask = "…"

extension Secret: Encodable {
    /// Encodes an ellipsis; for a reader that is a program, encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard Revelation.isOn else { return try container.encode(secretMask) }
        guard let value = try? peek() else { return try container.encodeNil() }
        try container.encode(value)
    }
}

extension Secret: Decodable {
    /// Decodes the value.
    ///
    /// - Throws: `DecodingError` without any part of the secret's text, because people may see the error.
    public init(from decoder: any Decoder) throws {
        let usher = decoder as? ValueDecoder
        guard let usher, let ledger = usher.context as? SecretLedger else {
            self.init(try Self.value(from: decoder))
            return
        }
        if ledger.isErased, usher.json.kind == .null {
            // Consume the null, so that the decoder finds no unread input.
            _ = try decoder.singleValueContainer()
            self.init(SecretBox(nil, use: nil))
        } else {
            let value = try Self.value(from: decoder)
            self.init(SecretBox(value, use: ledger.note(usher.json)))
        }
    }

    private static func value(from decoder: any Decoder) throws -> Value {
        do {
            return try decoder.singleValueContainer().decode(Value.self)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "expected a secret that holds \(Value.self)"))
        }
    }
}

/// A scope in which secrets are encoded unmasked, for readers that are programs.
enum Revelation {
    @TaskLocal static var isOn = false
}

extension JSONWriter {
    /// Encodes a value with its secrets, for a program, such as a session that receives an event.
    ///
    /// - Throws: The errors of `encode`.
    package mutating func encodeRevealingSecrets(_ value: some Encodable) throws(JSONError) {
        var writer = self
        let result = Revelation.$isOn.withValue(true) {
            Result { () throws(JSONError) in try writer.encode(value) }
        }
        try result.get()
        self = writer
    }
}
