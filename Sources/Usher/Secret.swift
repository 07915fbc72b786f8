package import UsherJSON

/// A value that nobody may see, such as a password in an event, an option or a flow.
///
/// Wherever a person could see it, in answers, reports, logs and exports, there is `"…"` instead. The journal keeps it
/// only as long as replay needs it: until nobody holds it any more, if no handler has read it. So pass it on to what
/// reads it outside of the coordinators, and call ``reveal()`` in a handler only where that cannot be helped.
///
/// ```swift
/// enum Event: Codable { case close, login(name: String, password: Secret<String>) }
/// static let examples: [Event] = [.close, .login(name: "kim", password: "usher")]
/// ```
///
/// It cannot be compared: equality would tell what the value is.
public struct Secret<Value: Codable & Sendable>: Sendable {
    /// Shared by all copies, so that it goes with the last of them.
    private let box: SecretBox<Value>

    /// Makes a secret of a value.
    ///
    /// - Parameter value: What nobody may see.
    public init(_ value: Value) {
        box = SecretBox(value, use: nil)
    }

    init(_ box: SecretBox<Value>) {
        self.box = box
    }

    /// The value itself.
    ///
    /// The journal keeps for the rest of the session what a coordinator's handler reads, because replay reads it again.
    ///
    /// - Throws: `SecretError.erased` where the journal has it no more.
    public func reveal() throws(SecretError) -> Value {
        box.use?.noteReading()
        return try peek()
    }

    /// The value, without a note that it was read.
    func peek() throws(SecretError) -> Value {
        guard let value = box.value else { throw .erased }
        return value
    }
}

extension Secret: ExpressibleByUnicodeScalarLiteral where Value: ExpressibleByStringLiteral {}

extension Secret: ExpressibleByExtendedGraphemeClusterLiteral where Value: ExpressibleByStringLiteral {}

extension Secret: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
    /// Makes a secret of a text, for examples and tests.
    public init(stringLiteral text: Value.StringLiteralType) {
        self.init(Value(stringLiteral: text))
    }
}

/// Why a secret cannot be revealed.
public enum SecretError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Nobody needed it any more, so it was erased from the session's journal.
    case erased

    /// One sentence for the log.
    public var description: String {
        "the secret was erased, because nobody held it any more and no handler had read it"
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// An ellipsis, whatever the value is.
    public var description: String { secretMask }

    /// An ellipsis, whatever the value is.
    public var debugDescription: String { secretMask }

    /// Shows no part of the value.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The mask of a secret, wherever a person could see it.
let secretMask = "…"

extension Secret: Encodable {
    /// Encodes an ellipsis.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard Revelation.isOn else { return try container.encode(secretMask) }
        guard let value = try? peek() else { return try container.encodeNil() }
        try container.encode(value)
    }
}

extension Secret: Decodable {
    /// Decodes the value itself.
    ///
    /// - Throws: `DecodingError` without any part of the text: an error is shown to people.
    public init(from decoder: any Decoder) throws {
        let usher = decoder as? ValueDecoder
        guard let usher, let ledger = usher.context as? SecretLedger else {
            self.init(try Self.value(from: decoder))
            return
        }
        if ledger.isErased, usher.json.kind == .null {
            // Looked at, and nothing more is to be read.
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

/// The scope in which secrets are encoded as they are, and not masked: only where no person sees it.
enum Revelation {
    @TaskLocal static var isOn = false
}

extension JSONWriter {
    /// Encodes a value with its secrets, for a reader that is a program, such as a session that is sent an event.
    ///
    /// - Parameter value: What may hold secrets.
    /// - Throws: As `encode`.
    package mutating func encodeRevealingSecrets(_ value: some Encodable) throws(JSONError) {
        var writer = self
        let result = Revelation.$isOn.withValue(true) {
            Result { () throws(JSONError) in try writer.encode(value) }
        }
        try result.get()
        self = writer
    }
}
