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
