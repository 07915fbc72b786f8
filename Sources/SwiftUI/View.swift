@_exported public import Combine
@_exported public import UIKit
public import Usher

/// A part of an app's interface, which is not drawn.
///
/// For each view that a coordinator shows, the app declares a stand-in: a structure with the view's name and
/// initialiser, but without a body. If the stand-in has no screen, clients see the stand-in's name, and the title and
/// bar buttons of the stand-in's controller.
@MainActor @preconcurrency
public protocol View {
    /// Called before the view appears, as the closure of SwiftUI's `onAppear(perform:)`.
    func onAppear()

    /// Called after the view has disappeared, as the closure of SwiftUI's `onDisappear(perform:)`.
    func onDisappear()

    /// Called in a task when the view appears, as the closure of SwiftUI's `task(priority:_:)`.
    ///
    /// The task is cancelled when the view disappears.
    ///
    /// ```swift
    /// func task() async { await viewModel.load() }
    /// ```
    func task() async
}

extension View {
    /// Does nothing.
    public func onAppear() {}

    /// Does nothing.
    public func onDisappear() {}

    /// Does nothing.
    public func task() async {}
}

/// A view that defines its screen and handles the screen's events.
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
/// The content is read at the end of each input, so a view need not observe its view model.
@MainActor @preconcurrency
public protocol ScreenView: View {
    /// The screen that clients see.
    associatedtype Content: Screen & Equatable

    /// The current screen.
    var content: Content { get }

    /// Handles an event.
    ///
    /// - Throws: `Refusal` to reject the event; the session then stays as it was.
    func handle(_ event: Content.Event) throws
}

extension ScreenView where Content.Event == Never {
    /// Does nothing, because there are no events.
    public func handle(_ event: Never) {}
}

/// A view without content.
public struct EmptyView: View {
    /// Creates the view.
    public nonisolated init() {}
}

/// A view with modifiers, which do not change what clients see.
public struct ModifiedView<Base: View>: View {
    let base: Base

    /// Calls the view's method.
    public func onAppear() { base.onAppear() }

    /// Calls the view's method.
    public func onDisappear() { base.onDisappear() }

    /// Calls the view's method.
    public func task() async { await base.task() }
}

extension ModifiedView: ScreenView where Base: ScreenView {
    /// The view's screen.
    public var content: Base.Content { base.content }

    /// Passes an event to the view.
    public func handle(_ event: Base.Content.Event) throws { try base.handle(event) }
}

/// A stack of screens; a controller shows only the first screen.
///
/// Links and destinations are not declared: a coordinator pushes controllers.
public struct NavigationStack<Root: View>: View {
    let root: Root

    /// Creates a stack with a root.
    public init(root: () -> Root) { self.root = root() }
}

extension NavigationStack: ScreenView where Root: ScreenView {
    /// The root's screen.
    public var content: Root.Content { root.content }

    /// Passes an event to the root.
    public func handle(_ event: Root.Content.Event) throws { try root.handle(event) }
}

extension NavigationStack: ErasingView where Root: ErasingView {
    var wrapped: any View { root.wrapped }
}

/// A view whose type is erased.
public struct AnyView: View, ErasingView {
    let wrapped: any View

    /// Creates a view from another view.
    public init<V: View>(_ view: V) {
        wrapped = (view as? any ErasingView)?.wrapped ?? view
    }

    /// Creates a view from another view.
    public init<V: View>(erasing view: V) {
        self.init(view)
    }
}

/// A view that hides the type of another view.
protocol ErasingView: View {
    var wrapped: any View { get }
}

extension ModifiedView: ErasingView where Base: ErasingView {
    var wrapped: any View { base.wrapped }
}
