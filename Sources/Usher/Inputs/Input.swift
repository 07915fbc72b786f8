/// All that can change a tree once it stands: what a user did or what came from outside, and the moment it came.
///
/// Coordinators are deterministic, so a tree is a function of its creation and its inputs.
public struct Input: Sendable {
    /// What it is.
    public let content: InputContent
    /// When it came: the coordinators' clock.
    public let time: Timestamp
    /// What is done with a link.
    public let link: LinkHandling
    /// Whether its secrets were erased: null stands in their places.
    public let isErased: Bool

    /// Makes an input.
    ///
    /// - Parameters:
    ///   - content: What it is.
    ///   - time: When it came.
    ///   - link: What is done with a link; it is followed unless that has failed.
    ///   - isErased: Whether its secrets were erased: null stands in their places.
    public init(
        _ content: InputContent, at time: Timestamp, link: LinkHandling = .follow, isErased: Bool = false
    ) {
        self.content = content
        self.time = time
        self.link = link
        self.isErased = isErased
    }

    /// Makes an input of what a user did.
    ///
    /// - Parameters:
    ///   - action: What the user did.
    ///   - time: When it came.
    ///   - link: What is done with a link; it is followed unless that has failed.
    ///   - isErased: Whether its secrets were erased: null stands in their places.
    public init(
        _ action: InputAction, at time: Timestamp, link: LinkHandling = .follow, isErased: Bool = false
    ) {
        self.init(.action(action), at: time, link: link, isErased: isErased)
    }

    /// The same input with the link handled otherwise.
    ///
    /// - Parameter link: What is done with a link.
    public func handling(link: LinkHandling) -> Input {
        Input(content, at: time, link: link, isErased: isErased)
    }
}
