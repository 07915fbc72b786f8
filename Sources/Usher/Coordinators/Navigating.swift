/// What every coordinator can do.
///
/// A protocol only so that closures are given the coordinator's own type as `Self`; `AnyCoordinator` alone adopts it.
public protocol Navigating: AnyObject {}
