/// An app's own coordinator that reports what reflection cannot find.
///
/// Coordinators with children, a parent or a finish delegate need no conformance, because the names of their stored
/// properties identify them. Any other class becomes a coordinator with one line:
///
/// ```swift
/// extension OnboardingFlow: ReportedCoordinator {}
/// ```
@MainActor @preconcurrency
public protocol ReportedCoordinator: AnyObject {
    /// Other coordinators that this coordinator retains, but reflection cannot find, for example in a closure.
    var reportedChildren: [AnyObject] { get }

    /// The controllers that this coordinator shows, but that do not refer to it, for example because it observes them.
    var reportedControllers: [UIViewController] { get }

    /// A Boolean value that indicates whether this coordinator may show nothing without being reported as a zombie.
    var mayShowNothing: Bool { get }
}

extension ReportedCoordinator {
    /// An empty list.
    public var reportedChildren: [AnyObject] { [] }

    /// An empty list.
    public var reportedControllers: [UIViewController] { [] }

    /// `false`.
    public var mayShowNothing: Bool { false }
}
