extension UIResponder {
    /// Calls a method of this object.
    public final func perform(_ aSelector: Selector, with object: Any? = nil) { aSelector.perform(on: self, object) }

    /// Calls a method of this object after a time on the session's clock, in a separate input.
    public final func perform(
        _ aSelector: Selector, with anArgument: Any?, afterDelay delay: TimeInterval, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        aSelector.perform(on: self, anArgument, after: delay, file: file, line: line)
    }

    /// Cancels the delayed calls of an object's methods.
    public static func cancelPreviousPerformRequests(withTarget aTarget: Any) {
        NSObject.cancelPreviousPerformRequests(withTarget: aTarget)
    }

    /// Cancels the delayed calls of a method with an argument.
    public static func cancelPreviousPerformRequests(
        withTarget aTarget: Any, selector aSelector: Selector, object anArgument: Any?
    ) {
        NSObject.cancelPreviousPerformRequests(withTarget: aTarget, selector: aSelector, object: anArgument)
    }
}
