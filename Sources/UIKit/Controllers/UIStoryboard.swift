import Synchronization

/// A storyboard: a name with registered functions that create controllers, because there are no files to read.
///
/// ```swift
/// UIStoryboard.register("Main", "Login") { LoginViewController() }
/// ```
@MainActor @preconcurrency
public final class UIStoryboard {
    private let name: String

    /// Creates a storyboard.
    public init(name: String, bundle: Bundle?) {
        self.name = name
    }

    /// Registers a controller of a storyboard; call this before the first session.
    ///
    /// - Parameters:
    ///   - name: The storyboard's name.
    ///   - identifier: The controller's identifier; nil for the initial controller.
    ///   - make: Creates the controller.
    public nonisolated static func register(
        _ name: String, _ identifier: String? = nil, _ make: @escaping @MainActor () -> UIViewController
    ) {
        ControllerMakers.shared.register(.init(file: name, identifier: identifier), make)
    }

    /// Creates a controller; if none is registered, creates an empty controller and warns.
    public func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        make(identifier) ?? UIViewController()
    }

    /// Creates the initial controller.
    public func instantiateInitialViewController() -> UIViewController? { make(nil) }

    private func make(_ identifier: String?) -> UIViewController? {
        if let make = ControllerMakers.shared.maker(of: .init(file: name, identifier: identifier)) { return make() }
        UIKitSession.current?.warn(
            "Storyboard (\(name)) doesn't contain a view controller with identifier '\(identifier ?? "")'")
        return nil
    }
}

/// A nib: a name with a registered function that creates a controller.
@MainActor @preconcurrency
public final class UINib {
    private let name: String

    /// Creates a nib.
    public init(nibName: String, bundle: Bundle?) {
        name = nibName
    }

    /// Registers the controller of a nib; call this before the first session.
    public nonisolated static func register(_ name: String, _ make: @escaping @MainActor () -> UIViewController) {
        ControllerMakers.shared.register(.init(file: name, identifier: nil), make)
    }

    /// Creates the nib's controller; if no controller is registered, returns an empty list and warns.
    public func instantiate(withOwner owner: Any?) -> [Any] {
        if let make = ControllerMakers.shared.maker(of: .init(file: name, identifier: nil)) { return [make()] }
        UIKitSession.current?.warn("there is no nib named '\(name)'")
        return []
    }
}

/// The functions that an app has registered, which are the same for all sessions.
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
