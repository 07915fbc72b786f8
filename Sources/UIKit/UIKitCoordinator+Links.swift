public import Usher

extension UIKitCoordinator: FlowHost {
    /// The things that happen to an app on a phone, beside what its screens send.
    public enum Flow: Codable, Sendable {
        /// A link is opened: the scene's delegate is told, or else the application's.
        case url(String)
        /// The user has begun to swipe back, and let go.
        case cancelledPop
        /// The user has turned to the next page, or to the one before.
        case pageTurned(forward: Bool)
        /// The user has left the app.
        case enteredBackground
        /// The user has come back to the app.
        case enteredForeground
    }

    /// One of each.
    public static let examples: [Flow] = [
        .url("shop://orders/7"), .cancelledPop, .pageTurned(forward: true), .enteredBackground, .enteredForeground,
    ]

    /// Tells the app.
    public func open(_ flow: Flow) throws -> (any FlowHost)? {
        closesModalsItself()
        if case .url(let text) = flow, takeLaunchLink(text) { return nil }
        let session = session
        try MainActor.assumeIsolated {
            try session.enter {
                switch flow {
                case .url(let text): try session.receive(text)
                case .cancelledPop: try session.appearance.cancelPop()
                case .pageTurned(let isForward):
                    try session.appearance.turnPage(isForward ? .forward : .reverse)
                case .enteredBackground: session.application.enterBackground()
                case .enteredForeground: session.application.enterForeground()
                }
            }
        }
        return nil
    }
}

extension UIKitSession {
    fileprivate func receive(_ text: String) throws {
        guard let url = URL(string: text) else { throw Refusal("\"\(text)\" is no link") }
        application.receive(url)
    }
}
