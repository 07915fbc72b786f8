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
    /// The messages that it takes.
    associatedtype Message: Codable & Sendable

    /// Messages that `usher explore` sends to the coordinator; `allCases` if the message is `CaseIterable`.
    ///
    /// They have a name of their own, because the coordinator may also be a `FlowHost`, which has `examples` of flows.
    static var messageExamples: [Message] { get }

    /// Is told something: an input like any other.
    ///
    /// - Parameter message: What it is told.
    /// - Throws: `Refusal` when it will not hear of it; the session is then as it was.
    func receive(_ message: Message) throws
}

extension MessageReceiver {
    /// None are told.
    public static var messageExamples: [Message] { [] }
}

extension MessageReceiver where Message: CaseIterable {
    /// Every case.
    public static var messageExamples: [Message] { Array(Message.allCases) }
}
