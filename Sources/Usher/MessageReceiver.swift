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

    /// Messages that `usher explore` tells it; `allCases` where the message is `CaseIterable`.
    ///
    /// A coordinator that is a `FlowHost`, too, with `examples` of its own has its messages' in `Message.allCases`.
    static var examples: [Message] { get }

    /// Is told something: an input like any other.
    ///
    /// - Parameter message: What it is told.
    /// - Throws: `Refusal` when it will not hear of it; the session is then as it was.
    func receive(_ message: Message) throws
}

extension MessageReceiver {
    /// None are told.
    public static var examples: [Message] { [] }
}

extension MessageReceiver where Message: CaseIterable {
    /// Every case.
    public static var examples: [Message] { Array(Message.allCases) }
}
