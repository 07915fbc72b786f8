import UsherJSON

/// A root coordinator that a backend can tell something, such as that an order has been shipped.
///
/// ```swift
/// extension ShopCoordinator: MessageReceiver {
///     enum Message: Codable { case shipped(order: Int) }
///
///     func receive(_ message: Message) throws {
///         switch message {
///         case .shipped(let order): show(order)
///         }
///     }
/// }
/// ```
public protocol MessageReceiver: AnyCoordinator {
    /// What it can be told.
    associatedtype Message: Codable & Sendable

    /// Is told something: an input like any other.
    ///
    /// - Parameter message: What it is told.
    /// - Throws: `Refusal` when it will not hear of it; the session is then as it was.
    func receive(_ message: Message) throws
}

extension Tree {
    /// Tells the root coordinator something.
    func receive(_ message: JSONValue) throws(Rejection) {
        guard let root else { throw Rejection(.invalid, "the session has ended, so nobody can be told anything") }
        guard let receiver = root as? any MessageReceiver else {
            throw Rejection(
                .invalid, "\(type(of: root)) takes no messages; a root coordinator that does is a MessageReceiver")
        }
        try receive(message, as: receiver)
    }

    private func receive<Receiver: MessageReceiver>(
        _ json: JSONValue, as receiver: Receiver
    ) throws(Rejection) {
        let message: Receiver.Message
        do throws(JSONError) {
            let source = SecretSource(part: .message, range: json.range, input: nil, translation: nil)
            message = try secrets.decode(Receiver.Message.self, json, from: source)
        } catch {
            throw Rejection(.invalid, "the message: \(error)")
        }
        run { try receiver.receive(message) }
    }
}
