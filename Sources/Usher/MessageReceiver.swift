/// A root coordinator that receives messages from a backend, such as a message that an order has been shipped.
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
    /// The messages that the coordinator receives.
    associatedtype Message: Codable & Sendable

    /// Messages that `usher explore` sends to the coordinator. By default, `allCases` if `Message` is `CaseIterable`.
    ///
    /// Not called `examples`, because a coordinator that is also a `FlowHost` has `examples` of flows.
    static var messageExamples: [Message] { get }

    /// Receives a message. The message is an input like any other.
    ///
    /// - Throws: `Refusal` to reject the message. The session is then unchanged.
    func receive(_ message: Message) throws
}

extension MessageReceiver {
    /// There are no examples.
    public static var messageExamples: [Message] { [] }
}

extension MessageReceiver where Message: CaseIterable {
    /// Every case.
    public static var messageExamples: [Message] { Array(Message.allCases) }
}
