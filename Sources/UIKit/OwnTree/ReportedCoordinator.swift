/// A coordinator of the app's own that says of itself what reflection cannot find.
///
/// Coordinators that have children, a parent or a finish delegate are found without it, by the names of their stored
/// properties. With one line any other class is one, too:
///
/// ```swift
/// extension OnboardingFlow: ReportedCoordinator {}
/// ```
@MainActor @preconcurrency
public protocol ReportedCoordinator: AnyObject {
    /// Others that it keeps where reflection finds none, such as in a closure.
    var reportedChildren: [AnyObject] { get }

    /// The controllers that it shows, where they do not refer to it, such as those that it observes.
    var reportedControllers: [UIViewController] { get }

    /// True where it is kept on purpose while it shows nothing: then it is no zombie.
    var mayShowNothing: Bool { get }
}

extension ReportedCoordinator {
    /// None but those that are found.
    public var reportedChildren: [AnyObject] { [] }

    /// None but those that are found.
    public var reportedControllers: [UIViewController] { [] }

    /// It has to show something.
    public var mayShowNothing: Bool { false }
}
