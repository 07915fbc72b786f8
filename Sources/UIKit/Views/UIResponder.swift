@_exported public import Foundation

/// An object that takes part in the user interface; compared by identity.
///
/// On a phone it is an `NSObject`; here it is the root of its classes, for what they are is isolated to the main actor.
@MainActor @preconcurrency
open class UIResponder {
    /// Makes a responder.
    public init() {}

    /// The next one in the chain of responders; none, unless a class says so.
    open var next: UIResponder? { nil }

    /// True while it has the keyboard.
    public private(set) var isFirstResponder = false

    /// Takes the keyboard.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        isFirstResponder = true
        return true
    }

    /// Gives the keyboard back.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        isFirstResponder = false
        return true
    }
}

extension UIResponder: nonisolated Hashable {
    /// True where both are the same object.
    public nonisolated static func == (left: UIResponder, right: UIResponder) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
