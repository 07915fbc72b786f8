import Synchronization

/// A storyboard: a name under which makers of controllers are registered, for there are no files to read.
///
/// ```swift
/// UIStoryboard.register("Main", "Login") { LoginViewController() }
/// ```
@MainActor @preconcurrency
public final class UIStoryboard {
    private let name: String

    /// Opens a storyboard.
    public init(name: String, bundle: Bundle?) {
        self.name = name
    }

    /// Says what a storyboard makes; before the first session.
    ///
    /// - Parameters:
    ///   - name: The storyboard.
    ///   - identifier: The identifier of the controller; nil for the one that it begins with.
    ///   - make: Makes it.
    public nonisolated static func register(
        _ name: String, _ identifier: String? = nil, _ make: @escaping @MainActor () -> UIViewController
    ) {
        ControllerMakers.shared.register(.init(file: name, identifier: identifier), make)
    }

    /// Makes a controller; an empty one, with a warning, where none is registered.
    public func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        make(identifier) ?? UIViewController()
    }

    /// Makes the controller that it begins with.
    public func instantiateInitialViewController() -> UIViewController? { make(nil) }

    private func make(_ identifier: String?) -> UIViewController? {
        if let make = ControllerMakers.shared.maker(of: .init(file: name, identifier: identifier)) { return make() }
        UIKitSession.current?.warn(
            "Storyboard (\(name)) doesn't contain a view controller with identifier '\(identifier ?? "")'")
        return nil
    }
}

/// A nib: a name under which makers of controllers are registered.
@MainActor @preconcurrency
public final class UINib {
    private let name: String

    /// Opens a nib.
    public init(nibName: String, bundle: Bundle?) {
        name = nibName
    }

    /// Says what a nib makes; before the first session.
    public nonisolated static func register(_ name: String, _ make: @escaping @MainActor () -> UIViewController) {
        ControllerMakers.shared.register(.init(file: name, identifier: nil), make)
    }

    /// Makes what is in it; nothing, with a warning, where it is not registered.
    public func instantiate(withOwner owner: Any?) -> [Any] {
        if let make = ControllerMakers.shared.maker(of: .init(file: name, identifier: nil)) { return [make()] }
        UIKitSession.current?.warn("there is no nib named '\(name)'")
        return []
    }
}

/// The makers of controllers that an app has registered: code, the same for all sessions.
private final class ControllerMakers: Sendable {
    struct MakerKey: Hashable, Sendable {
        let file: String
        let identifier: String?
    }

    static let shared = ControllerMakers()

    private let makers = Mutex<[MakerKey: @MainActor () -> UIViewController]>([:])

    func register(_ key: MakerKey, _ make: @escaping @MainActor () -> UIViewController) {
        makers.withLock { $0[key] = make }
    }

    func maker(of key: MakerKey) -> (@MainActor () -> UIViewController)? {
        makers.withLock { $0[key] }
    }
}
