/// A coordinator's hold on a screen that it has pushed.
///
/// To keep one keeps nothing alive: from a screen that has left, its state, its closure and its view model are taken.
public struct Handle<S: Screen> {
    private(set) var instance: TypedScreenInstance<S>?

    /// Makes a hold on nothing, for a property until its screen is pushed.
    public init() {}

    init(_ instance: TypedScreenInstance<S>?) {
        self.instance = instance
    }

    /// The screen's instance id on the wire; nil once it has left.
    public var id: Int? { shown?.id }

    /// The screen as it stands; nil once it has left.
    public var screen: S? { instance?.screen }

    /// Changes the screen's state.
    ///
    /// A screen that has left is not changed.
    ///
    /// - Parameter change: Is given the screen to change in place.
    public func update(_ change: (inout S) throws -> Void) rethrows {
        guard let shown, var screen = shown.screen, let tree = shown.owner?.node?.tree else { return }
        // A copy: the change may read the screen through another handle meanwhile.
        try change(&screen)
        shown.screen = screen
        tree.didUpdate(shown)
    }

    /// The instance while it is in a stack.
    var shown: TypedScreenInstance<S>? {
        guard let instance, instance.owner != nil else { return nil }
        return instance
    }
}
