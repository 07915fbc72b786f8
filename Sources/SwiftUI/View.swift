@_exported public import Combine
@_exported public import UIKit
public import Usher

/// A part of an app's interface, which nobody draws.
///
/// For each view that a coordinator shows, the app has a stand-in with the view's name and initialiser: a structure without
/// a body. A stand-in that has no screen of its own is shown with its name, and the title and bar buttons of its controller.
@MainActor @preconcurrency
public protocol View {}

/// A view that says what clients see, and takes their events.
///
/// ```swift
/// struct LoginView: ScreenView {
///     @ObservedObject var viewModel: LoginViewModel
///
///     var content: LoginScreen { LoginScreen(failure: viewModel.failure) }
///
///     func handle(_ event: LoginScreen.Event) { viewModel.login(event) }
/// }
/// ```
///
/// The content is asked for at the end of each input, so a view need not observe its view model.
@MainActor @preconcurrency
public protocol ScreenView: View {
    /// The screen that clients see.
    associatedtype Content: Screen & Equatable

    /// The screen as it stands.
    var content: Content { get }

    /// Does what an event asks for.
    ///
    /// - Parameter event: The event.
    /// - Throws: `Refusal` when it will not; the session is then as it was.
    func handle(_ event: Content.Event) throws
}

extension ScreenView where Content.Event == Never {
    /// There is none.
    public func handle(_ event: Never) {}
}

/// A view without content.
public struct EmptyView: View {
    /// Creates the view.
    public nonisolated init() {}
}

/// A view whose looks were changed, which is the same to clients.
public struct ModifiedView<Base: View>: View {
    let base: Base
}

extension ModifiedView: ScreenView where Base: ScreenView {
    /// The view's screen.
    public var content: Base.Content { base.content }

    /// Gives the view an event.
    public func handle(_ event: Base.Content.Event) throws { try base.handle(event) }
}

/// A view without its type.
public struct AnyView: View, ErasingView {
    let wrapped: any View

    /// Creates one of a view.
    public init<V: View>(_ view: V) {
        wrapped = (view as? any ErasingView)?.wrapped ?? view
    }

    /// Creates one of a view.
    public init<V: View>(erasing view: V) {
        self.init(view)
    }
}

/// A view that hides the type of another.
protocol ErasingView: View {
    var wrapped: any View { get }
}

extension ModifiedView: ErasingView where Base: ErasingView {
    var wrapped: any View { base.wrapped }
}
