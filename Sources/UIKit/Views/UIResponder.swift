@_exported public import Foundation

/// An object of the user interface, compared by identity.
///
/// This class is not a subclass of `NSObject`, as UIKit's class is, because subclasses of `UIResponder` are isolated
/// to the main actor.
@MainActor @preconcurrency
open class UIResponder {
    /// Creates a responder.
    public init() {}

    /// Returns `true` if the object's class is the given class or a subclass of it.
    public final func isKind(of aClass: AnyClass) -> Bool {
        (aClass as? UIResponder.Type)?.isClass(of: self) ?? false
    }

    private class func isClass(of object: UIResponder) -> Bool { object is Self }

    /// Returns `true` if the object's class is the given class.
    public final func isMember(of aClass: AnyClass) -> Bool { type(of: self) == aClass }

    /// The next responder in the chain; nil unless a subclass overrides it.
    open var next: UIResponder? { nil }

    /// A Boolean value that indicates whether the responder has the keyboard.
    public private(set) var isFirstResponder = false

    /// Requests the keyboard.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        isFirstResponder = true
        return true
    }

    /// Releases the keyboard.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        isFirstResponder = false
        return true
    }
}

extension UIResponder: nonisolated Hashable {
    /// Returns `true` if both values are the same object.
    public nonisolated static func == (left: UIResponder, right: UIResponder) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
