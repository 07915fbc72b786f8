/// The configuration of a scene, which has no effect: `UIKitCoordinator` creates the scene's delegate.
@MainActor @preconcurrency
open class UISceneConfiguration: NSObject {
    /// The name.
    public let name: String?
    /// The role of the scene.
    public let role: UISceneSession.Role
    /// The class of the scene's delegate.
    open var delegateClass: AnyClass?
    /// The class of the scene.
    open var sceneClass: AnyClass?
    /// The storyboard of the scene.
    open var storyboard: UIStoryboard?

    /// Creates a configuration.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
        super.init()
    }
}

extension UISceneSession {
    /// The role of a scene.
    public struct Role: Hashable, RawRepresentable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a role.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The scene shows windows on the device.
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    }

    /// The role, which is always `windowApplication`.
    public var role: Role { .windowApplication }
}
