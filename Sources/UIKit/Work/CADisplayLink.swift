/// A timer of the display's frames, which never fires, because nothing is drawn.
@MainActor @preconcurrency
open class CADisplayLink: NSObject {
    /// A Boolean value that indicates whether the link is paused, which has no effect.
    open var isPaused = false
    /// The number of frames in a second, which has no effect.
    open var preferredFramesPerSecond = 0
    /// Zero, because there is no frame.
    public let timestamp: TimeInterval = 0
    /// Zero, because there is no frame.
    public let targetTimestamp: TimeInterval = 0
    /// Zero, because there is no frame.
    public let duration: TimeInterval = 0

    /// Creates a link, which does not retain its target.
    public init(target: Any, selector: Selector) {
        super.init()
    }

    /// Does nothing.
    open func add(to runLoop: RunLoop, forMode mode: RunLoop.Mode) {}

    /// Does nothing.
    open func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {}

    /// Does nothing.
    open func invalidate() {}
}
