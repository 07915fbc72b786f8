public import Usher

extension UIKitCoordinator: FlowHost {
    /// The things that happen to an app on a phone, beside what its screens send.
    public enum Flow: Codable, Equatable, Sendable {
        /// A link is opened: the scene's delegate is told, or else the application's.
        case url(String)
        /// A universal link is opened: the scene's delegate is told of its activity, or else the application's.
        case userActivity(webpageURL: String)
        /// The user opens a push notification, or chooses one of its actions: the notification centre's delegate is told.
        case notification(
            title: String? = nil, body: String? = nil, userInfo: [String: String]? = nil, action: String? = nil)
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
        .url("shop://orders/7"), .userActivity(webpageURL: "https://shop.example/orders/7"),
        .notification(title: "Your order has left", userInfo: ["order": "7"]), .cancelledPop,
        .pageTurned(forward: true), .enteredBackground, .enteredForeground,
    ]

    /// Tells the app.
    public func open(_ flow: Flow) throws -> (any FlowHost)? {
        closesModalsItself()
        if takeLaunchFlow(flow) { return nil }
        let session = session
        try MainActor.assumeIsolated {
            try session.enter {
                switch flow {
                case .url(let text): try session.receive(flow, else: "\"\(text)\" is not a link")
                case .userActivity(let text):
                    try session.receive(
                        flow, else: "\"\(text)\" is not a universal link, which must begin with https://")
                case .notification: try session.receive(flow, else: "the flow is not a notification")
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
    fileprivate func receive(_ flow: UIKitCoordinator.Flow, else reason: String) throws {
        guard let cause = LaunchCause(flow) else { throw Refusal(reason) }
        application.receive(cause)
    }
}
